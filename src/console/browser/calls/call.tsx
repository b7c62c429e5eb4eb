/** One call in full: why it was refused, its request and response, and what calls of its operation have seen. */
import { useState } from 'preact/hooks';
import { answer, type Entry, here, type MockSchemas } from '../live/api.ts';
import { formatInstant } from '../live/clock.ts';
import { useEnvironment } from '../live/environment.tsx';
import { Loading, useLive, useLoaded } from '../live/loaded.tsx';
import { Buttons, CopyButton, ICONS } from '../parts/buttons.tsx';
import { Code, Json, MessageView, toCurl } from '../parts/code.tsx';
import { Panel } from '../parts/layout.tsx';
import { Linked, RuleLink } from '../parts/links.tsx';
import { arm, describeFault } from '../parts/moves.ts';
import { addressOf } from '../route.ts';
import { Editor, notesOf, toSample } from './editor.tsx';
import { FailNext } from './faults.tsx';
import { readCall } from './marked.tsx';

interface CallPanelProps {
  readonly sequence: string;
  readonly close: () => void;
  readonly walk: (step: number) => void;
}

export const CallPanel = ({ sequence, close, walk }: CallPanelProps) => {
  const found = useLoaded(sequence, () => readCall(Number(sequence)));
  const entry = found.value;
  const step = (label: string, icon: 'up' | 'down', by: number) => (
    <button type="button" class="bare small" aria-label={label} onClick={() => walk(by)}>
      {ICONS[icon]}
    </button>
  );
  return (
    <Panel
      title={entry ? (entry.operation ?? `${entry.request.method} ${entry.request.url}`) : `Call ${sequence}`}
      close={close}
      tools={[step('Newer call', 'up', -1), step('Older call', 'down', 1)]}
      mark={entry && <Code status={entry.status} />}
    >
      <Loading from={found}>{(value) => <Details entry={value} />}</Loading>
    </Panel>
  );
};

const Details = ({ entry }: { readonly entry: Entry }) => {
  const { details } = useEnvironment();
  const [isEdited, setEdited] = useState(false);
  const { operation, request, response } = entry;
  const sample = toSample(entry, details);
  const note = notesOf(entry, sample);
  const edit = { label: 'Edit and send', isOn: isEdited, choose: () => setEdited(!isEdited) };
  return (
    <>
      <Why entry={entry} />
      <div class="actions">
        <Buttons className="small" actions={[edit]} />
        <CopyButton label="Copy as curl" text={toCurl(sample)} note={note} />
        {operation !== undefined && <FailNext operation={operation} />}
      </div>
      {isEdited && <Editor sample={sample} note={note} label={`Send ${operation ?? request.method}`} />}
      <Request entry={entry} />
      <MessageView title="Response" message={response} />
      {operation !== undefined && <ThisOperation operation={operation} />}
    </>
  );
};

const Request = ({ entry }: { readonly entry: Entry }) => {
  const { request, request_id, duration_ms, grpc_method } = entry;
  const real = formatInstant(Date.parse(entry.real_time));
  const clock = formatInstant(Date.parse(entry.time));
  const [path = '', query] = request.url.split(/\?(.*)/s);
  const parameters = query?.split('&').map((part, place) => `\n    ${place === 0 ? '?' : '&'}${part}`) ?? [];
  const { authorization } = request.headers;
  const lines = [
    `${request.method} ${path}${parameters.join('')}`,
    authorization && `authorization: ${authorization}`,
  ];
  return (
    <section>
      <h3>
        Request{' '}
        <small>
          {real.slice(11)} · {request_id} · {Math.round(duration_ms)} ms
          {clock !== real && ` · clock ${clock}`}
          {grpc_method !== undefined && ` · gRPC ${grpc_method}`}
        </small>
      </h3>
      <Json value={lines.filter(Boolean).join('\n')} label="Request line" />
      <MessageView title="Request" message={request} isTitled={false} />
    </section>
  );
};

/** Why a call was refused, what to do, and what of it had no effect (behaviour N1). */
const Why = ({ entry }: { readonly entry: Entry }) => {
  const { status, reason, rule, violations, warnings, fault, stub, operation } = entry;
  const { faults } = useEnvironment();
  const armed = faults.find(({ id }) => id === fault);
  const isRefused = status >= 400 || status === 0;
  if (!isRefused && warnings.length === 0 && stub === undefined && fault === undefined) return null;
  return (
    <section class={isRefused ? 'why bad' : 'why warn'} aria-label="Why">
      {fault !== undefined && (
        <p>
          <b>Your fault did this{armed && `: ${describeFault(armed)}`}.</b>{' '}
          {armed && <Buttons className="link" actions={[{ label: 'Arm again', choose: () => arm(armed) }]} />}
        </p>
      )}
      {fault === undefined && isRefused && violations.length === 0 && (
        <p>
          <b>
            <Linked text={reason ?? 'The client left before the answer.'} />
          </b>
        </p>
      )}
      {violations.length > 0 && (
        <ul aria-label="Violations">
          {violations.map(({ field, constraint, description }) => (
            <li key={field + constraint}>
              <b>{description}</b>
            </li>
          ))}
        </ul>
      )}
      {warnings.map((text) => (
        <p key={text}>Ignored: {text}</p>
      ))}
      {stub !== undefined && <p>The stub {stub} answered.</p>}
      <p class="cluster">
        {isRefused && rule !== undefined && fault === undefined && (
          <span>
            Rule <RuleLink rule={rule} />
          </span>
        )}
        {isRefused && operation !== undefined && (
          <a href={addressOf({ view: 'reference', part: operation })}>A call that works</a>
        )}
      </p>
    </section>
  );
};

export const useCoverage = () => {
  const query = { format: 'json' } as const;
  // The cast is safe: without `min` the answer is JSON.
  const read = () => answer(here.GET('/coverage', { params: { query } })) as Promise<MockSchemas['Coverage']>;
  return useLive('', read, 'request').value;
};

/** What calls of an operation have seen so far, and what no call has tested. */
export const ThisOperation = ({ operation }: { readonly operation: string }) => {
  const report = useCoverage()?.by_operation.find((one) => one.operation === operation);
  if (!report) return null;
  const { calls, statuses } = report;
  return (
    <section>
      <h3>This operation</h3>
      <p class="cluster">
        <span>{calls === 1 ? '1 call' : `${calls} calls`} ·</span>
        {Object.entries(statuses.seen).map(([status, count]) => (
          <span key={status}>
            <Code status={Number(status)} /> {count}
          </span>
        ))}
        {statuses.missing.length > 0 && <span>· never tested: {statuses.missing.join(', ')}</span>}
        <a href={addressOf({ view: 'reference', part: operation })}>Coverage</a>
      </p>
    </section>
  );
};
