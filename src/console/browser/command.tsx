/** Ctrl+K: labels of everything that the page can show or do, found by words. Empty, it shows the last and the likely ones. */
import { useState } from 'preact/hooks';
import { useClockMoves } from './clock-strip.tsx';
import type { FullRow, Kind } from './live/api.ts';
import { readRows, useEnvironment, useLoaded } from './live/live.tsx';
import { type Action, callOf, failuresOf, makeEnvironment, movesOf, reset, undo } from './parts/acts.ts';
import { Choices, ICONS, Popover } from './parts/buttons.tsx';
import { hasWords, submitted } from './parts/layout.tsx';
import { readApi } from './reference/document.ts';
import { go, place } from './route.ts';

const ID = 'command';

export const Command = () => {
  const face = [ICONS.search, <span children={['Search or act ', <small>Ctrl K</small>]} />];
  return <Popover {...{ id: ID, face }} className="command" label="Search or act" children={<Search />} />;
};

document.addEventListener(
  'keydown',
  (event) => {
    const { key, ctrlKey, metaKey, altKey } = event;
    if (key.toLowerCase() !== 'k' || altKey || !(ctrlKey || metaKey)) return;
    event.preventDefault();
    document.getElementById(ID)?.showPopover();
  },
  true,
);

/** Enter in the field takes the first entry; the arrow keys walk to the others. */
const Search = () => {
  const [text, setText] = useState('');
  const { entries, told } = useEntries(text);
  const items = entries.map((entry) => ({ ...entry, choose: () => take(entry) }));
  const takeFirst = (): void => {
    document.getElementById(ID)?.hidePopover();
    items[0]?.choose();
  };
  return (
    <form class="entries" onSubmit={submitted(takeFirst)}>
      <input
        type="text"
        aria-label="Search or act"
        placeholder="ada mail · fail list 429 · +1 day · new user · reset"
        autocomplete="off"
        maxLength={200}
        onInput={({ currentTarget }) => setText(currentTarget.value.trim())}
      />
      <Choices items={items} />
      <p class="quiet" role="status" children={told} />
    </form>
  );
};

/** The most entries for a text, the most of them that are labels, and the most without a text. */
const [MOST, MOST_LABELS, MOST_LIKELY] = [30, 8, 12];

const textOf = ({ label, hint = '' }: Action): string => `${label} ${hint}`;

/** The entries that were chosen last, newest first, by their texts. */
let last: readonly string[] = [];

const take = (entry: Action): void => {
  last = [...new Set([textOf(entry), ...last])].slice(0, 5);
  entry.choose();
};

/** First the entries that were chosen last. */
const rank = (entry: Action): number =>
  last.includes(textOf(entry)) ? last.indexOf(textOf(entry)) : last.length;

const by = (order: (entry: Action) => number) => (one: Action, other: Action) => order(one) - order(other);

const toPlace = (label: string, hint: string, route: Parameters<typeof go>[0]): Action => {
  return { label, hint, choose: () => go({ part: '', id: '', params: {}, ...route }) };
};

/** Everything that does not depend on what the user types. */
const useLabels = (): readonly Action[] => {
  const { environments, steps, kinds } = useEnvironment();
  const moves = useClockMoves();
  const operations = useLoaded('', readApi).value?.operations ?? [];
  const shown = kinds.filter(({ group }) => group);
  const made = shown.filter(({ fields }) => fields.length > 0);
  const { view } = place.get();
  return [
    ...steps.slice(-1).map((step) => ({ label: `Undo ${step.label}`, choose: () => undo(step) })),
    ...moves,
    { label: 'Reset', choose: () => reset() },
    ...made.map(({ kind, one }) => toPlace(`New ${one}`, '', { view: 'data', part: kind, id: 'new' })),
    { label: 'New environment', choose: () => makeEnvironment() },
    ...['*', ...operations.map(({ operationId }) => operationId)]
      .flatMap(failuresOf)
      .map(({ name, ...failure }) => ({ ...failure, label: name })),
    ...['calls', 'data', 'reference', 'setup'].map((name) => toPlace(name, 'Place', { view: name })),
    ...shown.map(({ kind, label }) => toPlace(label, 'Data', { view: 'data', part: kind })),
    ...environments.map(({ name: environment, scenario }) =>
      toPlace(environment, `Environment · ${scenario}`, { environment, view }),
    ),
    ...operations.map(({ operationId: part, summary }) =>
      toPlace(part, `Operation · ${summary}`, { view: 'reference', part }),
    ),
  ];
};

/** The entries for a text, and how many were found. A text with a verb finds what can be done to rows, another the rows. */
const useEntries = (text: string) => {
  const { kinds } = useEnvironment();
  const labels = useLabels();
  const names = namesIn(text, kinds);
  const query = names || text;
  const read = async () => ({ query, rows: query === '' ? [] : (await readRows('any', query)).rows });
  const { value } = useLoaded(query, read);
  if (text === '') return { entries: labels.toSorted(by(rank)).slice(0, MOST_LIKELY), told: '' };
  const fits = (entry: Action): boolean => hasWords(textOf(entry), text);
  const begins = ({ label }: Action): number => (label.toLowerCase().startsWith(text.toLowerCase()) ? 0 : 1);
  const found = labels.filter(fits).sort(by(begins)).slice(0, MOST_LABELS);
  const toRow = ({ kind, title, id, about }: FullRow): Action => {
    const { label } = kinds.find((each) => each.kind === kind) ?? {};
    return toPlace(title, [label, about].filter(Boolean).join(' · '), { view: 'data', part: kind, id });
  };
  const isRead = value?.query === query;
  const rows = isRead ? value.rows : [];
  const isAct = names !== '' && names !== text.toLowerCase();
  const all = isAct ? [...rows.flatMap(actionsOf).filter(fits), ...found] : [...found, ...rows.map(toRow)];
  const entries = all.slice(0, MOST);
  return { entries, told: isRead ? `${entries.length || 'Nothing'} found.` : 'Searching…' };
};

/** What can be done to a row, and to the rows inside it. */
const actionsOf = (row: FullRow): readonly Action[] =>
  [row, ...row.parts.flatMap(({ rows }) => rows)].flatMap((each) =>
    movesOf(each).map((move) => ({ ...move, label: `${move.label} ${callOf(each)}`, hint: each.about })),
  );

/** The words that no action on rows has in its label: with others that do, they name the row. */
const namesIn = (text: string, kinds: readonly Kind[]): string => {
  const verbs = kinds
    .flatMap(({ actions }) => actions.map(({ label }) => ` ${label.toLowerCase()}`))
    .join('');
  const words = text.toLowerCase().split(/\s+/);
  return words.filter((word) => !verbs.includes(` ${word}`)).join(' ');
};
