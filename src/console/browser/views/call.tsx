/** One call in full: request, response, and why it was refused. */
import { LEFT_OUT, MASK } from '../copy-values.ts';
import { call, type MockSchemas } from '../live/api.ts';
import { formatInstant } from '../live/clock.ts';
import { useEnvironment } from '../live/environment.tsx';
import { Loading, useLoaded } from '../live/loaded.tsx';
import { Buttons, CopyButton, calling } from '../parts/buttons.tsx';
import { MessageView, type SampleCall, toCurl } from '../parts/code.tsx';
import { Panel } from '../parts/layout.tsx';
import { tell } from '../parts/notices.ts';
import { RuleLink } from '../reference/schema.tsx';
import { addressOf, place, within } from '../route.ts';
import { FailNext } from './faults.tsx';
import { Code } from './table.tsx';

type Entry = MockSchemas['Request'];

export const CallPanel = ({ sequence, close }: { readonly sequence: string; readonly close: () => void }) => {
  const path = within(`/requests/${encodeURIComponent(sequence)}`);
  const found = useLoaded(path, () => call<Entry>('GET', path));
  const entry = found.value;
  const { operation, request } = entry ?? {};
  const actions = entry && (
    <>
      <CurlButton entry={entry} />
      <SendAgain entry={entry} />
      {operation !== undefined && <FailNext operation={operation} />}
    </>
  );
  const title = operation ?? (request ? `${request.method} ${request.url}` : `Call ${sequence}`);
  return (
    <Panel title={title} close={close} actions={actions}>
      <Loading from={found}>
        {(value) => (
          <>
            <Summary entry={value} />
            {(value.status >= 400 || value.status === 0) && <Why entry={value} />}
            {value.warnings.length > 0 && <Ignored warnings={value.warnings} />}
            <MessageView title="Request" message={value.request} />
            <MessageView title="Response" message={value.response} />
          </>
        )}
      </Loading>
    </Panel>
  );
};

const hasToken = ({ request }: Entry): boolean => request.headers.authorization === `Bearer ${MASK}`;

/** A recorded call as it can be made again. @param token stands in for the token, which the journal does not keep */
const toSample = (entry: Entry, token: string): SampleCall => {
  const { method, url, headers, body } = entry.request;
  const environment = { 'x-mock-environment': place.get().environment };
  const own = hasToken(entry) ? { authorization: `Bearer ${token}` } : environment;
  const sent = Object.entries(headers).filter(([name]) => !LEFT_OUT.test(name));
  return {
    method,
    // With the origin in front, a path such as `//other.test/x` stays on this server.
    url: `${location.origin}${url}`,
    headers: { ...Object.fromEntries(sent), ...own },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  };
};

/** Copies the call as a curl command, with a note about the parts that the command lacks. */
const CurlButton = ({ entry }: { readonly entry: Entry }) => {
  const { name, access_token } = useEnvironment().details;
  // The command for a call that got a 401 contains no valid token, because a valid token would change the answer.
  const token = entry.status === 401 ? undefined : access_token;
  const sample = toSample(entry, token ?? 'TOKEN');
  const command = toCurl(sample);
  const notes = [
    hasToken(entry) &&
      token &&
      `The journal does not keep tokens, so the command uses the access token of ${name}.`,
    hasToken(entry) &&
      !token &&
      'Replace TOKEN with the token that was sent: the journal does not keep tokens.',
    /^\[\d+ bytes/.test(sample.body ?? '') &&
      'Replace the text in brackets with the original body: the journal keeps only JSON and forms.',
    entry.request.body_cut && 'The end of the body is missing: the journal keeps only the first 64 KiB.',
    command.includes(MASK) && `Replace ${MASK} with the original values.`,
  ];
  return <CopyButton label="Copy as curl" text={command} note={notes.filter(Boolean).join(' ')} />;
};

/** Makes a recorded call once more, with the environment's access token. */
const SendAgain = ({ entry }: { readonly entry: Entry }) => {
  const { access_token = 'TOKEN' } = useEnvironment().details;
  const send = async (): Promise<void> => {
    const { url, body = null, ...init } = toSample(entry, access_token);
    const hasBody = init.method !== 'GET' && init.method !== 'HEAD'; // fetch refuses bodies of these
    const response = await fetch(url, { ...init, redirect: 'manual', body: hasBody ? body : null });
    tell(response.type === 'opaqueredirect' ? 'Sent again.' : `Sent again: ${response.status}.`);
  };
  return <Buttons className="small" actions={[calling('Send again', send)]} />;
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

/** Which parts of a call had no effect (behaviour N1). */
const Ignored = ({ warnings }: Pick<Entry, 'warnings'>) => (
  <section class="why card" aria-labelledby="ignored">
    <h3 id="ignored">Ignored</h3>
    <ul class="violations">
      {warnings.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  </section>
);

/** Why a call was refused: its violations or the rule it broke, and where to see a call that works. */
const Why = ({ entry }: { readonly entry: Entry }) => {
  const { reason, rule, violations, fault, operation, status } = entry;
  return (
    <section class="why card" aria-labelledby="why">
      <h3 id="why">Why {status === 0 ? 'the connection was cut' : status}</h3>
      {fault !== undefined && (
        <p>
          The fault <code>{fault}</code> caused this. <a href={addressOf({ view: 'faults' })}>View faults</a>
        </p>
      )}
      {fault === undefined && violations.length === 0 && <p>{reason}</p>}
      {violations.length > 0 && (
        <ul class="violations" aria-label="Violations">
          {violations.map(({ field, constraint, description }) => (
            <li key={field + constraint}>
              <code>{field || 'body'}</code> <span class="tag bad">{constraint}</span> {description}
            </li>
          ))}
        </ul>
      )}
      {violations.length === 0 && rule !== undefined && (
        <p>
          Rule <RuleLink rule={rule} /> of the guide says when calls are refused like this.
        </p>
      )}
      {operation !== undefined && (
        <p>
          <a href={`docs${addressOf({ view: operation })}`} target="_blank" rel="noopener">
            Try {operation} with example values
          </a>
        </p>
      )}
    </section>
  );
};
