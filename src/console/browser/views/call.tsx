/** One call in full: request, response, and the rules it broke; as a command to make it again, or to have the next one fail. */
import { call, type Schemas, within } from '../live/api.ts';
import { formatInstant } from '../live/clock.ts';
import { useAnswer, useEnvironment } from '../live/environment.tsx';
import { Loading } from '../live/loaded.tsx';
import { Buttons } from '../parts/actions.tsx';
import { Facts } from '../parts/cards.tsx';
import { CopyButton, saveFile } from '../parts/copy.tsx';
import { ICONS } from '../parts/icons.tsx';
import { Json } from '../parts/json.tsx';
import { act } from '../parts/notices.tsx';
import { Menu } from '../parts/popover.tsx';
import { toCurl } from '../parts/samples.tsx';
import { Panel } from '../parts/screen.tsx';
import { Why } from './why.tsx';

type Entry = Schemas['Request'];

/** @param sequence of the call in the journal */
export const CallPanel = ({ sequence, close }: { readonly sequence: string; readonly close: () => void }) => {
  const { name, details } = useEnvironment();
  const found = useAnswer<Entry>(`/requests/${encodeURIComponent(sequence)}`);
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
            <CurlButtons entry={entry} environment={details} />
            {entry.operation !== undefined && <FailNext environment={name} operation={entry.operation} />}
          </>
        )
      }
    >
      <Loading from={found}>{(value) => <EntryView entry={value} />}</Loading>
    </Panel>
  );
};

/** Headers that curl sets itself. */
const OWN =
  /^(?:host|content-length|connection|accept-encoding|transfer-encoding|user-agent|origin|referer|sec-.*|accept-language|cookie)$/;

/** What the journal shows in place of a credential. */
const MASK = '***';

/** Characters of a body that still fit on a command line that somebody reads. */
const LONGEST = 8_000;

/** The call as a command, and what it cannot have of the call as it was. */
const CurlButtons = ({
  entry: { request, status, operation = 'request' },
  environment: { name, access_token },
}: {
  readonly entry: Entry;
  readonly environment: Schemas['Environment'];
}) => {
  const { method, headers } = request;
  const { body: kept } = request;
  const body = kept === undefined || typeof kept === 'string' ? kept : JSON.stringify(kept);
  const file = body !== undefined && body.length > LONGEST ? `${operation}.json` : undefined;
  const hasToken = headers.authorization === `Bearer ${MASK}`;
  // After a 401 another token would give another answer.
  const token = status === 401 ? undefined : access_token;
  const sent = {
    ...Object.fromEntries(Object.entries(headers).filter(([header]) => !OWN.test(header))),
    ...(hasToken && { authorization: `Bearer ${token ?? 'TOKEN'}` }),
  };
  const url = new URL(request.url, location.origin).href;
  const command = toCurl({ method, url, headers: sent, ...(body !== undefined && { body }) }, file);
  const notes = [
    'Copied.',
    hasToken && token !== undefined && `The journal keeps no tokens: this one is that of ${name}.`,
    hasToken && !token && 'Put the token that was sent in the place of TOKEN: the journal keeps none.',
    file && `The body is read from ${file}, which "Save" gives you.`,
    request.body_cut && 'The end of the body is missing: the journal keeps 64 KiB.',
    `${command}${body}`.includes(MASK) && `Fill in what is masked as ${MASK}.`,
  ];
  return (
    <>
      <CopyButton label="Copy as curl" text={command} done={notes.filter(Boolean).join(' ')} />
      {file && body && (
        <Buttons
          className="small"
          actions={[{ label: `Save ${file}`, choose: () => saveFile(file, body) }]}
        />
      )}
    </>
  );
};

const WAYS = [
  ['500', 'Internal error', { status: 500 }],
  ['503, then as usual', 'As during a restart', { status: 503, retry_after: 1 }],
  ['429', 'Too many requests, Retry-After: 2', { status: 429, retry_after: 2 }],
  ['401', 'As if the token had ended', { status: 401 }],
  ['Break off', 'No answer at all', { abort: true }],
  ['Cut the body', 'The connection ends in the middle of it', { abort: 'body' }],
  ['Wait 10 s', 'Longer than many clients do', { delay_ms: 10_000 }],
] as const;

/** The next call of an operation fails once, in a way chosen from a menu. */
export const FailNext = ({
  environment,
  operation,
}: {
  readonly environment: string;
  readonly operation: string;
}) => {
  const fail = (label: string, rule: object): Promise<unknown> =>
    act(
      call('POST', within(environment, '/faults'), { operation, times: 1, ...rule }),
      `The next ${operation}: ${label}.`,
    );
  return (
    <Menu
      className="small"
      label={`Fail the next one: ${operation}`}
      items={WAYS.map(([label, hint, rule]) => ({ label, hint, choose: () => fail(label, rule) }))}
      face={<>Fail the next one {ICONS.caret}</>}
    />
  );
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
