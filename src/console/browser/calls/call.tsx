/** One call in full: why it was refused, its request and response, and what its operation has seen; and the marked calls. */
import { answer, BASE, type Entry, here, isObject } from '../live/api.ts';
import { formatInstant } from '../live/clock.ts';
import { Loading, useEnvironment, useLive, useLoaded } from '../live/live.tsx';
import { createStore, useStore } from '../live/store.ts';
import type { CallSummary } from '../live/stream.ts';
import { act, arm, describeFault } from '../parts/acts.ts';
import { Button, Buttons, CopyButton, ICONS } from '../parts/buttons.tsx';
import { Code, Headers, Linked, MessageView, RuleLink } from '../parts/code.tsx';
import { Facts, Panel, toWords } from '../parts/layout.tsx';
import { Seen } from '../reference/reference.tsx';
import { addressOf, go, useRoute } from '../route.ts';
import { Editor, FailNext, notesOf, readCall, send, toSample } from './editor.tsx';

/** @param walk opens the call that is so many rows further down */
export const CallPanel = ({ walk }: { readonly walk: (step: number) => void }) => {
  const { part: sequence } = useRoute();
  const found = useLoaded('', () => readCall(Number(sequence)));
  const { operation, request, status } = found.value ?? {};
  const title = request ? (operation ?? `${request.method} ${request.url}`) : `Call ${sequence}`;
  const tools = [
    { label: 'Newer call', face: ICONS.up, choose: () => walk(-1) },
    { label: 'Older call', face: ICONS.down, choose: () => walk(1) },
  ];
  const mark = status !== undefined && <Code status={status} />;
  return (
    <Panel {...{ title, tools, mark }} close={() => go({ part: '' })}>
      <Loading from={found}>{(entry) => <Details entry={entry} />}</Loading>
    </Panel>
  );
};

const Details = ({ entry }: { readonly entry: Entry }) => {
  const { operation, request, response } = entry;
  const sample = toSample(entry, useEnvironment().details);
  return (
    <>
      <section class={isRefused(entry) ? 'why bad' : 'why warn'} aria-label="Why">
        <Reasons of={entry} />
      </section>
      <section>
        <h3>
          Request <small>{aboutOf(entry)}</small>
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

const aboutOf = ({ real_time, time, request_id, duration_ms, grpc_method }: Entry): string => {
  const [real = '', clock] = [real_time, time].map((each) => formatInstant(Date.parse(each)));
  const about = [real.slice(11), request_id, `${Math.round(duration_ms)} ms`];
  if (clock !== real) about.push(`clock ${clock}`);
  if (grpc_method !== undefined) about.push(`gRPC ${grpc_method}`);
  return about.join(' · ');
};

export const isRefused = ({ status }: Pick<CallSummary, 'status'>): boolean => status >= 400 || status === 0;

/** Why a call was refused, and what of it had no effect, in words (behaviour N1). */
export const Reasons = ({ of }: { readonly of: CallSummary | Entry }) => {
  const { fault, stub, rule, warnings, reason = 'The client left before the answer.' } = of;
  const armed = useEnvironment().faults.find(({ id }) => id === fault);
  const violations = of.violations.map(({ description }) => description);
  // A fault that only delays a call leaves the answer to the API.
  const isOfApi = fault === undefined || rule !== undefined;
  return [
    fault !== undefined && (
      <p class="ignored">
        by your fault{armed && `: ${describeFault(armed)}`}
        {armed?.used_up && [' · ', <Button className="link" label="arm again" choose={() => arm(armed)} />]}
      </p>
    ),
    isRefused(of) && isOfApi && (
      <p class="refused">
        <Linked text={violations.join('\n') || reason} /> {rule && <RuleLink rule={rule} />}
      </p>
    ),
    ...warnings.map((text) => <p class="ignored">ignored: {text}</p>),
    stub !== undefined && <p>by the stub {stub}</p>,
  ];
};

/** The numbers of the marked calls, in order. */
export const marks = createStore<readonly number[]>([]);

export const toggleMark = (sequence: number): void => {
  const others = marks.get().filter((each) => each !== sequence);
  const isNew = others.length === marks.get().length;
  marks.set(isNew ? [...others, sequence].sort((one, other) => one - other) : others);
};

export const unmark = (): void => marks.set([]);

export const Marked = ({ marked }: { readonly marked: readonly number[] }) => {
  const { details } = useEnvironment();
  // Read before the click, because browsers write to the clipboard only at once after one.
  const read = () => answer(here.POST('/tests', { body: { sequences: [...marked] } }));
  const tests = useLive('', read, 'change').value;
  const sendAll = async (): Promise<string> => {
    const statuses: number[] = [];
    for (const sequence of marked)
      statuses.push((await send(toSample(await readCall(sequence), details))).status);
    return `Sent again: ${statuses.join(', ')}.`;
  };
  const actions = [
    { label: 'Compare', choose: () => go({ part: 'compare' }) },
    { label: 'Send again', choose: () => act(`Send ${marked.length} calls again`, sendAll, String) },
    { label: 'Unmark', choose: unmark },
  ];
  return (
    <section class="marked" aria-label="Marked calls">
      <b>{marked.length} marked</b>
      {Object.entries(tests ?? {}).map(([runner, text]) => (
        <CopyButton key={runner} label={`Copy as test · ${toWords(runner)}`} text={text} />
      ))}
      <Buttons className="small" actions={marked.length === 2 ? actions : actions.slice(1)} />
    </section>
  );
};

/** How the first two marked calls differ, member by member. */
export const Comparison = () => {
  const marked = useStore(marks).slice(0, 2);
  const found = useLoaded(marked.join(), () => Promise.all(marked.map(readCall)));
  const title = marked.length < 2 ? 'Mark two calls' : `Calls ${marked.join(' and ')}`;
  return (
    <Panel title={title} close={() => go({ part: '' })}>
      <Loading from={found}>
        {(calls) => calls.length === 2 && <Facts className="differences" of={differencesOf(calls)} />}
      </Loading>
    </Panel>
  );
};

/** Matches headers that comparisons ignore, because they differ between any two calls. */
const VARYING = /headers\.(?:date|x-request-id|content-length|keep-alive|connection)$/;

const differencesOf = (calls: readonly Entry[]) => {
  const [old = {}, now = old] = calls.map(leavesOf);
  const names = Object.keys({ ...old, ...now }).filter((name) => !VARYING.test(name));
  const differing = names.filter((name) => old[name] !== now[name]);
  if (differing.length === 0) return [['No differences.', ' '] as const];
  return differing.map(
    (name) => [name, [<del>{old[name] ?? '–'}</del>, ' ', <ins>{now[name] ?? '–'}</ins>]] as const,
  );
};

/** The values of a call by the paths of their members. */
const leavesOf = ({ status, request: { method, url, ...request }, response }: Entry) => {
  const { pathname: path, searchParams } = new URL(url, BASE);
  const query = Object.fromEntries(searchParams);
  return Object.fromEntries(flatten({ status, method, path, query, request, response }));
};

const flatten = (value: unknown, path = ''): (readonly [string, string])[] => {
  if (isObject(value) && Object.keys(value).length > 0)
    return Object.entries(value).flatMap(([name, part]) => flatten(part, path ? `${path}.${name}` : name));
  return value === undefined ? [] : [[path, typeof value === 'string' ? value : JSON.stringify(value)]];
};
