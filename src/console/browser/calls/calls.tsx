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
import { NextCall } from './faults.tsx';
import { Marked, mark, marks } from './marked.tsx';

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

const open = (sequence: number): void => go({ part: String(sequence) });

export const Calls = () => {
  const { part } = useRoute();
  const [drawn, setDrawn] = useState(DRAWN);
  const live = useStore(calls);
  const { shown, arrived, catchUp, holding } = useStill(live);
  const found = useFound(shown);
  const rest = found.length - drawn;
  const walk = (step: number): void => {
    const at = found.findIndex(({ sequence }) => String(sequence) === part);
    const next = found[at < 0 ? 0 : at + step];
    if (next) open(next.sequence);
  };
  const search = useRoute().params.query ?? '';
  return (
    <div class="calls-view">
      <NextCall />
      <Screen
        title="Calls"
        actions={[
          <Filters live={live} />,
          <SearchField label="Search paths and bodies" text={search} find={(query) => filter({ query })} />,
          <More />,
        ]}
        panel={part !== '' && <SidePanel key={part} part={part} walk={walk} />}
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
          {live.length === 0 && <Connect title="No calls yet: connect your application" />}
          {live.length > 0 && found.length === 0 && <p class="empty">No calls match.</p>}
          {found.length > 0 && (
            <ol class="calls" aria-label="Calls, newest first">
              {found.slice(0, drawn).map((one) => (
                <CallRow key={one.sequence} one={one} isChosen={String(one.sequence) === part} />
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
        <Marked />
      </Screen>
    </div>
  );
};

const SidePanel = ({ part, walk }: { readonly part: string; readonly walk: (step: number) => void }) => {
  const close = () => go({ part: '' });
  return part === 'compare' ? (
    <Comparison close={close} />
  ) : (
    <CallPanel sequence={part} close={close} walk={walk} />
  );
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
      const query = { format: 'har' } as const;
      save(JSON.stringify(await answer(here.GET('/requests', { params: { query } }))), `${name}.har`);
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
  const isMarked = useStore(marks).has(sequence);
  return (
    <li class={isChosen ? 'chosen' : undefined}>
      <label class="mark">
        <input
          type="checkbox"
          aria-label={`Mark call ${sequence}`}
          checked={isMarked}
          onChange={() => mark(sequence, !isMarked)}
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
      <Reasons one={one} />
    </li>
  );
};

/** Why a call was refused, and what of it was ignored, in words. */
const Reasons = ({ one }: { readonly one: CallSummary }) => {
  const { fault, stub, violations, warnings, reason = 'The client left before the answer.' } = one;
  const rule = useEnvironment().faults.find(({ id }) => id === fault);
  const told = violations.slice(0, 2).join(' ') || reason;
  const more = violations.length > 2 ? ` And ${violations.length - 2} more.` : '';
  const again = { label: 'arm again', choose: () => rule && arm(rule) };
  return (
    <div class="reasons">
      {fault !== undefined && (
        <p class="by-fault">
          by your fault{rule && `: ${describeFault(rule)}`}
          {rule?.used_up && [' · ', <Buttons key="again" className="link" actions={[again]} />]}
        </p>
      )}
      {fault === undefined && isRefused(one) && <p class="refused">{told + more}</p>}
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
const useStill = (live: readonly CallSummary[]) => {
  const [isPointed, setPointed] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const shown = useRef(live);
  const [, draw] = useState({});
  if (!(isPointed || isFocused) || live.length === 0) shown.current = live;
  return {
    shown: shown.current,
    arrived: Math.max(0, (live[0]?.sequence ?? 0) - (shown.current[0]?.sequence ?? 0)),
    catchUp: (): void => {
      shown.current = live;
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

/** The calls that the chips and the search leave. The server searches bodies, because this page does not have them. */
const useFound = (shown: readonly CallSummary[]): readonly CallSummary[] => {
  const { query = '', only = '', operation = '' } = useRoute().params;
  const read = async () => (query === '' ? [] : (await readCalls({ text: query, limit: 1_000 })).requests);
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
const textOf = ({ method, url, status, operation, telling, fault }: CallSummary): string => {
  const path = decodeURIComponent(url.replaceAll('%', '%25'));
  return [method, url, path, status || 'cut', operation, ...telling, fault && 'fault'].join(' ');
};
