/** One operation: its description, parameters, body and answers, and a form to call it. */
import { CopyButton } from '../parts/buttons.tsx';
import { Json } from '../parts/json.tsx';
import { Titled } from '../parts/layout.tsx';
import { FailNext } from '../views/fail-next.tsx';
import { bodyOf, type DocumentedReply } from './document.ts';
import { Inferred, Member, Prose, SchemaView } from './schema.tsx';
import { type OperationProps, TryIt } from './try-it.tsx';

export const OperationView = (props: OperationProps) => {
  const { operation, contract, environment } = props;
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
            <CopyButton label="Copy path" text={path} />
            {!contract.isControl && <FailNext environment={environment.name} operation={operationId} />}
          </p>
        </header>
        <Prose text={operation.description} />
        {parameters.length > 0 && (
          <Titled id="parameters" title="Parameters">
            <ul class="members">
              {parameters.map((note) => (
                <Member
                  key={note.name}
                  name={note.name}
                  schema={note.schema}
                  isRequired={note.required}
                  note={note}
                />
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
