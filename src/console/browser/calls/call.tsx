/** One call in full: why it was refused, its request and response, and what calls of its operation have seen. */
import type { Entry } from '../live/api.ts';
import { formatInstant } from '../live/clock.ts';
import { Loading, useEnvironment, useLoaded } from '../live/live.tsx';
import type { CallSummary } from '../live/stream.ts';
import { Buttons, ICONS } from '../parts/buttons.tsx';
import { Code, Headers, Linked, MessageView, RuleLink } from '../parts/code.tsx';
import { Panel } from '../parts/layout.tsx';
import { arm, describeFault } from '../parts/moves.ts';
import { Seen } from '../reference/reference.tsx';
import { addressOf, go } from '../route.ts';
import { Editor, notesOf, toSample } from './editor.tsx';
import { FailNext } from './faults.tsx';
import { readCall } from './marked.tsx';

const close = (): void => go({ part: '' });

type Walk = (step: number) => void;

export const CallPanel = ({ sequence, walk }: { readonly sequence: string; readonly walk: Walk }) => {
  const found = useLoaded(sequence, () => readCall(Number(sequence)));
  const { operation, request, status } = found.value ?? {};
  const title = request ? (operation ?? `${request.method} ${request.url}`) : `Call ${sequence}`;
  const tools = [
    { label: 'Newer call', face: ICONS.up, choose: () => walk(-1) },
    { label: 'Older call', face: ICONS.down, choose: () => walk(1) },
  ];
  return (
    <Panel {...{ title, tools }} close={close} mark={status !== undefined && <Code status={status} />}>
      <Loading from={found}>{(entry) => <Details entry={entry} />}</Loading>
    </Panel>
  );
};

const Details = ({ entry }: { readonly entry: Entry }) => {
  const { operation, request, request_id, response, duration_ms, grpc_method } = entry;
  const sample = toSample(entry, useEnvironment().details);
  const real = formatInstant(Date.parse(entry.real_time));
  const clock = formatInstant(Date.parse(entry.time));
  const about = [
    real.slice(11),
    request_id,
    `${Math.round(duration_ms)} ms`,
    clock !== real && `clock ${clock}`,
  ];
  return (
    <>
      <section class={isRefused(entry) ? 'why bad' : 'why warn'} aria-label="Why">
        <Reasons of={entry} />
      </section>
      <section>
        <h3>
          Request{' '}
          <small>{[...about, grpc_method && `gRPC ${grpc_method}`].filter(Boolean).join(' · ')}</small>
        </h3>
        <Editor {...{ sample, note: notesOf(entry, sample) }} label={`Send ${operation ?? request.method}`} />
        <Headers title="Request" of={request.headers} />
      </section>
      <MessageView title="Response" message={response} />
      {operation !== undefined && (
        <section>
          <h3>This operation</h3>
          <Seen operation={operation} />
          <p class="cluster">
            <FailNext operation={operation} />
            <a href={addressOf({ view: 'reference', part: operation })}>A call that works</a>
          </p>
        </section>
      )}
    </>
  );
};

export const isRefused = ({ status }: Pick<CallSummary, 'status'>): boolean => status >= 400 || status === 0;

/** Why a call was refused, and what of it had no effect, in words (behaviour N1). */
export const Reasons = ({ of }: { readonly of: CallSummary | Entry }) => {
  const { fault, stub, rule, warnings, reason = 'The client left before the answer.' } = of;
  const armed = useEnvironment().faults.find(({ id }) => id === fault);
  const again = armed?.used_up ? [{ label: 'arm again', choose: () => arm(armed) }] : [];
  const violations = of.violations.map((each) => (typeof each === 'string' ? each : each.description));
  return (
    <>
      {fault !== undefined && (
        <p class="ignored">
          by your fault{armed && `: ${describeFault(armed)}`}
          {again.length > 0 && ' · '} <Buttons className="link" actions={again} />
        </p>
      )}
      {fault === undefined && isRefused(of) && (
        <p class="refused">
          <Linked text={violations.join('\n') || reason} /> {rule && <RuleLink rule={rule} />}
        </p>
      )}
      {warnings.map((text) => (
        <p class="ignored">ignored: {text}</p>
      ))}
      {stub !== undefined && <p>by the stub {stub}</p>}
    </>
  );
};
