/** Calls: every call as it arrives, newest on top, with its reason below it. The list stands still while it is pointed at. */
import { useEffect, useState } from 'preact/hooks';
import { answer, type Entry, here, type MockSchemas } from '../live/api.ts';
import { useEnvironment, useLive, useLoaded } from '../live/live.tsx';
import { useStore } from '../live/store.ts';
import { type CallSummary, calls } from '../live/stream.ts';
import { act, disarm, failuresOf, nameFault, nameOperation } from '../parts/acts.ts';
import { Button, Buttons, ICONS, Menu } from '../parts/buttons.tsx';
import { Code } from '../parts/code.tsx';
import { hasWords, reveal, Screen, SearchField } from '../parts/layout.tsx';
import { readApi } from '../reference/document.ts';
import { addressOf, filter, go, useRoute } from '../route.ts';
import { Connect } from '../setup.tsx';
import { CallPanel, Comparison, isRefused, Marked, marks, Reasons, toggleMark, unmark } from './call.tsx';

type Summaries = readonly CallSummary[];

const FILTERS: Readonly<Record<string, readonly [label: string, fits: (one: CallSummary) => boolean]>> = {
  '': ['All', () => true],
  refused: ['Refused', isRefused],
  ignored: ['Ignored parts', ({ warnings }) => warnings.length > 0],
  fault: ['By a fault', ({ fault }) => fault !== undefined],
};

export const Calls = () => {
  const { part } = useRoute();
  const live = useStore(calls);
  const marked = useStore(marks);
  useEffect(() => unmark, []);
  // Rows stay in place while the pointer is on them, so that a click hits the intended row: later calls wait.
  const [last, hold] = useState(Infinity);
  const newest = live[0]?.sequence ?? Infinity;
  const shown = live.filter(({ sequence }) => sequence <= last);
  const found = useFound(shown);
  const walk = (step: number): void => {
    const next = found[found.findIndex(({ sequence }) => String(sequence) === part) + step];
    if (next) go({ part: String(next.sequence) });
  };
  const later = live.length - shown.length;
  const more = later > 0 && <Button className="primary" label={`${later} new`} choose={() => hold(newest)} />;
  const panel = part === 'compare' ? <Comparison /> : part && <CallPanel key={part} walk={walk} />;
  return (
    <div class="calls-view">
      <NextCall />
      <Screen title="Calls" actions={<Tools live={live} />} panel={panel}>
        <div onPointerEnter={() => hold(newest)} onPointerLeave={() => hold(Infinity)}>
          <p class="arrived" children={more} />
          {live.length > 0 ? <List {...{ found, walk }} /> : <NoCalls />}
        </div>
        {marked.length > 0 && <Marked key={marked.join()} marked={marked} />}
      </Screen>
    </div>
  );
};

const NoCalls = () => <Connect title="No calls yet: connect your application" />;

/** The strip above the calls: what the next call gets, and which faults are armed. */
const NextCall = () => {
  const [operation, choose] = useState('*');
  const operations = useLoaded('', readApi).value?.operations ?? [];
  const armed = useEnvironment().faults.filter(({ used_up }) => !used_up);
  return (
    <section class="next-call" aria-label="Next call">
      <b>Next call to</b>
      <select
        class="small"
        aria-label="Operation of the next call"
        value={operation}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      >
        {['*', ...operations.map(({ operationId }) => operationId)].map((each) => (
          <option key={each} value={each} children={nameOperation(each)} />
        ))}
      </select>
      <span>gets</span>
      <Buttons className="small" actions={failuresOf(operation)} />
      <a href={addressOf({ view: 'reference', part: 'addFault', params: { of: 'control' } })}>more…</a>
      {armed.length > 0 && 'armed:'}
      <Buttons className="tag bad" actions={armed.map(toRemoval)} />
    </section>
  );
};

const toRemoval = (fault: MockSchemas['Fault']) => ({
  label: `Remove the fault ${nameFault(fault)}`,
  hint: JSON.stringify(fault),
  face: [nameFault(fault), ' ', ICONS.close],
  choose: () => disarm(fault),
});

const Tools = ({ live }: { readonly live: Summaries }) => {
  const { only: chosen = '', operation = '', query } = useRoute().params;
  const chips = Object.entries(FILTERS).map(([only, [label, fits]]) => ({
    label: `${label} ${live.filter(fits).length}`,
    isOn: only === chosen,
    choose: () => filter({ only }),
  }));
  const items = ['', ...new Set(live.flatMap((one) => one.operation ?? []))].sort().map((each) => ({
    label: each || 'Any operation',
    choose: () => filter({ operation: each }),
  }));
  const face = [operation || 'Operation', ' ', ICONS.caret];
  const className = operation === '' ? 'chip' : 'chip chosen';
  const clear = () => act('Clear the calls', () => here.DELETE('/requests'));
  return (
    <>
      <div class="cluster">
        <Buttons className="chip" actions={chips} />
        <Menu label={`Operation: ${operation || 'any'}`} {...{ className, items, face }} />
      </div>
      <SearchField label="Search calls" text={query} find={(text) => filter({ query: text })} />
      <Button className="small" label="Clear" choose={clear} />
    </>
  );
};

/** The calls that the chips and the search leave. The server searches bodies, because this page does not have them. */
const useFound = (shown: Summaries): Summaries => {
  const { query = '', only = '', operation = '' } = useRoute().params;
  const params = { query: { text: query, limit: 1_000 } };
  const read = async () =>
    // The cast is safe: only `format=har` has another form.
    query === '' ? [] : ((await answer(here.GET('/requests', { params }))) as { requests: Entry[] }).requests;
  const { value } = useLive(query, read, 'request');
  const withText = new Set(value?.map(({ sequence }) => sequence));
  const fits = FILTERS[only]?.[1] ?? (() => true);
  return shown.filter(
    (one) =>
      fits(one) &&
      (operation === '' || one.operation === operation) &&
      (withText.has(one.sequence) || hasWords(textOf(one), query)),
  );
};

/** What the list shows of a call. */
const textOf = ({ method, url, status, operation, telling, fault }: CallSummary): string =>
  [method, url, status || 'cut', operation, ...telling, fault && 'fault'].join(' ');

const DRAWN_AT_FIRST = 60;

const List = ({ found, walk }: Readonly<{ found: Summaries; walk: (step: number) => void }>) => {
  const { part } = useRoute();
  const [drawn, draw] = useState(DRAWN_AT_FIRST);
  const rest = found.length - drawn;
  const label = `Show more (${rest} older calls)`;
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || (event.target as Element).closest('input')) return;
    event.preventDefault();
    walk(step);
  };
  if (found.length === 0) return <p class="empty">No calls match.</p>;
  return (
    <>
      <ol class="calls" aria-label="Calls, newest first" onKeyDown={onKeyDown}>
        {found.slice(0, drawn).map((one) => (
          <CallRow key={one.sequence} one={one} isChosen={String(one.sequence) === part} />
        ))}
      </ol>
      {rest > 0 && <Button className="more" label={label} choose={() => draw(drawn + 200)} />}
    </>
  );
};

const CallRow = ({ one, isChosen }: Readonly<{ one: CallSummary; isChosen: boolean }>) => {
  const { sequence, status, method, url, operation, telling, grpc_method } = one;
  const own = isChosen ? { 'aria-current': 'true' as const, ref: reveal } : {};
  const choose = () => go({ part: String(sequence) });
  return (
    <li class={isChosen ? 'chosen' : undefined}>
      <Mark of={sequence} />
      <button {...own} type="button" class="call" title={`${method} ${url}`} onClick={choose}>
        <span class="time digits" title={`The environment's clock showed ${one.time}.`}>
          {one.real_time.slice(11, 19)}
        </span>
        <Code status={status} />
        <span class="what">
          <b class={operation ? undefined : 'raw'}>{operation ?? `${method} ${url}`}</b>{' '}
          <span class="telling">{operation && telling.join(' · ')}</span>
          {grpc_method !== undefined && <span class="tag">gRPC</span>}
        </span>
        <span class="ms digits">{Math.round(one.duration_ms)} ms</span>
      </button>
      <div class="reasons" children={<Reasons of={one} />} />
    </li>
  );
};

const Mark = ({ of }: { readonly of: number }) => (
  <label class="mark">
    <input
      type="checkbox"
      aria-label={`Mark call ${of}`}
      checked={useStore(marks).includes(of)}
      onChange={() => toggleMark(of)}
    />
  </label>
);
