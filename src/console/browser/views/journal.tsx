/** The live journal: every call as it arrives, newest on top. The list stands still while the user points at it. */
import { useMemo, useRef, useState } from 'preact/hooks';
import { call, download, readList } from '../live/api.ts';
import { type CallSummary, useEnvironment, useLive } from '../live/environment.tsx';
import { useStore } from '../live/store.ts';
import { Buttons, calling } from '../parts/buttons.tsx';
import { countOf, hasWords, Screen, SearchField } from '../parts/layout.tsx';
import { useMarks } from '../parts/marks.ts';
import { useView, within } from '../route.ts';
import { CallPanel } from './call.tsx';
import { Marked } from './marked.tsx';
import { CALL_TABLE, NO_CALLS, Table } from './table.tsx';

/** How many rows are drawn at first, and how many the button "Show more" adds. */
const DRAWN = 60;
const MORE = 200;

export const Journal = () => {
  const { name, calls } = useEnvironment();
  const { id, params, open, close, filter } = useView();
  const { query = '' } = params;
  const withText = useCallsWithText(query);
  useMarks(query);
  const [drawn, setDrawn] = useState(DRAWN);
  const [marked, setMarked] = useState<ReadonlySet<number>>(new Set());
  const live = useStore(calls);
  const { shown, arrived, catchUp, holding } = useStill(live);
  const found = useMemo(
    () => shown.filter((one) => withText.has(one.sequence) || hasText(one, query)),
    [shown, query, withText],
  );
  const dropped = (live[0]?.sequence ?? 0) - live.length;
  const actions = [
    calling('Export HAR', () => download(within('/requests?format=har'), `${name}.har`)),
    calling(
      'Clear',
      () => call('DELETE', within('/requests')).then(() => setMarked(new Set())),
      'Journal cleared.',
    ),
  ];
  const mark = (sequence: number, isMarked: boolean): void => {
    const others = [...marked].filter((each) => each !== sequence);
    setMarked(new Set(isMarked ? [...others, sequence] : others));
  };
  const presentFound = (one: CallSummary) => (
    <>
      <label class="mark">
        <input
          type="checkbox"
          aria-label={`Mark call ${one.sequence}`}
          checked={marked.has(one.sequence)}
          onChange={({ currentTarget }) => mark(one.sequence, currentTarget.checked)}
        />
      </label>
      {CALL_TABLE.columns.Status(one)}
      {!hasText(one, query) && <span class="tag">in body</span>}
    </>
  );
  const rest = found.length - drawn;
  const more = { label: `Show more (${rest} older calls)`, choose: () => setDrawn(drawn + MORE) };
  return (
    <Screen
      title="Journal"
      count={countOf(found.length, live.length)}
      actions={
        <>
          {dropped > 0 && (
            <span class="quiet">{dropped.toLocaleString('en')} earlier calls were dropped</span>
          )}
          <SearchField label="Search calls" text={query} find={(text) => filter({ query: text })} />
          <Buttons actions={actions} />
        </>
      }
      panel={id !== '' && <CallPanel key={id} sequence={id} close={close} />}
    >
      {marked.size > 0 && <Marked marked={marked} unmark={() => setMarked(new Set())} />}
      <div class="still" {...holding}>
        {arrived > 0 && (
          <p class="arrived">
            <Buttons className="primary small" actions={[{ label: `${arrived} new`, choose: catchUp }]} />
          </p>
        )}
        {found.length === 0 ? (
          <p class="empty">{shown.length === 0 ? NO_CALLS : 'No calls match.'}</p>
        ) : (
          <Table
            {...CALL_TABLE}
            columns={{ ...CALL_TABLE.columns, Status: presentFound }}
            caption="Calls, newest first"
            rows={found.slice(0, drawn)}
            chosen={id}
            open={open}
          />
        )}
      </div>
      {rest > 0 && <Buttons className="more" actions={[more]} />}
    </Screen>
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
  const path = within(`/requests?${new URLSearchParams({ text: query, limit: '1000' })}`);
  const read = async () => (query === '' ? [] : readList<CallSummary>(path));
  const { value } = useLive(query, read, ...(query === '' ? [] : ['request']));
  return useMemo(() => new Set(value?.map(({ sequence }) => sequence)), [value]);
};

/** Whether what the list shows of a call has the words of a search. */
const hasText = (one: CallSummary, query: string): boolean => {
  const { method, url, status, operation = '', fault, violations, warnings, grpc_method } = one;
  const kinds = [
    fault && `fault ${fault}`,
    violations > 0 && 'violation',
    warnings > 0 && 'ignored',
    grpc_method && 'gRPC',
  ];
  const line = [method, url, status === 0 ? 'cut' : status, operation, ...kinds].join(' ');
  return hasWords(line, query) || line.toLowerCase().includes(encodeURIComponent(query).toLowerCase());
};
