/** Reference: the operations with their coverage, one request editor, and what the OpenAPI documents say. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Coverage, Seen, useSeen } from '../calls/coverage.tsx';
import { Editor } from '../calls/editor.tsx';
import { FailNext } from '../calls/faults.tsx';
import { useEnvironment } from '../live/environment.tsx';
import { Loading, useLoaded } from '../live/loaded.tsx';
import { Choice } from '../parts/buttons.tsx';
import { Json } from '../parts/code.tsx';
import { Facts, hasWords, reveal, Screen, SearchField, Titled } from '../parts/layout.tsx';
import { addressOf, filter, useRoute } from '../route.ts';
import {
  type ContractDocument,
  contentOf,
  type DocumentedOperation,
  readApi,
  readControl,
} from './document.ts';
import { exampleNames, toCall } from './example.ts';
import { Inferred, Prose, SchemaView } from './schema.tsx';

export const Reference = () => {
  const { of = '' } = useRoute().params;
  return <Contract key={of} read={of === 'control' ? readControl : readApi} />;
};

const Contract = ({ read }: { readonly read: () => Promise<ContractDocument> }) => {
  const { part } = useRoute();
  return (
    <Loading from={useLoaded('', read)}>
      {(contract) => {
        const operation = contract.operations.find(({ operationId }) => operationId === part);
        const side = <OperationList contract={contract} chosen={part} />;
        if (!operation) return <Introduction {...{ contract, side }} />;
        return <OperationView key={part} {...{ contract, operation, side }} />;
      }}
    </Loading>
  );
};

interface OperationListProps {
  readonly contract: ContractDocument;
  readonly chosen: string;
}

const OperationList = ({ contract, chosen }: OperationListProps) => {
  const { query = '', of = '' } = useRoute().params;
  const seen = useSeen();
  const found = contract.operations.filter((operation) => hasWords(textOf(operation), query));
  return (
    <nav class={chosen === '' ? 'side operations' : 'side operations chosen'} aria-label="Operations">
      <p class="cluster">
        {Object.entries({ API: '', 'Control plane': 'control' }).map(([text, name]) => (
          <a
            class="chip"
            aria-current={name === of ? 'true' : undefined}
            href={addressOf({ view: 'reference', params: { of: name } })}
          >
            {text}
          </a>
        ))}
      </p>
      <SearchField label="Search operations" text={query} find={(text) => filter({ query: text })} />
      {found.length === 0 && <p class="empty">No operations match.</p>}
      {[...new Set(found.map(({ tags }) => tags[0]))].map((tag) => (
        <div key={tag}>
          <h2>{tag.replaceAll('-', ' ')}</h2>
          <ul>
            {found
              .filter(({ tags }) => tags[0] === tag)
              .map(({ operationId, method, summary }) => (
                <li key={operationId}>
                  <a
                    ref={operationId === chosen ? reveal : null}
                    href={addressOf({ view: 'reference', part: operationId, params: { of, query } })}
                    title={summary}
                    aria-current={operationId === chosen ? 'page' : undefined}
                  >
                    <b class={`method ${method}`}>{method}</b> <span>{operationId}</span>{' '}
                    <small>{seen[operationId]}</small>
                  </a>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </nav>
  );
};

const textOf = (operation: DocumentedOperation): string => {
  const { operationId, method, path, summary, description, parameters } = operation;
  return [operationId, method, path, summary, description, ...parameters.map(({ name }) => name)].join(' ');
};

interface IntroductionProps {
  readonly contract: ContractDocument;
  readonly side: ComponentChildren;
}

const Introduction = ({ contract, side }: IntroductionProps) => {
  const { info, tags, operations, isControl } = contract;
  const file = isControl ? 'openapi.json' : '../openapi.yaml';
  return (
    <Screen title={info.title} side={side}>
      <article class="words">
        {!isControl && <Coverage />}
        <Prose text={info.description} />
        <p>
          {operations.length} operations. Complete document: <a href={file}>{file.replace('../', '')}</a>
        </p>
        {!isControl && (
          <p>
            <Inferred reason="A4" /> marks what the description of the service leaves open, so the mock
            decides.
          </p>
        )}
        <Facts of={tags.map(({ name, description }) => [name.replaceAll('-', ' '), description])} />
      </article>
    </Screen>
  );
};

interface OperationProps extends IntroductionProps {
  readonly operation: DocumentedOperation;
}

const OperationView = ({ contract, operation, side }: OperationProps) => {
  const { details: environment } = useEnvironment();
  const names = exampleNames(operation);
  const [example, choose] = useState(names[0] ?? '');
  const sample = toCall({ contract, operation, environment }, example);
  const actions = (
    <>
      <a href={addressOf({ view: 'reference' })}>All operations</a>
      {names.length > 1 && (
        <Choice label="Example" value={example} of={names.map((name) => [name])} choose={choose} />
      )}
      {!contract.isControl && <FailNext operation={operation.operationId} />}
    </>
  );
  return (
    <Screen title={operation.summary} {...{ side, actions }}>
      <article class="operation">
        <Editor key={example} sample={sample} label={`Send ${operation.operationId}`} />
        <Words operation={operation} />
      </article>
    </Screen>
  );
};

/** What the document says about an operation. */
const Words = ({ operation }: Pick<OperationProps, 'operation'>) => {
  const { method, path, operationId, parameters, responses, requestBody } = operation;
  const { type, schema: body } = contentOf(requestBody);
  const notes = parameters.map(({ name, schema, ...note }) => [name, { ...schema, ...note }]);
  const required = parameters.flatMap((each) => (each.required ? each.name : []));
  return (
    <div class="words">
      <p class="summary">
        <b class={`method ${method}`}>{method}</b> <code>{path}</code> <code class="tag">{operationId}</code>{' '}
        <Inferred reason={operation['x-inferred']} />
      </p>
      <Seen operation={operationId} />
      <Prose text={operation.description} />
      {parameters.length > 0 && (
        <Titled id="parameters" title="Parameters">
          <SchemaView schema={{ properties: Object.fromEntries(notes), required }} />
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
          <ReplyView key={status} {...{ status, reply }} />
        ))}
      </Titled>
    </div>
  );
};

interface ReplyProps {
  readonly status: string;
  readonly reply: DocumentedOperation['responses'][string];
}

const ReplyView = ({ status, reply }: ReplyProps) => {
  const { schema, examples = {} } = contentOf(reply);
  return (
    <details class="reply" open={status.startsWith('2')}>
      <summary>
        <span class={`code c${status[0]}`}>{status}</span> {reply.description?.split('\n')[0]}
      </summary>
      {/* Not in the summary, because screen readers do not offer links inside a summary. */}
      <Inferred reason={reply['x-inferred']} />
      {schema && <SchemaView schema={schema} depth={1} />}
      {Object.entries(examples).map(([name, { summary = name, value }]) => (
        <section>
          <h3>{summary}</h3>
          <Json value={value} label={`Example of ${status}: ${summary}`} />
        </section>
      ))}
    </details>
  );
};
