/** Ctrl+K: labels of everything that the page can show or do, found by words. Empty, it shows the last and the likely ones. */
import { useState } from 'preact/hooks';
import { useClockMoves } from './clock-strip.tsx';
import type { FullRow, Kind } from './live/api.ts';
import { readRows, useEnvironment, useLoaded } from './live/live.tsx';
import { type Action, callOf, failuresOf, makeEnvironment, movesOf, reset, undo } from './parts/acts.ts';
import { Choices, ICONS, Popover } from './parts/buttons.tsx';
import { hasWords, submitted } from './parts/layout.tsx';
import { readApi } from './reference/document.ts';
import { addressOf, go, place } from './route.ts';

const ID = 'command';

const FACE = [ICONS.search, <span children={['Search or act ', <small>Ctrl K</small>]} />];

export const Command = () => (
  <Popover id={ID} className="command" label="Search or act" face={FACE}>
    <Search />
  </Popover>
);

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
  const run = ({ key, choose }: Entry): void => {
    last = [key, ...last.filter((each) => each !== key)].slice(0, 5);
    choose();
  };
  const items = entries.map((entry) => ({ ...entry, choose: () => run(entry) }));
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
      <Choices items={items} id={ID} />
      <p class="quiet" role="status">
        {told}
      </p>
    </form>
  );
};

interface Entry extends Action {
  /** Tells entries with the same label apart. */
  readonly key: string;
}

/** The most entries for a text, the most of them that are labels, and the most without a text. */
const [MOST, MOST_LABELS, MOST_LIKELY] = [30, 8, 12];

/** The keys of the entries that were chosen last, newest first. */
let last: readonly string[] = [];

/** First the entries that were chosen last. */
const rank = ({ key }: Entry): number => (last.includes(key) ? last.indexOf(key) : last.length);

const toEntry = (action: Action, key = action.label): Entry => ({ ...action, key });

/** An entry that leads to a route. */
const toPlace = (label: string, hint: string, route: Parameters<typeof go>[0]): Entry => {
  const choose = () => go({ part: '', id: '', params: {}, ...route });
  return { label, hint, key: addressOf(route), choose };
};

/** Everything that does not depend on what the user types. */
const useLabels = (): readonly Entry[] => {
  const { environments, steps, kinds } = useEnvironment();
  const moves = useClockMoves();
  const operations = useLoaded('', readApi).value?.operations ?? [];
  const shown = kinds.filter(({ group }) => group);
  const made = shown.filter(({ fields }) => fields.length > 0);
  const { view } = place.get();
  const actions: readonly Action[] = [
    ...steps.slice(-1).map((step) => ({ label: `Undo ${step.label}`, choose: () => undo(step) })),
    ...moves,
    { label: 'Reset', choose: () => reset() },
    ...made.map(({ kind, one }) => toPlace(`New ${one}`, '', { view: 'data', part: kind, id: 'new' })),
    { label: 'New environment', choose: () => makeEnvironment() },
    ...['*', ...operations.map(({ operationId }) => operationId)]
      .flatMap(failuresOf)
      .map(({ name, ...failure }) => ({ ...failure, label: name })),
  ];
  return [
    ...actions.map((action) => toEntry(action)),
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

/** The entries for a text, and how many were found. */
const useEntries = (text: string) => {
  const { kinds } = useEnvironment();
  const labels = useLabels();
  const names = namesIn(text, kinds);
  const isAct = names !== '' && names !== text.toLowerCase();
  const query = names || text;
  const read = async () => ({ query, rows: query === '' ? [] : (await readRows('any', query)).rows });
  const { value } = useLoaded(query, read);
  if (text === '') return { entries: labels.toSorted(by(rank)).slice(0, MOST_LIKELY), told: '' };
  const rows = value?.query === query ? value.rows : [];
  const fits = ({ label, hint = '' }: Action): boolean => hasWords(`${label} ${hint}`, text);
  const begins = ({ label }: Entry): number => (label.toLowerCase().startsWith(text.toLowerCase()) ? 0 : 1);
  const places = rows.map(({ kind, title, id, about }) => {
    const { label } = kinds.find((each) => each.kind === kind) ?? {};
    return toPlace(title, [label, about].filter(Boolean).join(' · '), { view: 'data', part: kind, id });
  });
  const entries = [
    ...(isAct ? rows.flatMap(actionsOf).filter(fits) : []),
    ...labels.filter(fits).sort(by(begins)).slice(0, MOST_LABELS),
    ...(isAct ? [] : places),
  ].slice(0, MOST);
  return { entries, told: value?.query === query ? `${entries.length || 'Nothing'} found.` : 'Searching…' };
};

const by = (order: (entry: Entry) => number) => (one: Entry, other: Entry) => order(one) - order(other);

/** What can be done to a row, and to the rows inside it. */
const actionsOf = (row: FullRow): readonly Entry[] =>
  [row, ...row.parts.flatMap(({ rows }) => rows)].flatMap((each) =>
    movesOf(each).map((move) => {
      const label = `${move.label} ${callOf(each)}`;
      return toEntry({ ...move, label, hint: each.about }, `${label} ${each.id}`);
    }),
  );

/** The words that no action on rows has in its label: with others that do, they name the row. */
const namesIn = (text: string, kinds: readonly Kind[]): string => {
  const verbs = kinds.flatMap(({ actions }) => actions.map(({ label }) => label.toLowerCase()));
  const isVerb = (word: string): boolean => ` ${verbs.join(' ')}`.includes(` ${word}`);
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => !isVerb(word))
    .join(' ');
};
