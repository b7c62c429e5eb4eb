/** Calls: every call as it arrives, newest on top, with its reason below it. The list stands still while it is pointed at. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { answer, type Entry, here, save } from '../live/api.ts';
import { useEnvironment, useLive } from '../live/live.tsx';
import { useStore } from '../live/store.ts';
import { type CallSummary, calls } from '../live/stream.ts';
import { act, attempt } from '../parts/acts.ts';
import { Buttons, ICONS, Menu } from '../parts/buttons.tsx';
import { Code } from '../parts/code.tsx';
import { hasWords, reveal, Screen, SearchField } from '../parts/layout.tsx';
import { filter, go, useRoute } from '../route.ts';
import { Connect } from '../setup.tsx';
import { CallPanel, isRefused, Reasons } from './call.tsx';
import { NextCall } from './faults.tsx';
import { Comparison, Marked, mark, marks, unmark } from './marked.tsx';

/** How many rows are drawn at first, and how many the button "Show more" adds. */
const DRAWN = 60;
const MORE = 200;

const FILTERS: Readonly<Record<string, readonly [label: string, fits: (one: CallSummary) => boolean]>> = {
  '': ['All', () => true],
  refused: ['Refused', isRefused],
  ignored: ['Ignored parts', ({ warnings }) => warnings.length > 0],
  fault: ['By a fault', ({ fault }) => fault !== undefined],
};

const open = (sequence: number): void => go({ part: String(sequence) });

export const Calls = () => {
  const { part, params } = useRoute();
  const live = useStore(calls);
  const marked = useStore(marks);
  useEffect(() => unmark, []);
  const { shown, arrived, hold } = useStill(live);
  const found = useFound(shown);
  const walk = (step: number): void => {
    const at = found.findIndex(({ sequence }) => String(sequence) === part);
    const next = found[at < 0 ? 0 : at + step];
    if (next) open(next.sequence);
  };
  const find = (query: string) => filter({ query });
  const actions = [
    <Filters live={live} />,
    <SearchField label="Search paths and bodies" text={params.query ?? ''} find={find} />,
    <More />,
  ];
  const catchUp = { label: `${arrived} new`, choose: () => hold(false) };
  return (
    <div class="calls-view">
      <NextCall />
      <Screen
        title="Calls"
        actions={actions}
        panel={
          (part === 'compare' && <Comparison />) ||
          (part !== '' && <CallPanel key={part} sequence={part} walk={walk} />)
        }
      >
        <div onPointerEnter={() => hold(true)} onPointerLeave={() => hold(false)}>
          {arrived > 0 && (
            <p class="arrived">
              <Buttons className="primary small" actions={[catchUp]} />
            </p>
          )}
          {live.length === 0 && <Connect title="No calls yet: connect your application" />}
          {live.length > 0 && found.length === 0 && <p class="empty">No calls match.</p>}
          {found.length > 0 && <List {...{ found, part, walk }} />}
        </div>
        {marked.length > 0 && <Marked key={marked.join()} marked={marked} />}
      </Screen>
    </div>
  );
};

/** Keeps rows in place while the pointer is on them, so that a click hits the intended row. */
const useStill = (live: readonly CallSummary[]) => {
  const [isHeld, hold] = useState(false);
  const last = useRef(live);
  if (!isHeld || live.length === 0) last.current = live;
  const shown = last.current;
  return { shown, hold, arrived: (live[0]?.sequence ?? 0) - (shown[0]?.sequence ?? 0) };
};

interface ListProps {
  readonly found: readonly CallSummary[];
  readonly part: string;
  readonly walk: (step: number) => void;
}

const List = ({ found, part, walk }: ListProps) => {
  const [drawn, draw] = useState(DRAWN);
  const rest = found.length - drawn;
  const more = { label: `Show more (${rest} older calls)`, choose: () => draw(drawn + MORE) };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || (event.target as Element).closest('input')) return;
    event.preventDefault();
    walk(step);
  };
  return (
    <>
      <ol class="calls" aria-label="Calls, newest first" onKeyDown={onKeyDown}>
        {found.slice(0, drawn).map((one) => (
          <CallRow key={one.sequence} one={one} isChosen={String(one.sequence) === part} />
        ))}
      </ol>
      {rest > 0 && <Buttons className="more" actions={[more]} />}
    </>
  );
};

const Filters = ({ live }: { readonly live: readonly CallSummary[] }) => {
  const { only: chosen = '', operation = '' } = useRoute().params;
  const chips = Object.entries(FILTERS).map(([only, [label, fits]]) => ({
    label: `${label} ${live.filter(fits).length}`,
    isOn: only === chosen,
    choose: () => filter({ only }),
  }));
  const operations = ['', ...new Set(live.flatMap((one) => one.operation ?? []))].sort().map((each) => ({
    label: each || 'Any operation',
    choose: () => filter({ operation: each }),
  }));
  return (
    <div class="cluster">
      <Buttons className="chip" actions={chips} />
      <Menu
        className={operation === '' ? 'chip' : 'chip chosen'}
        label={`Operation: ${operation || 'any'}`}
        items={operations}
        face={[operation || 'Operation', ' ', ICONS.caret]}
      />
    </div>
  );
};

const More = () => {
  const { name } = useEnvironment();
  const exportHar = () =>
    attempt(async () => {
      const params = { query: { format: 'har' } } as const;
      save(JSON.stringify(await answer(here.GET('/requests', { params }))), `${name}.har`);
    });
  const clear = () => act('Clear the calls', () => here.DELETE('/requests'), 'The calls are cleared.');
  const items = [
    { label: 'Export HAR', choose: exportHar },
    { label: 'Clear', isDangerous: true, choose: clear },
  ];
  return <Menu className="small" label="More" items={items} face="…" />;
};

const CallRow = ({ one, isChosen }: { readonly one: CallSummary; readonly isChosen: boolean }) => {
  const { sequence, status, method, url, operation, telling, grpc_method } = one;
  const isMarked = useStore(marks).includes(sequence);
  const box = { 'aria-label': `Mark call ${sequence}`, checked: isMarked, onChange: () => mark(sequence) };
  return (
    <li class={isChosen ? 'chosen' : undefined}>
      <label class="mark">
        <input type="checkbox" {...box} />
      </label>
      <button
        type="button"
        class="call"
        title={`${method} ${url}`}
        aria-current={isChosen ? 'true' : undefined}
        ref={isChosen ? reveal : null}
        onClick={() => open(sequence)}
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

/** The calls that the chips and the search leave. The server searches bodies, because this page does not have them. */
const useFound = (shown: readonly CallSummary[]): readonly CallSummary[] => {
  const { query = '', only = '', operation = '' } = useRoute().params;
  const params = { query: { text: query, limit: 1_000 } };
  const read = async () =>
    // The cast is safe: only `format=har` has another form.
    query === '' ? [] : ((await answer(here.GET('/requests', { params }))) as { requests: Entry[] }).requests;
  const { value } = useLive(`text ${query}`, read, ...(query === '' ? [] : ['request']));
  return useMemo(() => {
    const withText = new Set(value?.map(({ sequence }) => sequence));
    const fits = FILTERS[only]?.[1] ?? (() => true);
    return shown.filter(
      (one) =>
        fits(one) &&
        (operation === '' || one.operation === operation) &&
        (withText.has(one.sequence) || hasWords(textOf(one), query)),
    );
  }, [shown, query, value, only, operation]);
};

/** What the list shows of a call. */
const textOf = ({ method, url, status, operation, telling, fault }: CallSummary): string =>
  [method, url, status || 'cut', operation, ...telling, fault && 'fault'].join(' ');
