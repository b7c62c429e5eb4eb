/** What Ctrl+K finds for a text: places in the console, the references and the guide. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { indexGuide } from './guide-index.ts';
import { call, type KindName, type Row } from './live/api.ts';
import { type CallSummary, type EnvironmentDetails, useEnvironment } from './live/environment.tsx';
import { useLoaded } from './live/loaded.tsx';
import { useStore } from './live/store.ts';
import type { Action } from './parts/buttons.tsx';
import { hasWords } from './parts/layout.tsx';
import { type DocumentedOperation, once, readApi } from './reference/document.ts';
import { addressOf, place, within } from './route.ts';
import { aboutOf, idOf, KINDS, nameOf } from './views/kinds.ts';

export interface Entry extends Action {
  readonly group: string;
  /** Tells entries with the same label apart. */
  readonly key: string;
}

export interface ViewTitle {
  readonly id: string;
  readonly title: string;
}

interface FoundRow {
  readonly kind: KindName;
  readonly row: Row;
}

const MOST_CALLS = 5;
const MOST_OPERATIONS = 6;
const MOST_SECTIONS = 4;

/** The entries for a text, and whether that is all of them. */
export const useEntries = (text: string, views: readonly ViewTitle[]) => {
  const { name, calls, environments } = useEnvironment();
  const paused = usePaused(text);
  const found = useLoaded(`${name} ${paused}`, () => findRows(paused)).value;
  const operations = useLoaded('', readApi).value?.operations;
  const searchGuide = useLoaded('', readGuide).value;
  const latest = useStore(calls);
  const entries = useMemo(() => {
    if (text === '') return [];
    const rows = found?.query === text ? found.rows : [];
    return [
      ...views.map(presentView).filter(hasAll(text)),
      ...environments.map(presentEnvironment).filter(hasAll(text)),
      ...rows.map(presentRow),
      ...latest.map(presentCall).filter(hasAll(text)).slice(0, MOST_CALLS),
      ...findOperations(operations ?? [], text).map(presentOperation),
      ...(searchGuide?.(text) ?? [])
        .slice(0, MOST_SECTIONS)
        .map(({ section: { page, heading, href } }) =>
          toPlace('Guide', heading, `guide/${href}`, page === heading ? '' : page),
        ),
    ];
  }, [text, views, found, operations, latest, environments, searchGuide]);
  return { entries, isDone: text === '' || found?.query === text };
};

/** How long the search for rows waits until the user pauses, in milliseconds. */
const PAUSE = 120;

const usePaused = (text: string): string => {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(setPaused, PAUSE, text);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
};

const findRows = async (query: string) => {
  if (query === '') return { query, rows: [] };
  const path = within(`/rows?${new URLSearchParams({ query })}`);
  const found = await call<Partial<Record<KindName, readonly Row[]>>>('GET', path);
  const rows = (Object.keys(KINDS) as KindName[]).flatMap((kind) =>
    (found[kind] ?? []).map((row): FoundRow => ({ kind, row })),
  );
  return { query, rows };
};

const readGuide = once(async () => indexGuide(await call('GET', 'guide/search.json')));

const hasAll =
  (text: string) =>
  ({ label, hint }: Entry): boolean =>
    hasWords(`${label} ${hint}`, text);

/** The operations that match, those whose name begins with the text first. */
const findOperations = (operations: readonly DocumentedOperation[], text: string) => {
  const isFirst = ({ operationId }: DocumentedOperation): number =>
    operationId.toLowerCase().startsWith(text.toLowerCase()) ? 0 : 1;
  return operations
    .filter(({ operationId, summary }) => hasWords(`${operationId} ${summary}`, text))
    .toSorted((one, other) => isFirst(one) - isFirst(other))
    .slice(0, MOST_OPERATIONS);
};

/** An entry that leads to an address. */
const toPlace = (group: string, label: string, href: string, hint = ''): Entry => ({
  group,
  label,
  hint,
  key: href,
  choose: () => location.assign(href),
});

const presentView = ({ id, title }: ViewTitle): Entry =>
  toPlace('View', title, `./${addressOf({ view: id })}`);

/** Leads to the same view of another environment. */
const presentEnvironment = ({ name, scenario }: EnvironmentDetails): Entry =>
  toPlace('Environment', name, addressOf({ environment: name, view: place.get().view }), scenario);

const presentRow = ({ kind: view, row }: FoundRow): Entry => {
  const kind = KINDS[view];
  const address = addressOf({ view, id: idOf(kind, row) });
  return toPlace(kind.title, nameOf(kind, row), `./${address}`, aboutOf(kind, row));
};

const presentCall = ({ sequence, method, url, status, operation = '' }: CallSummary): Entry => {
  const address = addressOf({ view: 'journal', id: String(sequence) });
  return toPlace('Call', `${method} ${url}`, `./${address}`, `${status} ${operation}`);
};

const presentOperation = ({ operationId, summary }: DocumentedOperation): Entry =>
  toPlace('Operation', operationId, `docs${addressOf({ view: operationId })}`, summary);
