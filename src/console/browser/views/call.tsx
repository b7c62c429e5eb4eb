/** One call in full: request, response, and the rules it broke. */
import { call, type Schemas, within } from '../live/api.ts';
import { useEnvironment } from '../live/environment.tsx';
import { useLoaded } from '../live/loaded.ts';
import { NEVER } from '../live/store.ts';
import { CopyButton } from '../parts/copy.tsx';
import { saveFile } from '../parts/file.ts';
import { Json } from '../parts/json.tsx';
import { Loading } from '../parts/loading.tsx';
import { Panel } from '../parts/panel.tsx';
import { type Command, toCurl } from './curl.ts';
import { FailNext } from './fail-next.tsx';
import { Why } from './why.tsx';

type Entry = Schemas['Request'];

/** @param sequence of the call in the journal */
export const CallPanel = ({ sequence, close }: { readonly sequence: string; readonly close: () => void }) => {
  const { name, details } = useEnvironment();
  const found = useLoaded(
    sequence,
    () => call<Entry>('GET', within(name, `/requests/${encodeURIComponent(sequence)}`)),
    NEVER,
  );
  const entry = found.value;
  return (
    <Panel
      title={
        entry?.operation ?? (entry ? `${entry.request.method} ${entry.request.url}` : `Call ${sequence}`)
      }
      close={close}
      actions={
        entry && (
          <>
            <CurlButton command={toCurl(entry, details)} />
            {entry.operation !== undefined && <FailNext operation={entry.operation} />}
          </>
        )
      }
    >
      <Loading from={found}>{(value) => <EntryView entry={value} />}</Loading>
    </Panel>
  );
};

const CurlButton = ({ command: { text, notes, file } }: { readonly command: Command }) => (
  <>
    <CopyButton label="Copy as curl" text={text} done={['Copied.', ...notes].join(' ')} />
    {file && (
      <button type="button" class="small" onClick={() => saveFile(file.name, file.content)}>
        Save {file.name}
      </button>
    )}
  </>
);

const EntryView = ({ entry }: { readonly entry: Entry }) => {
  const { request, response, status, duration_ms, request_id, fault, grpc_method } = entry;
  return (
    <>
      <p class="summary">
        <span class={`code c${Math.floor(status / 100)}`}>{status}</span> {request.method} {request.url}
        <small>
          {request_id} · {duration_ms.toFixed(1)} ms{fault !== undefined && ` · fault ${fault}`}
          {grpc_method !== undefined && ` · gRPC ${grpc_method}`}
        </small>
      </p>
      {(status >= 400 || status === 0) && <Why entry={entry} />}
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
