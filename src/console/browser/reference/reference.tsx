/** The reference of the API or of the control plane, made from the document that this server serves. */
import { useState } from 'preact/hooks';
import { Frame } from '../frame.tsx';
import { readEnvironments } from '../live/api.ts';
import { Loading, useLoaded } from '../live/loaded.tsx';
import { readApi, readControl } from '../live/schemas.ts';
import { useStore } from '../live/store.ts';
import { Facts } from '../parts/cards.tsx';
import { ICONS } from '../parts/icons.tsx';
import { SearchField } from '../parts/search.tsx';
import { addressOf, place } from '../route.ts';
import type { ContractDocument, DocumentedOperation } from './document.ts';
import { OperationView } from './operation.tsx';
import { Inferred, Prose } from './prose.tsx';

const isControl = new URLSearchParams(location.search).get('of') === 'control';

export const Reference = () => {
  const { environment: wanted, view: operationId } = useStore(place);
  const contract = useLoaded('', isControl ? readControl : readApi);
  const roster = useLoaded('', readEnvironments);
  const all = roster.value ?? [];
  const environment = all.find(({ name }) => name === wanted) ?? all[0];
  return (
    <Loading from={roster}>
      {() => (
        <Loading from={contract}>
          {(value) => {
            const operation = value.operations.find((each) => each.operationId === operationId);
            const name = environment?.name ?? '';
            return (
              <Frame
                page={isControl ? 'docs?of=control' : 'docs'}
                title={operation?.operationId ?? value.info.title}
                environment={name}
                environments={all}
                view={operationId}
                navigation={
                  <OperationList contract={value} chosen={operation?.operationId} environment={name} />
                }
              >
                <div class="view">
                  {operation && (
                    <a class="button all" href={addressOf({ environment: name })}>
                      {ICONS.previous} All operations
                    </a>
                  )}
                  {operation && environment ? (
                    <OperationView
                      key={`${name} ${operationId}`}
                      contract={value}
                      operation={operation}
                      environment={environment}
                    />
                  ) : (
                    <Introduction contract={value} />
                  )}
                </div>
              </Frame>
            );
          }}
        </Loading>
      )}
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
  const found = operations.filter((operation) => holds(operation, query));
  return (
    <nav class={chosen === undefined ? 'side' : 'side chosen'} aria-label="Operations">
      <SearchField label="Search operations" text={query} find={find} />
      {found.length === 0 && <p class="empty">No operation matches these words.</p>}
      {tags.map(({ name }) => {
        const own = found.filter((operation) => operation.tags[0] === name);
        return (
          own.length > 0 && (
            <div key={name}>
              <h2>{name.replaceAll('-', ' ')}</h2>
              <ul>
                {own.map(({ operationId, method, summary }) => (
                  <li key={operationId}>
                    <a
                      href={addressOf({ environment, view: operationId })}
                      title={summary}
                      aria-current={operationId === chosen ? 'page' : undefined}
                    >
                      <b class={`method ${method}`}>{method}</b> <span>{operationId}</span>
                    </a>
                  </li>
                ))}
              </ul>
            </div>
          )
        );
      })}
    </nav>
  );
};

/** Whether the operation's names and texts contain every word. */
const holds = (
  { operationId, method, path, summary, description, parameters }: DocumentedOperation,
  query: string,
): boolean => {
  const names = parameters.map(({ name }) => name).join(' ');
  const text = [operationId, method, path, summary, description, names].join(' ').toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
};

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
