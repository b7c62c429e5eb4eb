/** One call in full: why it was refused, its request and response, and what calls of its operation have seen. */
import type { Entry } from '../live/api.ts';
import { formatInstant } from '../live/clock.ts';
import { useEnvironment } from '../live/environment.tsx';
import { Loading, useLoaded } from '../live/loaded.tsx';
import type { CallSummary } from '../live/stream.ts';
import { Buttons, CopyButton, ICONS } from '../parts/buttons.tsx';
import { Code, Json, MessageView, toCurl } from '../parts/code.tsx';
import { Panel } from '../parts/layout.tsx';
import { Linked, RuleLink } from '../parts/links.tsx';
import { arm, describeFault } from '../parts/moves.ts';
import { addressOf } from '../route.ts';
import { Seen } from './coverage.tsx';
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
  const { operation, request, status } = found.value ?? {};
  const title = request ? (operation ?? `${request.method} ${request.url}`) : `Call ${sequence}`;
  const tools = [
    { label: 'Newer call', face: ICONS.up, choose: () => walk(-1) },
    { label: 'Older call', face: ICONS.down, choose: () => walk(1) },
  ];
  return (
    <Panel {...{ title, close, tools }} mark={status !== undefined && <Code status={status} />}>
      <Loading from={found}>{(entry) => <Details entry={entry} />}</Loading>
    </Panel>
  );
};

const Details = ({ entry }: { readonly entry: Entry }) => {
  const { operation, request, response } = entry;
  const sample = toSample(entry, useEnvironment().details);
  const note = notesOf(entry, sample);
  return (
    <>
      <Why entry={entry} />
      <div class="actions">
        <CopyButton label="Copy as curl" text={toCurl(sample)} note={note} />
        {operation !== undefined && <FailNext operation={operation} />}
      </div>
      <details>
        <summary>Edit and send</summary>
        <Editor sample={sample} note={note} label={`Send ${operation ?? request.method}`} />
      </details>
      <Request entry={entry} />
      <MessageView title="Response" message={response} />
      {operation !== undefined && <Seen operation={operation} />}
    </>
  );
};

const Request = ({ entry }: { readonly entry: Entry }) => {
  const { request, request_id, duration_ms, grpc_method } = entry;
  const [real = '', clock = ''] = [entry.real_time, entry.time].map((time) =>
    formatInstant(Date.parse(time)),
  );
  const about = [
    ...[real.slice(11), request_id, `${Math.round(duration_ms)} ms`],
    ...(clock === real ? [] : [`clock ${clock}`]),
    ...(grpc_method === undefined ? [] : [`gRPC ${grpc_method}`]),
  ].join(' · ');
  const { authorization } = request.headers;
  const line = `${request.method} ${request.url.replaceAll(/[?&](?=.)/g, '\n    $&')}`;
  return (
    <MessageView title="Request" about={about} message={request}>
      <Json value={line + (authorization ? `\nauthorization: ${authorization}` : '')} label="Request line" />
    </MessageView>
  );
};

export const isRefused = ({ status }: Pick<CallSummary, 'status'>): boolean => status >= 400 || status === 0;

interface ReasonsProps {
  readonly of: CallSummary | Entry;
  /** How many violations to show. */
  readonly most?: number;
}

/** Why a call was refused, and what of it had no effect, in words (behaviour N1). */
export const Reasons = ({ of, most = Infinity }: ReasonsProps) => {
  const { fault, stub, warnings, reason = 'The client left before the answer.' } = of;
  const rule = useEnvironment().faults.find(({ id }) => id === fault);
  const again = { label: 'arm again', choose: () => rule && arm(rule) };
  const violations = of.violations.map((each) => (typeof each === 'string' ? each : each.description));
  const told = violations.length > 0 ? violations : [reason];
  return (
    <>
      {fault !== undefined && (
        <p class="ignored">
          by your fault{rule && `: ${describeFault(rule)}`}
          {rule?.used_up && [' · ', <Buttons key="again" className="link" actions={[again]} />]}
        </p>
      )}
      {fault === undefined &&
        isRefused(of) &&
        told.slice(0, most).map((text) => (
          <p key={text} class="refused">
            <Linked text={text} />
          </p>
        ))}
      {told.length > most && <p>And {told.length - most} more.</p>}
      {warnings.map((text) => (
        <p key={text} class="ignored">
          ignored: {text}
        </p>
      ))}
      {stub !== undefined && <p>by the stub {stub}</p>}
    </>
  );
};

/** Beside the reasons: the rule, and the way out. */
const Why = ({ entry }: { readonly entry: Entry }) => {
  const { rule, warnings, fault, stub, operation } = entry;
  const refused = isRefused(entry);
  if (!refused && warnings.length === 0 && stub === undefined && fault === undefined) return null;
  return (
    <section class={refused ? 'why bad' : 'why warn'} aria-label="Why">
      <Reasons of={entry} />
      {refused && (
        <p class="cluster">
          {rule !== undefined && fault === undefined && (
            <span>
              Rule <RuleLink rule={rule} />
            </span>
          )}
          {operation && <a href={addressOf({ view: 'reference', part: operation })}>A call that works</a>}
        </p>
      )}
    </section>
  );
};
