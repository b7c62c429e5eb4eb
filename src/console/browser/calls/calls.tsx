/** Calls: every call as it arrives, newest on top, with its reason below it. The list stands still while it is pointed at. */
import { useEffect, useState } from 'preact/hooks';
import { answer, type Entry, here } from '../live/api.ts';
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
import { CallPanel, Comparison, isRefused, Marked, mark, marks, Reasons, unmark } from './call.tsx';

type Summaries = readonly CallSummary[];

const FILTERS: Readonly<Record<string, readonly [label: string, fits: (one: CallSummary) => boolean]>> = {
  '': ['All', () => true],
  refused: ['Refused', isRefused],
  ignored: ['Ignored parts', ({ warnings }) => warnings.length > 0],
  fault: ['By a fault', ({ fault }) => fault !== undefined],
};

export const Calls = () => {
  const { part, params } = useRoute();
  const live = useStore(calls);
  const marked = useStore(marks);
  useEffect(() => unmark, []);
  // Rows stay in place while the pointer is on them, so that a click hits the intended row.
  const [held, hold] = useState<Summaries>([]);
  const shown = live.length > 0 && held.length > 0 ? held : live;
  const found = useFound(shown);
  const walk = (step: number): void => {
    const at = found.findIndex(({ sequence }) => String(sequence) === part);
    const next = found[at < 0 ? 0 : at + step];
    if (next) go({ part: String(next.sequence) });
  };
  const arrived = (live[0]?.sequence ?? 0) - (shown[0]?.sequence ?? 0);
  const clear = () => act('Clear the calls', () => here.DELETE('/requests'));
  const actions = [
    <Filters live={live} />,
    <SearchField label="Search calls" text={params.query} find={(query) => filter({ query })} />,
    <Button className="small" label="Clear" choose={clear} />,
  ];
  const panel =
    part === 'compare' ? <Comparison /> : part !== '' && <CallPanel key={part} sequence={part} walk={walk} />;
  return (
    <div class="calls-view">
      <NextCall />
      <Screen title="Calls" {...{ actions, panel }}>
        <div onPointerEnter={() => hold(live)} onPointerLeave={() => hold([])}>
          <p class="arrived">
            {arrived > 0 && <Button className="primary" label={`${arrived} new`} choose={() => hold(live)} />}
          </p>
          {live.length === 0 && <Connect title="No calls yet: connect your application" />}
          {live.length > 0 && <List {...{ found, part, walk }} />}
        </div>
        {marked.length > 0 && <Marked key={marked.join()} marked={marked} />}
      </Screen>
    </div>
  );
};

/** The strip above the calls: what the next call gets, and which faults are armed. */
const NextCall = () => {
  const [operation, choose] = useState('*');
  const operations = useLoaded('', readApi).value?.operations ?? [];
  const armed = useEnvironment().faults.filter(({ used_up }) => !used_up);
  const removals = armed.map((fault) => ({
    label: `Remove the fault ${nameFault(fault)}`,
    hint: JSON.stringify(fault),
    face: [nameFault(fault), ' ', ICONS.close],
    choose: () => disarm(fault),
  }));
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
      <Buttons className="tag bad" actions={removals} />
    </section>
  );
};

const Filters = ({ live }: { readonly live: Summaries }) => {
  const { only: chosen = '', operation = '' } = useRoute().params;
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
  return (
    <div class="cluster">
      <Buttons className="chip" actions={chips} />
      <Menu label={`Operation: ${operation || 'any'}`} {...{ className, items, face }} />
    </div>
  );
};

/** The calls that the chips and the search leave. The server searches bodies, because this page does not have them. */
const useFound = (shown: Summaries): Summaries => {
  const { query = '', only = '', operation = '' } = useRoute().params;
  const params = { query: { text: query, limit: 1_000 } };
  const read = async () =>
    // The cast is safe: only `format=har` has another form.
    query === '' ? [] : ((await answer(here.GET('/requests', { params }))) as { requests: Entry[] }).requests;
  const { value } = useLive(`text ${query}`, read, ...(query === '' ? [] : ['request']));
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

/** How many rows are drawn at first. */
const DRAWN = 60;

type ListProps = Readonly<{ found: Summaries; part: string; walk: (step: number) => void }>;

const List = ({ found, part, walk }: ListProps) => {
  const [drawn, draw] = useState(DRAWN);
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
  const checked = useStore(marks).includes(sequence);
  const label = `Mark call ${sequence}`;
  const state = isChosen ? { 'aria-current': 'true' as const, ref: reveal } : {};
  return (
    <li class={isChosen ? 'chosen' : undefined}>
      <label class="mark">
        <input {...{ type: 'checkbox', 'aria-label': label, checked, onChange: () => mark(sequence) }} />
      </label>
      <button
        {...{ type: 'button', class: 'call', title: `${method} ${url}`, ...state }}
        onClick={() => go({ part: String(sequence) })}
      >
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
      <div class="reasons">
        <Reasons of={one} />
      </div>
    </li>
  );
};
