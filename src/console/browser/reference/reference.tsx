/** The reference pages of the API and of the control plane, built from the OpenAPI documents that the mock serves. */
import { useState } from 'preact/hooks';
import { CommandButton } from '../command.tsx';
import { Frame, LinkGroup } from '../frame.tsx';
import { useEnvironment } from '../live/environment.tsx';
import { Loading, useLoaded } from '../live/loaded.tsx';
import { useStore } from '../live/store.ts';
import { CopyButton, ICONS } from '../parts/buttons.tsx';
import { Json } from '../parts/code.tsx';
import { Facts, hasWords, SearchField, Titled } from '../parts/layout.tsx';
import { addressOf, place } from '../route.ts';
import { FailNext } from '../views/faults.tsx';
import {
  bodyOf,
  type ContractDocument,
  type DocumentedOperation,
  type DocumentedReply,
  readApi,
  readControl,
} from './document.ts';
import { Inferred, Member, Prose, SchemaView } from './schema.tsx';
import { type OperationProps, TryIt } from './try-it.tsx';

const isControl = new URLSearchParams(location.search).get('of') === 'control';

const DOCUMENT = isControl ? 'openapi.json' : '../openapi.yaml';

export const Reference = () => {
  const { view } = useStore(place);
  const contract = useLoaded('', isControl ? readControl : readApi);
  return <Loading from={contract}>{(value) => <ReferencePage contract={value} view={view} />}</Loading>;
};

const ReferencePage = ({
  contract,
  view,
}: {
  readonly contract: ContractDocument;
  readonly view: string;
}) => {
  const { details: environment } = useEnvironment();
  const operation = contract.operations.find(({ operationId }) => operationId === view);
  const chosen = operation?.operationId;
  return (
    <Frame
      page={isControl ? 'docs?of=control' : 'docs'}
      title={chosen ?? contract.info.title}
      tools={<CommandButton />}
      navigation={<OperationList {...{ contract, chosen }} />}
    >
      <div class="view">
        {operation ? (
          <>
            <a class="button all" href={addressOf({})}>
              {ICONS.previous} All operations
            </a>
            <OperationView key={view} {...{ contract, operation, environment }} />
          </>
        ) : (
          <Introduction contract={contract} />
        )}
      </div>
    </Frame>
  );
};

interface OperationListProps {
  readonly contract: ContractDocument;
  readonly chosen: string | undefined;
}

const OperationList = ({ contract: { tags, operations }, chosen }: OperationListProps) => {
  const [query, find] = useState('');
  const found = operations.filter((operation) => hasWords(textOf(operation), query));
  const toLink = ({ operationId, method, summary }: DocumentedOperation) => {
    const text = [<b class={`method ${method}`}>{method}</b>, ' ', <span>{operationId}</span>];
    return [operationId, text, summary] as const;
  };
  return (
    <nav class={chosen === undefined ? 'side' : 'side chosen'} aria-label="Operations">
      <SearchField label="Search operations" text={query} find={find} />
      {found.length === 0 && <p class="empty">No operations match.</p>}
      {tags.map(({ name }) => {
        const links = found.filter(({ tags: [tag] }) => tag === name).map(toLink);
        if (links.length === 0) return null;
        return <LinkGroup key={name} title={name.replaceAll('-', ' ')} {...{ links, chosen }} />;
      })}
    </nav>
  );
};

const textOf = (operation: DocumentedOperation): string => {
  const { operationId, method, path, summary, description, parameters } = operation;
  return [operationId, method, path, summary, description, ...parameters.map(({ name }) => name)].join(' ');
};

const Introduction = ({ contract: { info, tags, operations } }: { readonly contract: ContractDocument }) => (
  <article class="words">
    <h1 tabIndex={-1}>{info.title}</h1>
    <Prose text={info.description} />
    <p>
      {operations.length} operations. Complete document: <a href={DOCUMENT}>{DOCUMENT.replace('../', '')}</a>
    </p>
    {!isControl && (
      <>
        <h2>Marked statements</h2>
        <p>
          <Inferred reason="A4" /> The description of the service leaves the marked points open, so the mock
          decides. Point at a mark to read the reason. A rule, such as A4, links to the guide.
        </p>
      </>
    )}
    <Facts of={tags.map(({ name, description }) => [name.replaceAll('-', ' '), description])} />
  </article>
);

const OperationView = (props: OperationProps) => {
  const { operation, contract } = props;
  const { summary, method, path, parameters, responses, operationId } = operation;
  const { type, schema: body } = bodyOf(operation);
  return (
    <article class="operation" aria-labelledby="operation">
      <div class="words">
        <header>
          <h1 id="operation" tabIndex={-1}>
            {summary} <Inferred reason={operation['x-inferred']} />
          </h1>
          <p class="summary">
            <b class={`method ${method}`}>{method}</b> <code>{path}</code>
          </p>
          <p class="cluster">
            <code class="tag">{operationId}</code>
            <CopyButton label="Copy path" text={contract.isControl ? `/_mock${path}` : path} />
            {!contract.isControl && <FailNext operation={operationId} />}
          </p>
        </header>
        <Prose text={operation.description} />
        {parameters.length > 0 && (
          <Titled id="parameters" title="Parameters">
            <ul class="members">
              {parameters.map((note) => (
                <Member key={note.name} {...note} isRequired={note.required} note={note} />
              ))}
            </ul>
          </Titled>
        )}
        {body && (
          <Titled id="body" title={['Body ', <small>{type}</small>]}>
            <Prose text={body.description} />
            <SchemaView schema={body} />
          </Titled>
        )}
        <Titled id="replies" title="Replies">
          {Object.entries(responses).map(([status, reply]) => (
            <ReplyView key={status} status={status} reply={reply} />
          ))}
        </Titled>
      </div>
      <TryIt {...props} />
    </article>
  );
};

const ReplyView = ({ status, reply }: { readonly status: string; readonly reply: DocumentedReply }) => {
  const { schema, examples = {} } = Object.values(reply.content ?? {})[0] ?? {};
  return (
    <details class="reply" open={status.startsWith('2')}>
      <summary>
        <span class={`code c${status[0]}`}>{status}</span> {reply.description.split('\n')[0]}
      </summary>
      {/* Not in the summary, because screen readers do not offer links inside a summary. */}
      <Inferred reason={reply['x-inferred']} />
      {schema && <SchemaView schema={schema} depth={1} />}
      {Object.entries(examples).map(([name, { summary = name, value }]) => (
        <section key={name}>
          <h3>{summary}</h3>
          <Json value={value} label={`Example of ${status}: ${summary}`} />
        </section>
      ))}
    </details>
  );
};
