/** The live journal: every call as it comes, the newest on top. It stands still while somebody points at it. */
import { useMemo, useRef, useState } from 'preact/hooks';
import { call, send, within } from '../live/api.ts';
import { useEnvironment } from '../live/environment.tsx';
import type { Call } from '../live/journal.ts';
import { useStore } from '../live/store.ts';
import { saveFile } from '../parts/file.ts';
import { act } from '../parts/notices.tsx';
import { SearchField } from '../parts/search.tsx';
import { useView } from '../route.ts';
import { CallPanel } from './call.tsx';
import { CallTable } from './call-table.tsx';

/** Rows that are drawn at first, and more of them at a time. */
const DRAWN = 60;
const MORE = 200;

export const Journal = () => {
  const { name, calls } = useEnvironment();
  const { id, params, open, close, filter } = useView();
  const { query = '' } = params;
  const [isPaused, setPaused] = useState(false);
  const [drawn, setDrawn] = useState(DRAWN);
  const live = useStore(calls.latest);
  const { shown, arrived, catchUp, holding } = useStill(live, isPaused);
  const found = useMemo(() => search(shown, query), [shown, query]);
  const dropped = (live[0]?.sequence ?? 0) - live.length;
  return (
    <div class={id === '' ? 'view' : 'view split'}>
      <section class="list" aria-label="Journal">
        <header class="bar">
          <h1>
            Journal <span class="count">{live.length}</span>
          </h1>
          {dropped > 0 && <span class="quiet">{dropped.toLocaleString('en')} earlier calls are dropped</span>}
          <SearchField label="Search calls" text={query} find={(text) => filter({ query: text })} />
          <button type="button" aria-pressed={isPaused} onClick={() => setPaused(!isPaused)}>
            {isPaused ? 'Resume' : 'Pause'}
          </button>
          <button type="button" onClick={() => act(saveArchive(name))}>
            HAR
          </button>
          <button
            type="button"
            onClick={() => act(call('DELETE', within(name, '/requests')), 'The journal is empty.')}
          >
            Clear
          </button>
        </header>
        <div class="still" {...holding}>
          {arrived > 0 && (
            <p class="arrived">
              <button type="button" class="primary small" onClick={catchUp}>
                {arrived} new
              </button>
            </p>
          )}
          {found.length === 0 && <p class="empty">{EMPTY[query === '' ? 'none' : 'found']}</p>}
          {found.length > 0 && (
            <CallTable
              calls={found.slice(0, drawn)}
              chosen={id}
              choose={({ sequence }) => open(String(sequence))}
            />
          )}
        </div>
        {found.length > drawn && (
          <button type="button" class="more" onClick={() => setDrawn(drawn + MORE)}>
            Show more of {found.length - drawn} older calls
          </button>
        )}
      </section>
      {id !== '' && <CallPanel key={id} sequence={id} close={close} />}
    </div>
  );
};

const EMPTY = {
  none: 'No calls yet. Each one appears here as it comes; Credentials has one to try.',
  found: 'No call matches.',
};

/**
 * Keeps rows where they are while the pointer or the focus is among them, so that a click hits what it was meant for.
 * @param calls as they are, newest first
 */
const useStill = (calls: readonly Call[], isPaused: boolean) => {
  const [isPointed, setPointed] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const shown = useRef(calls);
  const [, draw] = useState({});
  const isEmptied = calls.length === 0;
  if (!(isPaused || isPointed || isFocused) || isEmptied) shown.current = calls;
  return {
    shown: shown.current,
    arrived: Math.max(0, (calls[0]?.sequence ?? 0) - (shown.current[0]?.sequence ?? 0)),
    catchUp: (): void => {
      shown.current = calls;
      draw({});
    },
    holding: {
      // A finger points at nothing once it has left.
      onPointerEnter: ({ pointerType }: PointerEvent): void => setPointed(pointerType === 'mouse'),
      onPointerLeave: (): void => setPointed(false),
      onFocusIn: (): void => setFocused(true),
      onFocusOut: (): void => setFocused(false),
    },
  };
};

/** Every word must be in the call's line. */
const search = (calls: readonly Call[], query: string): readonly Call[] => {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return calls;
  return calls.filter(({ method, url, status, operation = '', fault = '' }) => {
    const line = `${method} ${url} ${status} ${operation} ${fault}`.toLowerCase();
    return words.every((word) => line.includes(word));
  });
};

/** A link could not carry a control token. */
const saveArchive = async (environment: string): Promise<void> => {
  const response = await send('GET', within(environment, '/requests?format=har'));
  saveFile(`${environment}.har`, await response.blob());
};
