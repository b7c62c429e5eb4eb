/** One call in full: request, response, and the rules it broke. */
import { call as ask, type Schemas, within } from '../live/api.ts';
import { useEnvironment } from '../live/environment.tsx';
import type { Call } from '../live/journal.ts';
import { useLoaded } from '../live/loaded.ts';
import { NEVER } from '../live/store.ts';
import { CopyButton } from '../parts/copy.tsx';
import { Json } from '../parts/json.tsx';
import { Panel } from '../parts/panel.tsx';
import { toCurl } from './curl.ts';

type Entry = Schemas['Request'];

export const CallPanel = ({ call, close }: { readonly call: Call; readonly close: () => void }) => {
  const { name, details } = useEnvironment();
  const { value: entry, problem } = useLoaded(
    String(call.sequence),
    () => ask<Entry>('GET', within(name, `/requests/${call.sequence}`)),
    NEVER,
  );
  return (
    <Panel
      title={call.operation ?? `${call.method} ${call.url}`}
      close={close}
      actions={entry && <CopyButton label="Copy as curl" text={toCurl(entry, details)} />}
    >
      {problem !== undefined && <p class="problem">{problem}</p>}
      {entry && <EntryView entry={entry} />}
    </Panel>
  );
};

const EntryView = ({ entry }: { readonly entry: Entry }) => {
  const { request, response, violations, status, duration_ms, request_id, fault, grpc_method } = entry;
  return (
    <>
      <p class="summary">
        <span class={`code c${Math.floor(status / 100)}`}>{status}</span> {request.method} {request.url}
        <small>
          {request_id} · {duration_ms.toFixed(1)} ms{fault !== undefined && ` · fault ${fault}`}
          {grpc_method !== undefined && ` · gRPC ${grpc_method}`}
        </small>
      </p>
      {violations.length > 0 && (
        <section>
          <h3>Violated</h3>
          <ul class="violations">
            {violations.map(({ field, constraint, description }) => (
              <li key={field + constraint}>
                <code>{field || 'body'}</code> <span class="tag bad">{constraint}</span> {description}
              </li>
            ))}
          </ul>
        </section>
      )}
      <MessageView title="Request" message={request} />
      <MessageView title="Response" message={response} />
    </>
  );
};

const MessageView = ({ title, message }: { readonly title: string; readonly message: Entry['response'] }) => (
  <section>
    <h3>{title}</h3>
    {message.body === undefined ? (
      <p class="quiet">No body.</p>
    ) : (
      <Json value={message.body} label={`${title} body`} />
    )}
    {message.body_cut && <p class="quiet">The body was longer; its end is not kept.</p>}
    <details>
      <summary>{title} headers</summary>
      <dl class="headers">
        {Object.entries(message.headers).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </details>
  </section>
);
