/** The reference of the API, or of the control plane: made from the document that this server serves. */
import { useState } from 'preact/hooks';
import { EnvironmentPicker } from '../environment-picker.tsx';
import { readEnvironments } from '../live/api.ts';
import { Loading, useLoaded } from '../live/loaded.tsx';
import { useStore } from '../live/store.ts';
import { Facts } from '../parts/cards.tsx';
import { ICONS } from '../parts/icons.tsx';
import { startPage } from '../parts/page.tsx';
import { SearchField } from '../parts/search.tsx';
import { addressOf, place } from '../route.ts';
import { type ContractDocument, type DocumentedOperation, readContract } from './document.ts';
import { OperationView } from './operation.tsx';
import { Inferred, Prose } from './prose.tsx';
import './reference.css';

const isControl = new URLSearchParams(location.search).get('of') === 'control';

const Reference = () => {
  const { environment: wanted, view: operationId } = useStore(place);
  const contract = useLoaded('', () => readContract(isControl));
  const roster = useLoaded('', readEnvironments);
  const all = roster.value ?? [];
  const environment = all.find(({ name }) => name === wanted) ?? all[0];
  const operation = contract.value?.operations.find((each) => each.operationId === operationId);
  return (
    <div class={operation ? 'frame reference chosen' : 'frame reference'}>
      <header class="top">
        <a class="brand" href="./" aria-label="Connected Accounts Mock">
          {ICONS.brand} <span>Connected Accounts Mock</span>
        </a>
        {environment && <EnvironmentPicker name={environment.name} environments={all} view={operationId} />}
        <nav class="pages" aria-label="Pages">
          {PAGES.map(([address, title, isHere]) => (
            <a key={address} href={address} aria-current={isHere ? 'page' : undefined}>
              {title}
            </a>
          ))}
        </nav>
      </header>
      <Loading from={roster}>{() => null}</Loading>
      <Loading from={contract}>
        {(value) => (
          <>
            <OperationList contract={value} chosen={operationId} environment={environment?.name ?? ''} />
            <main>
              <div class="view">
                <a class="button all" href={addressOf({ environment: environment?.name ?? '' })}>
                  {ICONS.previous} All operations
                </a>
                {operation && environment ? (
                  <OperationView
                    key={`${environment.name} ${operationId}`}
                    contract={value}
                    operation={operation}
                    environment={environment}
                  />
                ) : (
                  <Introduction contract={value} />
                )}
              </div>
            </main>
          </>
        )}
      </Loading>
    </div>
  );
};

const PAGES = [
  ['docs', 'API', !isControl],
  ['docs?of=control', 'Control plane', isControl],
  ['guide/', 'Guide', false],
  ['./', 'Console', false],
] as const;

const OperationList = ({
  contract: { tags, operations },
  chosen,
  environment,
}: {
  readonly contract: ContractDocument;
  readonly chosen: string;
  readonly environment: string;
}) => {
  const [query, find] = useState('');
  const found = operations.filter((operation) => holds(operation, query));
  return (
    <nav class="side" aria-label="Operations">
      <SearchField label="Search operations" text={query} find={find} />
      {found.length === 0 && <p class="empty">No operation has these words.</p>}
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

/** Every word must be in what the operation is called, takes or says. */
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
    <h1>{info.title}</h1>
    <Prose text={info.description} />
    <p>
      {operations.length} operations. The document itself:{' '}
      <a href={isControl ? 'openapi.json' : '../openapi.yaml'}>
        {isControl ? 'openapi.json' : 'openapi.yaml'}
      </a>
    </p>
    {!isControl && (
      <>
        <h2>What is marked</h2>
        <Inferred reason="What the description of the service leaves open and the mock had to settle is marked like this, with its rule, such as A4" />
      </>
    )}
    <Facts of={tags.map(({ name, description }) => [name.replaceAll('-', ' '), description])} />
  </article>
);

startPage(Reference);
