/** The entries of Ctrl+K: labels of actions and places, found by words. Empty, it shows the last and the likely ones. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { useClockMoves } from './clock-strip.tsx';
import { readRows } from './data/use-rows.ts';
import { indexGuide } from './guide-index.ts';
import { type Kind, type Row, readFile } from './live/api.ts';
import { useEnvironment } from './live/environment.tsx';
import { useLoaded } from './live/loaded.tsx';
import { createStore, useStore } from './live/store.ts';
import { reset, undo } from './parts/acts.ts';
import type { Action } from './parts/buttons.tsx';
import { hasWords } from './parts/layout.tsx';
import { callOf, failuresOf, innerOf, makeEnvironment, movesOf, useKinds } from './parts/moves.ts';
import { once, readApi } from './reference/document.ts';
import { addressOf, go, place } from './route.ts';

export interface Label extends Action {
  readonly group: string;
  /** Tells entries with the same label apart. */
  readonly key: string;
}

const MOST = 30;
const MOST_OF_GROUP = 8;

/** The keys of the entries that were chosen last, newest first. */
const last = createStore<readonly string[]>([]);

export const remember = ({ key }: Label): void =>
  last.set([key, ...last.get().filter((each) => each !== key)].slice(0, 5));

const toEntry = (group: string, { label, hint = '', choose }: Action, key = label): Label => ({
  ...{ group, label, hint, choose, key },
});

/** An entry that leads to an address. */
const toPlace = (group: string, label: string, href: string, hint = ''): Label =>
  toEntry(group, { label, hint, choose: () => location.assign(href) }, href);

const readGuide = once(async () => indexGuide(await (await readFile('guide/search.json')).json()));

/** Everything that does not depend on what the user types. */
const useLabels = (kinds: readonly Kind[]): readonly Label[] => {
  const { environments, steps } = useEnvironment();
  const { steps: moves, freeze, back } = useClockMoves();
  const operations = useLoaded('', readApi).value?.operations ?? [];
  const undone = steps.at(-1);
  const actions: readonly Action[] = [
    ...(undone ? [{ label: `Undo ${undone.label}`, choose: () => undo(undone) }] : []),
    ...(back ? [back] : []),
    ...moves,
    freeze,
    { label: 'Reset', choose: () => reset() },
    ...kinds
      .filter(({ fields, group }) => fields.length > 0 && group)
      .map(({ kind, one }) => ({
        label: `New ${one}`,
        choose: () => go({ view: 'data', part: kind, id: 'new', params: {} }),
      })),
    { label: 'New environment', choose: () => makeEnvironment() },
    ...['*', ...operations.map(({ operationId }) => operationId)].flatMap((operation) =>
      failuresOf(operation).map((failure) => ({
        ...failure,
        label: `Fail next ${operation === '*' ? 'call' : operation} ${failure.label}`,
      })),
    ),
  ];
  return [
    ...actions.map((action) => toEntry('Action', action)),
    ...['calls', 'data', 'reference', 'setup'].map((view) => toPlace('Place', view, addressOf({ view }))),
    ...kinds
      .filter(({ group }) => group)
      .map(({ kind, label }) => toPlace('Data', label, addressOf({ view: 'data', part: kind }))),
    ...environments.map(({ name, scenario }) =>
      toPlace('Environment', name, addressOf({ environment: name, view: place.get().view }), scenario),
    ),
    ...operations.map(({ operationId, summary }) =>
      toPlace('Operation', operationId, addressOf({ view: 'reference', part: operationId }), summary),
    ),
  ];
};

/** The entries for a text, and whether that is all of them. */
export const useEntries = (text: string) => {
  const { name, calls } = useEnvironment();
  const kinds = useKinds();
  const labels = useLabels(kinds);
  const verb = useVerb(text, kinds);
  const paused = usePaused(verb.rest);
  const found = useLoaded(`${name} ${paused}`, () => findRows(paused)).value;
  const searchGuide = useLoaded('', readGuide).value;
  const latest = useStore(calls);
  const entries = useMemo(() => {
    if (text === '') return likely(labels);
    const rows = found?.query === verb.rest ? found.rows : [];
    const matching = labels.filter(({ label, hint = '' }) => hasWords(`${label} ${hint}`, text));
    const targets = rows.flatMap((row) => [row, ...innerOf(row)]);
    const acting = targets.flatMap((row) =>
      movesOf(row)
        .map((move) => ({ ...move, label: `${move.label} ${callOf(row)}`, hint: row.about }))
        .filter(({ label, hint }) => hasWords(`${label} ${hint}`, text))
        .map((move) => toEntry('Action', move, `${move.label} ${row.id}`)),
    );
    const begins = ({ label }: Label): number => (label.toLowerCase().startsWith(text.toLowerCase()) ? 0 : 1);
    const own = matching.toSorted((one, other) => begins(one) - begins(other)).slice(0, MOST_OF_GROUP);
    return [
      ...(verb.isAction ? acting : []),
      ...own,
      ...(verb.isAction ? [] : rows.map((row) => presentRow(row, kinds))),
      ...latest
        .filter(({ method, url, status }) => hasWords(`${method} ${url} ${status}`, text))
        .slice(0, 4)
        .map(({ sequence, method, url, status, operation = '' }) =>
          toPlace(
            'Call',
            `${method} ${url}`,
            addressOf({ view: 'calls', part: String(sequence) }),
            `${status} ${operation}`,
          ),
        ),
      ...(searchGuide?.(text) ?? [])
        .slice(0, 4)
        .map(({ section: { page, heading, href } }) =>
          toPlace('Guide', heading, `guide/${href}`, page === heading ? '' : page),
        ),
    ].slice(0, MOST);
  }, [text, labels, found, kinds, latest, searchGuide]);
  return { entries, isDone: verb.rest === '' || found?.query === verb.rest };
};

/** Whether the text begins as the label of an action on rows, and the words that then name the row. */
const useVerb = (text: string, kinds: readonly Kind[]) => {
  const words = text.toLowerCase().split(/\s+/);
  const labels = kinds.flatMap(({ actions }) => actions.map(({ label }) => label.toLowerCase()));
  const isLabel = (length: number): boolean =>
    labels.some((label) => label.startsWith(words.slice(0, length).join(' ')));
  const length = words.findLastIndex((_, place) => place < words.length - 1 && isLabel(place + 1)) + 1;
  return { isAction: length > 0, rest: words.slice(length).join(' ') };
};

/** The entries that were chosen last, and actions that many people want. */
const likely = (labels: readonly Label[]): readonly Label[] => {
  const named = (key: string): readonly Label[] => labels.filter((each) => each.key === key);
  const keys = [...last.get(), ...labels.filter(({ group }) => group === 'Action').map(({ key }) => key)];
  return [...new Set(keys)].slice(0, 12).flatMap(named);
};

const presentRow = (row: Row, kinds: readonly Kind[]): Label =>
  toPlace(
    kinds.find(({ kind }) => kind === row.kind)?.label ?? '',
    row.title,
    addressOf({ view: 'data', part: row.kind, id: row.id }),
    row.about,
  );

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

const findRows = async (query: string) => ({
  query,
  rows: query === '' ? [] : (await readRows('any', { query })).rows,
});
