/** What the search over everything looks in, and what happens when the user chooses an entry. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { type Deed, entriesOf, type FoundRow, rowQuery, type Sources } from './commands.ts';
import { indexGuide } from './guide-index.ts';
import { call, type KindName, type Row, textOf, within } from './live/api.ts';
import { useEnvironment } from './live/environment.tsx';
import { useStore } from './live/store.ts';
import { act } from './parts/notices.ts';
import { once, readApi } from './reference/document.ts';
import { addressOf } from './route.ts';
import { idOf, KINDS } from './views/kinds.ts';

type SearchGuide = ReturnType<typeof indexGuide>;

const readGuide = once(async () => indexGuide(await call('GET', 'guide/search.json')));

const findRows = async (environment: string, query: string): Promise<readonly FoundRow[]> => {
  const path = within(environment, `/rows?${new URLSearchParams({ query })}`);
  const found = await call<Partial<Record<KindName, readonly Row[]>>>('GET', path);
  return (Object.keys(KINDS) as KindName[]).flatMap((kind) =>
    (found[kind] ?? []).map((row) => {
      const { title, name, about } = KINDS[kind];
      const words = about.map((member) => textOf(row[member])).join(' · ');
      return { kind, title, row, id: idOf(KINDS[kind], row), name: textOf(row[name]), about: words };
    }),
  );
};

/** How long the search for rows waits until the user pauses, in milliseconds. */
const PAUSE = 120;

const NOTHING = { query: '', rows: [] as readonly FoundRow[] };

/** The rows for a query, and whether the mock still looks for them. */
const useRows = (query: string) => {
  const { name } = useEnvironment();
  const [found, setFound] = useState(NOTHING);
  useEffect(() => {
    if (query === '') return;
    let isWanted = true;
    const find = async (): Promise<void> => {
      const rows = await act(() => findRows(name, query));
      if (isWanted) setFound({ query, rows: rows ?? [] });
    };
    const timer = setTimeout(find, PAUSE);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [name, query]);
  const isDone = found.query === query || query === '';
  return { isDone, rows: isDone && query !== '' ? found.rows : [] };
};

/** The entries for a text, and whether that is all of them. */
export const useEntries = (text: string, views: Sources['views']) => {
  const { calls } = useEnvironment();
  const [searchGuide, setSearchGuide] = useState<SearchGuide>();
  const [operations, setOperations] = useState<Sources['operations']>([]);
  useEffect(() => {
    act(async () => setOperations((await readApi()).operations));
    act(async () => {
      const search = await readGuide();
      setSearchGuide(() => search); // a bare function would be called to change the state
    });
  }, []);
  const { rows, isDone } = useRows(rowQuery(text));
  const latest = useStore(calls);
  const entries = useMemo(() => {
    const sections = searchGuide?.(text).map(({ section }) => section) ?? [];
    return entriesOf(text, { views, rows, operations, calls: latest, sections });
  }, [text, views, rows, operations, latest, searchGuide]);
  return { entries, isDone };
};

/** Goes where an entry leads, or does what it says. */
export const perform = (environment: string, deed: Deed): unknown => {
  if ('post' in deed) return act(() => call('POST', within(environment, deed.post), deed.body), deed.done);
  if ('section' in deed) return location.assign(`guide/${deed.section}`);
  const { page = './', view, id = '' } = deed;
  return location.assign(page + addressOf({ environment, view, id }));
};
