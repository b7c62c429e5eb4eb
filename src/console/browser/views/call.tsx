/**
 * One call in full: request, response and why it was refused, with buttons to copy the call, to compare it, or to make
 * the next call fail.
 */
import { call, type Schemas, send, within } from '../live/api.ts';
import { formatInstant } from '../live/clock.ts';
import { useEnvironment } from '../live/environment.tsx';
import { Loading, useLoaded } from '../live/loaded.tsx';
import { CopyButton } from '../parts/buttons.tsx';
import { Json } from '../parts/json.tsx';
import { Facts, Panel } from '../parts/layout.tsx';
import { toCurl } from '../parts/samples.tsx';
import { once } from '../reference/document.ts';
import { RuleLink } from '../reference/schema.tsx';
import { addressOf } from '../route.ts';
import { Code } from './call-table.tsx';
import { Comparison, PinButton } from './compare.tsx';
import { FailNext } from './fail-next.tsx';

type Entry = Schemas['Request'];

/** @param sequence the number of the call in the journal */
export const CallPanel = ({ sequence, close }: { readonly sequence: string; readonly close: () => void }) => {
  const { name, details } = useEnvironment();
  const path = within(name, `/requests/${encodeURIComponent(sequence)}`);
  const found = useLoaded(path, () => call<Entry>('GET', path));
  const entry = found.value;
  const { operation, request } = entry ?? {};
  const actions = entry && (
    <>
      <CurlButton entry={entry} environment={details} />
      <PinButton entry={entry} />
      {operation !== undefined && <FailNext environment={name} operation={operation} />}
    </>
  );
  const title = operation ?? (request ? `${request.method} ${request.url}` : `Call ${sequence}`);
  return (
    <Panel title={title} close={close} actions={actions}>
      <Loading from={found}>
        {(value) => (
          <>
            <Comparison entry={value} />
            <Summary entry={value} />
            {(value.status >= 400 || value.status === 0) && <Why entry={value} />}
            <MessageView title="Request" message={value.request} />
            <MessageView title="Response" message={value.response} />
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
    hasToken && token && `The journal does not keep tokens, so the command uses the access token of ${name}.`,
    hasToken && !token && 'Replace TOKEN with the token that was sent: the journal does not keep tokens.',
    /^\[\d+ bytes/.test(body ?? '') &&
      'Replace the brackets with the body that was sent: the journal keeps only JSON and forms.',
    request.body_cut && 'The end of the body is missing: the journal keeps 64 KiB.',
    command.includes(MASK) && `Replace ${MASK} with the values that are masked.`,
  ];
  return <CopyButton label="Copy as curl" text={command} note={notes.filter(Boolean).join(' ')} />;
};

const Summary = ({ entry }: { readonly entry: Entry }) => {
  const { request, status, duration_ms, request_id, fault, grpc_method } = entry;
  const at = formatInstant(Date.parse(entry.real_time));
  const clock = formatInstant(Date.parse(entry.time));
  return (
    <p class="summary">
      <Code status={status} /> {request.method} {request.url}
      <small>
        {request_id} · {duration_ms.toFixed(1)} ms{fault !== undefined && ` · fault ${fault}`}
        {grpc_method !== undefined && ` · gRPC ${grpc_method}`}
      </small>
      <small>
        At {at}
        {clock !== at && `; the environment's clock showed ${clock}`}
      </small>
    </p>
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

/** The rules by number. The build extracts them from the guide. */
const readRules = once<Readonly<Record<string, string>>>(async () =>
  (await send('GET', 'guide/rules.json')).json(),
);

/** Why a call was refused: its violations or the rule it broke, and where to see a call that works. */
const Why = ({ entry }: { readonly entry: Entry }) => {
  const { name } = useEnvironment();
  const { reason, rule, violations, fault, operation, status } = entry;
  const rules = useLoaded('', readRules);
  return (
    <section class="why card" aria-labelledby="why">
      <h3 id="why">Why {status === 0 ? 'it was broken off' : status}</h3>
      {fault !== undefined ? (
        <p>
          The fault <code>{fault}</code> decided this call.{' '}
          <a href={addressOf({ environment: name, view: 'faults' })}>Faults</a>
        </p>
      ) : (
        violations.length === 0 && <p>{reason}</p>
      )}
      {violations.length > 0 && (
        <ul class="violations" aria-label="Violated">
          {violations.map(({ field, constraint, description }) => (
            <li key={field + constraint}>
              <code>{field || 'body'}</code> <span class="tag bad">{constraint}</span> {description}
            </li>
          ))}
        </ul>
      )}
      {violations.length === 0 && rule !== undefined && (
        <p>
          <RuleLink rule={rule} /> {rules.value?.[rule]}
        </p>
      )}
      {operation !== undefined && (
        <p>
          <a href={`docs${addressOf({ environment: name, view: operation })}`} target="_blank" rel="noopener">
            {operation} with example values
          </a>
        </p>
      )}
    </section>
  );
};
