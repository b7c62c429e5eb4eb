/** Calls: every call as it arrives, newest on top, with its reason below it. The list stands still while it is pointed at. */
import { useMemo, useRef, useState } from 'preact/hooks';
import { answer, here, readCalls, save } from '../live/api.ts';
import { useEnvironment } from '../live/environment.tsx';
import { useLive } from '../live/loaded.tsx';
import { useStore } from '../live/store.ts';
import { type CallSummary, calls } from '../live/stream.ts';
import { act, attempt } from '../parts/acts.ts';
import { Buttons, ICONS, Menu } from '../parts/buttons.tsx';
import { Code } from '../parts/code.tsx';
import { hasWords, reveal, Screen, SearchField } from '../parts/layout.tsx';
import { arm, describeFault } from '../parts/moves.ts';
import { filter, go, useRoute } from '../route.ts';
import { Connect } from '../setup.tsx';
import { CallPanel } from './call.tsx';
import { Comparison } from './comparison.tsx';
import { NewFault, NextCall } from './faults.tsx';
import { Marked, marks } from './marked.tsx';

/** How many rows are drawn at first, and how many the button "Show more" adds. */
const DRAWN = 60;
const MORE = 200;

const isRefused = ({ status }: CallSummary): boolean => status >= 400 || status === 0;

const FILTERS: Readonly<Record<string, readonly [label: string, fits: (one: CallSummary) => boolean]>> = {
  '': ['All', () => true],
  refused: ['Refused', isRefused],
  ignored: ['Ignored parts', ({ warnings }) => warnings.length > 0],
  fault: ['By a fault', ({ fault }) => fault !== undefined],
};

export const Calls = () => {
  const { part, params } = useRoute();
  const { query = '', only = '', operation = '' } = params;
  const withText = useCallsWithText(query);
  const [drawn, setDrawn] = useState(DRAWN);
  const live = useStore(calls);
  const { shown, arrived, catchUp, holding } = useStill(live);
  const found = useMemo(() => {
    const [, fits] = FILTERS[only] ?? FILTERS[''] ?? ['', () => true];
    return shown.filter(
      (one) =>
        fits(one) &&
        (operation === '' || one.operation === operation) &&
        (query === '' || withText.has(one.sequence) || hasText(one, query)),
    );
  }, [shown, query, withText, only, operation]);
  const close = () => go({ part: '' });
  const open = (sequence: number) => go({ part: String(sequence) });
  const rest = found.length - drawn;
  const walk = (step: number): void => {
    const at = found.findIndex(({ sequence }) => String(sequence) === part);
    const next = found[at < 0 ? 0 : at + step];
    if (next) open(next.sequence);
  };
  const isEmpty = live.length === 0;
  return (
    <div class="calls-view">
      <NextCall />
      <Screen
        title="Calls"
        actions={
          <>
            <Filters live={live} />
            <SearchField
              label="Search paths and bodies"
              text={query}
              find={(text) => filter({ query: text })}
            />
            <More />
          </>
        }
        panel={panelOf(part, close, walk)}
      >
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys walk from call to call, each of which is a button */}
        <div
          class="still"
          {...holding}
          onKeyDown={(event) => {
            const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
            if (step === undefined || (event.target as Element).closest('input')) return;
            event.preventDefault();
            walk(step);
          }}
        >
          {arrived > 0 && (
            <p class="arrived">
              <Buttons className="primary small" actions={[{ label: `${arrived} new`, choose: catchUp }]} />
            </p>
          )}
          {isEmpty && <Connect isFirst />}
          {!isEmpty && found.length === 0 && <p class="empty">No calls match.</p>}
          {found.length > 0 && (
            <ol class="calls" aria-label="Calls, newest first">
              {found.slice(0, drawn).map((one) => (
                <CallRow key={one.sequence} one={one} chosen={part} open={open} />
              ))}
            </ol>
          )}
        </div>
        {rest > 0 && (
          <Buttons
            className="more"
            actions={[{ label: `Show more (${rest} older calls)`, choose: () => setDrawn(drawn + MORE) }]}
          />
        )}
        <Dropped />
        <Marked />
      </Screen>
    </div>
  );
};

const panelOf = (part: string, close: () => void, walk: (step: number) => void) => {
  if (part === '') return undefined;
  if (part === 'compare') return <Comparison close={close} />;
  if (part === 'fault') return <NewFault close={close} />;
  return <CallPanel key={part} sequence={part} close={close} walk={walk} />;
};

const Filters = ({ live }: { readonly live: readonly CallSummary[] }) => {
  const { only = '', operation = '' } = useRoute().params;
  const operations = [...new Set(live.flatMap((one) => one.operation ?? []))].sort();
  const items = ['', ...operations].map((each) => ({
    label: each === '' ? 'Any operation' : each,
    choose: () => filter({ operation: each }),
  }));
  return (
    <div class="cluster filters">
      {Object.entries(FILTERS).map(([name, [label, fits]]) => (
        <button
          key={name}
          type="button"
          class="chip"
          aria-pressed={name === only}
          onClick={() => filter({ only: name })}
        >
          {label} {live.filter(fits).length}
        </button>
      ))}
      <Menu
        className={operation === '' ? 'chip' : 'chip chosen'}
        label={`Operation: ${operation || 'any'}`}
        items={items}
        face={[operation || 'Operation', ' ', ICONS.caret]}
      />
    </div>
  );
};

const More = () => {
  const { name } = useEnvironment();
  const exportHar = () =>
    attempt(async () => {
      const params = { query: { format: 'har' as const } };
      save(JSON.stringify(await answer(here.GET('/requests', { params }))), `${name}.har`);
    });
  const clear = () =>
    act('Clear the calls', () => answer(here.DELETE('/requests')), 'The calls are cleared.');
  const items = [
    { label: 'Export HAR', choose: exportHar },
    { label: 'Clear', isDangerous: true, choose: clear },
  ];
  return <Menu className="small" label="More" items={items} face="…" />;
};

const Dropped = () => {
  const { value } = useLive('', () => readCalls({ limit: 1 }), 'request');
  if (!value?.dropped) return null;
  return <p class="quiet">{value.dropped.toLocaleString('en')} earlier calls are no longer kept.</p>;
};

interface CallRowProps {
  readonly one: CallSummary;
  readonly chosen: string;
  readonly open: (sequence: number) => void;
}

const CallRow = ({ one, chosen, open }: CallRowProps) => {
  const { sequence, status, method, url, operation, telling, time, real_time, duration_ms, grpc_method } =
    one;
  const marked = useStore(marks);
  const isChosen = String(sequence) === chosen;
  return (
    <li class={isChosen ? 'chosen' : undefined}>
      <label class="mark">
        <input
          type="checkbox"
          aria-label={`Mark call ${sequence}`}
          checked={marked.has(sequence)}
          onChange={({ currentTarget }) => {
            const others = [...marked].filter((each) => each !== sequence);
            marks.set(new Set(currentTarget.checked ? [...others, sequence] : others));
          }}
        />
      </label>
      <button
        type="button"
        class="call"
        title={`${method} ${url}`}
        aria-current={isChosen ? 'true' : undefined}
        ref={isChosen ? reveal : null}
        onClick={() => open(sequence)}
      >
        <span class="time digits" title={`The environment's clock showed ${time}.`}>
          {real_time.slice(11, 19)}
        </span>
        <Code status={status} />
        <span class="what">
          <b class={operation ? undefined : 'raw'}>{operation ?? `${method} ${url}`}</b>{' '}
          <span class="telling">{operation && telling.join(' · ')}</span>
          {grpc_method !== undefined && <span class="tag">gRPC</span>}
        </span>
        <span class="ms digits">{Math.round(duration_ms)} ms</span>
      </button>
      <Reasons one={one} />
    </li>
  );
};

/** Why a call was refused, and what of it was ignored, in words. */
const Reasons = ({ one }: { readonly one: CallSummary }) => {
  const { fault, stub, violations, warnings, reason } = one;
  const { faults } = useEnvironment();
  const rule = faults.find(({ id }) => id === fault);
  const why = violations.length > 0 ? violations.slice(0, 2).join(' ') : reason;
  const more = violations.length > 2 ? ` And ${violations.length - 2} more.` : '';
  return (
    <div class="reasons">
      {fault !== undefined && (
        <p class="by-fault">
          by your fault{rule && `: ${describeFault(rule)}`}
          {rule?.used_up && [
            ' · ',
            <Buttons
              key="again"
              className="link"
              actions={[{ label: 'arm again', choose: () => arm(rule) }]}
            />,
          ]}
        </p>
      )}
      {fault === undefined && isRefused(one) && (
        <p class="refused">{why ? why + more : 'The client left before the answer.'}</p>
      )}
      {warnings.map((text) => (
        <p key={text} class="ignored">
          ignored: {text}
        </p>
      ))}
      {stub !== undefined && <p>by the stub {stub}</p>}
    </div>
  );
};

/** Keeps rows in place while the pointer or the focus is on them, so that a click hits the intended row. */
const useStill = (calls: readonly CallSummary[]) => {
  const [isPointed, setPointed] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const shown = useRef(calls);
  const [, draw] = useState({});
  if (!(isPointed || isFocused) || calls.length === 0) shown.current = calls;
  return {
    shown: shown.current,
    arrived: Math.max(0, (calls[0]?.sequence ?? 0) - (shown.current[0]?.sequence ?? 0)),
    catchUp: (): void => {
      shown.current = calls;
      draw({});
    },
    holding: {
      // Only a mouse counts as pointing at the rows, because a finger cannot hover over them.
      onPointerEnter: ({ pointerType }: PointerEvent): void => setPointed(pointerType === 'mouse'),
      onPointerLeave: (): void => setPointed(false),
      onFocusIn: (): void => setFocused(true),
      onFocusOut: (): void => setFocused(false),
    },
  };
};

/** Asks the server which calls contain `query`, because this page does not have the bodies of calls. */
const useCallsWithText = (query: string): ReadonlySet<number> => {
  const read = async () => (query === '' ? [] : (await readCalls({ text: query, limit: 1_000 })).requests);
  const { value } = useLive(`text ${query}`, read, ...(query === '' ? [] : ['request']));
  return useMemo(() => new Set(value?.map(({ sequence }) => sequence)), [value]);
};

/** Whether what the list shows of a call has the words of a search. */
const hasText = (
  { method, url, status, operation = '', telling, fault }: CallSummary,
  query: string,
): boolean =>
  hasWords(
    [
      method,
      url,
      decodeURIComponent(url.replaceAll('%', '%25')),
      status || 'cut',
      operation,
      ...telling,
      fault && 'fault',
    ].join(' '),
    query,
  );
