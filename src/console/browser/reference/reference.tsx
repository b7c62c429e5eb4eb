/** The reference of the API or of the control plane, made from the document that this server serves. */
import { useState } from 'preact/hooks';
import { Frame, LinkGroup } from '../frame.tsx';
import { readEnvironments } from '../live/api.ts';
import { Loading, useLoaded } from '../live/loaded.tsx';
import { useStore } from '../live/store.ts';
import { ICONS } from '../parts/icons.tsx';
import { Facts, hasWords, SearchField } from '../parts/layout.tsx';
import { addressOf, place } from '../route.ts';
import { type ContractDocument, type DocumentedOperation, readApi, readControl } from './document.ts';
import { OperationView } from './operation.tsx';
import { Inferred, Prose } from './schema.tsx';

const isControl = new URLSearchParams(location.search).get('of') === 'control';

const read = async () => {
  const [environments, contract] = await Promise.all([
    readEnvironments(),
    isControl ? readControl() : readApi(),
  ]);
  return { environments, contract };
};

export const Reference = () => {
  const { environment: wanted, view } = useStore(place);
  return (
    <Loading from={useLoaded('', read)}>
      {({ environments, contract }) => {
        const environment = environments.find(({ name }) => name === wanted) ?? environments[0];
        const operation = contract.operations.find(({ operationId }) => operationId === view);
        const name = environment?.name ?? '';
        return (
          <Frame
            page={isControl ? 'docs?of=control' : 'docs'}
            title={operation?.operationId ?? contract.info.title}
            environment={name}
            environments={environments}
            view={view}
            navigation={
              <OperationList contract={contract} chosen={operation?.operationId} environment={name} />
            }
          >
            <div class="view">
              {operation && (
                <a class="button all" href={addressOf({ environment: name })}>
                  {ICONS.previous} All operations
                </a>
              )}
              {operation && environment ? (
                <OperationView key={`${name} ${view}`} {...{ contract, operation, environment }} />
              ) : (
                <Introduction contract={contract} />
              )}
            </div>
          </Frame>
        );
      }}
    </Loading>
  );
};

interface OperationListProps {
  readonly contract: ContractDocument;
  readonly chosen: string | undefined;
  readonly environment: string;
}

const OperationList = ({ contract: { tags, operations }, chosen, environment }: OperationListProps) => {
  const [query, find] = useState('');
  const found = operations.filter((operation) => hasWords(textOf(operation), query));
  const toLink = ({ operationId: id, method, summary: hint }: DocumentedOperation) => {
    const text = [<b class={`method ${method}`}>{method}</b>, ' ', <span>{id}</span>];
    return { id, hint, text, href: addressOf({ environment, view: id }) };
  };
  return (
    <nav class={chosen === undefined ? 'side' : 'side chosen'} aria-label="Operations">
      <SearchField label="Search operations" text={query} find={find} />
      {found.length === 0 && <p class="empty">No operation matches these words.</p>}
      {tags.map(({ name }) => {
        const links = found.filter(({ tags: [tag] }) => tag === name).map(toLink);
        if (links.length === 0) return null;
        return <LinkGroup key={name} title={name.replaceAll('-', ' ')} links={links} chosen={chosen} />;
      })}
    </nav>
  );
};

/** The names and texts of an operation, in which a search looks. */
const textOf = ({
  operationId,
  method,
  path,
  summary,
  description,
  parameters,
}: DocumentedOperation): string =>
  [operationId, method, path, summary, description, ...parameters.map(({ name }) => name)].join(' ');

const Introduction = ({ contract: { info, tags, operations } }: { readonly contract: ContractDocument }) => (
  <article class="words">
    <h1 tabIndex={-1}>{info.title}</h1>
    <Prose text={info.description} />
    <p>
      {operations.length} operations. The document itself:{' '}
      <a href={isControl ? 'openapi.json' : '../openapi.yaml'}>
        {isControl ? 'openapi.json' : 'openapi.yaml'}
      </a>
    </p>
    {!isControl && (
      <>
        <h2>Marked statements</h2>
        <p>
          <Inferred reason="A4" /> The description of the service leaves these open, and the mock decides.
          Point at the mark to read the reason; a rule, such as A4, leads to the guide.
        </p>
      </>
    )}
    <Facts of={tags.map(({ name, description }) => [name.replaceAll('-', ' '), description])} />
  </article>
);
