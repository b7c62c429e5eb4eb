/** The live journal: every call as it comes, the newest on top. */
import { useMemo, useRef, useState } from 'preact/hooks';
import { call, within } from '../live/api.ts';
import { useEnvironment } from '../live/environment.tsx';
import type { Call } from '../live/journal.ts';
import { useStore } from '../live/store.ts';
import { act } from '../parts/notices.tsx';
import { SearchField } from '../parts/search.tsx';
import { CallPanel } from './call.tsx';
import { CallTable } from './call-table.tsx';

/** Rows that are drawn; the rest of the journal is found by searching. */
const DRAWN = 60;

export const Journal = () => {
  const environment = useEnvironment();
  const [query, setQuery] = useState('');
  const [isPaused, setPaused] = useState(false);
  const [chosen, choose] = useState<Call>();
  const live = useStore(environment.calls.latest);
  const held = useRef(live);
  if (!isPaused) held.current = live;
  const calls = held.current;
  const found = useMemo(() => search(calls, query), [calls, query]);
  return (
    <div class={chosen ? 'view split' : 'view'}>
      <section class="list" aria-label="Journal">
        <header class="bar">
          <h1>
            Journal <span class="count">{calls.length}</span>
          </h1>
          <SearchField label="Search calls" find={setQuery} />
          <button type="button" aria-pressed={isPaused} onClick={() => setPaused(!isPaused)}>
            {isPaused ? 'Resume' : 'Pause'}
          </button>
          <a class="button" download="journal.har" href={within(environment.name, '/requests?format=har')}>
            HAR
          </a>
          <button
            type="button"
            onClick={() =>
              act(call('DELETE', within(environment.name, '/requests')), 'The journal is empty.')
            }
          >
            Clear
          </button>
        </header>
        {found.length === 0 ? <p class="empty">{EMPTY[query === '' ? 'none' : 'found']}</p> : null}
        {found.length > 0 && <CallTable calls={found.slice(0, DRAWN)} chosen={chosen} choose={choose} />}
        {found.length > DRAWN && (
          <p class="empty">{found.length - DRAWN} older calls: search to find them.</p>
        )}
      </section>
      {chosen && <CallPanel key={chosen.sequence} call={chosen} close={() => choose(undefined)} />}
    </div>
  );
};

const EMPTY = {
  none: 'No calls yet. Each one appears here as it comes; Credentials has one to try.',
  found: 'No call matches.',
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
