/** One operation: its description, parameters, body and answers, and a form to call it. */
import { CopyButton } from '../parts/copy.tsx';
import { Json } from '../parts/json.tsx';
import { FailNext } from '../views/fault-ways.tsx';
import { bodyOf } from './call.ts';
import type { DocumentedOperation, DocumentedReply } from './document.ts';
import { Inferred, Prose } from './prose.tsx';
import { Member, merge, SchemaView } from './schema.tsx';
import { type OperationProps, TryIt } from './try-it.tsx';

export const OperationView = (props: OperationProps) => {
  const { operation, contract, environment } = props;
  const { summary, method, path, parameters, responses, operationId } = operation;
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
            <CopyButton label="Copy path" text={path} />
            {!contract.isControl && <FailNext environment={environment.name} operation={operationId} />}
          </p>
        </header>
        <Prose text={operation.description} />
        {parameters.length > 0 && (
          <section aria-labelledby="parameters">
            <h2 id="parameters">Parameters</h2>
            <ul class="members">
              {parameters.map(({ name, schema, required = false, ...note }) => (
                <Member
                  key={name}
                  name={name}
                  schema={merge(schema)}
                  isRequired={required}
                  note={note}
                  depth={0}
                />
              ))}
            </ul>
          </section>
        )}
        <Body operation={operation} />
        <section aria-labelledby="replies">
          <h2 id="replies">Replies</h2>
          {Object.entries(responses).map(([status, reply]) => (
            <ReplyView key={status} status={status} reply={reply} />
          ))}
        </section>
      </div>
      <TryIt key={operationId} {...props} />
    </article>
  );
};

const Body = ({ operation }: { readonly operation: DocumentedOperation }) => {
  const schema = bodyOf(operation)?.schema;
  if (!schema) return null;
  return (
    <section aria-labelledby="body">
      <h2 id="body">
        Body <small>{Object.keys(operation.requestBody?.content ?? {}).join(', ')}</small>
      </h2>
      <Prose text={schema.description} />
      <SchemaView schema={schema} />
    </section>
  );
};

const ReplyView = ({ status, reply }: { readonly status: string; readonly reply: DocumentedReply }) => {
  const { schema, examples = {} } = Object.values(reply.content ?? {})[0] ?? {};
  return (
    <details class="reply" open={status.startsWith('2')}>
      <summary>
        <span class={`code c${status[0]}`}>{status}</span> {reply.description.split('\n')[0]}
      </summary>
      {/* Not in the summary, whose link a screen reader would not offer. */}
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
