/**
 * One call in full: request, response and broken rules, with buttons to copy the call, to compare it, or to make the
 * next call fail.
 */
import type { Schemas } from '../live/api.ts';
import { formatInstant } from '../live/clock.ts';
import { useAnswer, useEnvironment } from '../live/environment.tsx';
import { Loading } from '../live/loaded.tsx';
import { Facts } from '../parts/cards.tsx';
import { CopyButton } from '../parts/copy.tsx';
import { Json } from '../parts/json.tsx';
import { toCurl } from '../parts/samples.tsx';
import { Panel } from '../parts/screen.tsx';
import { Comparison, PinButton } from './compare.tsx';
import { FailNext } from './fault-ways.tsx';
import { Why } from './why.tsx';

type Entry = Schemas['Request'];

/** A finished call never changes, so no event concerns it. */
const NEVER = (): boolean => false;

/** @param sequence the number of the call in the journal */
export const CallPanel = ({ sequence, close }: { readonly sequence: string; readonly close: () => void }) => {
  const { name, details } = useEnvironment();
  const found = useAnswer<Entry>(`/requests/${encodeURIComponent(sequence)}`, NEVER);
  const entry = found.value;
  const title = entry
    ? (entry.operation ?? `${entry.request.method} ${entry.request.url}`)
    : `Call ${sequence}`;
  return (
    <Panel
      title={title}
      close={close}
      actions={
        entry && (
          <>
            <CurlButton entry={entry} environment={details} />
            <PinButton entry={entry} />
            {entry.operation !== undefined && <FailNext environment={name} operation={entry.operation} />}
          </>
        )
      }
    >
      <Loading from={found}>
        {(value) => (
          <>
            <Comparison entry={value} />
            <EntryView entry={value} />
          </>
        )}
      </Loading>
    </Panel>
  );
};

/** Headers that curl sets itself. */
const OWN =
  /^(?:host|content-length|connection|accept-encoding|transfer-encoding|user-agent|origin|referer|sec-.*|accept-language|cookie)$/;

/** The text that the journal shows instead of a credential. */
const MASK = '***';

interface CurlButtonProps {
  readonly entry: Entry;
  readonly environment: Schemas['Environment'];
}

/** Copies the call as a curl command, with a note about the parts that the command lacks. */
const CurlButton = ({ entry: { request, status }, environment: { name, access_token } }: CurlButtonProps) => {
  const { method, headers, body: kept } = request;
  const body = kept === undefined || typeof kept === 'string' ? kept : JSON.stringify(kept);
  const hasToken = headers.authorization === `Bearer ${MASK}`;
  // After a 401, another token would change the answer.
  const token = status === 401 ? undefined : access_token;
  const sent = {
    ...Object.fromEntries(Object.entries(headers).filter(([header]) => !OWN.test(header))),
    ...(hasToken && { authorization: `Bearer ${token ?? 'TOKEN'}` }),
  };
  const url = new URL(request.url, location.origin).href;
  const command = toCurl({ method, url, headers: sent, ...(body !== undefined && { body }) });
  const notes = [
    hasToken &&
      token !== undefined &&
      `The journal does not keep tokens, so the command uses the access token of ${name}.`,
    hasToken && !token && 'Replace TOKEN with the token that was sent: the journal does not keep tokens.',
    /^\[\d+ bytes/.test(body ?? '') &&
      'Replace the brackets with the body that was sent: the journal keeps only JSON and forms.',
    request.body_cut && 'The end of the body is missing: the journal keeps 64 KiB.',
    command.includes(MASK) && `Replace ${MASK} with the values that are masked.`,
  ];
  return <CopyButton label="Copy as curl" text={command} note={notes.filter(Boolean).join(' ')} />;
};

const EntryView = ({ entry }: { readonly entry: Entry }) => {
  const { request, response, status, duration_ms, request_id, fault, grpc_method } = entry;
  const at = formatInstant(Date.parse(entry.real_time));
  const clock = formatInstant(Date.parse(entry.time));
  return (
    <>
      <p class="summary">
        <span class={`code c${Math.floor(status / 100)}`}>{status}</span> {request.method} {request.url}
        <small>
          {request_id} · {duration_ms.toFixed(1)} ms{fault !== undefined && ` · fault ${fault}`}
          {grpc_method !== undefined && ` · gRPC ${grpc_method}`}
        </small>
        <small>
          At {at}
          {clock !== at && `; the environment's clock showed ${clock}`}
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
      <Facts className="headers" of={Object.entries(message.headers)} />
    </details>
  </section>
);
