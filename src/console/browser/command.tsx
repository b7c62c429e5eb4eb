/** Ctrl+K: labels of everything that the page can show or do, found by words. Empty, it shows the last and the likely ones. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useClockMoves } from './clock-strip.tsx';
import { indexGuide } from './guide-index.ts';
import { type Kind, type Row, readFile } from './live/api.ts';
import { readRows, useEnvironment, useLoaded } from './live/live.tsx';
import { createStore, useStore } from './live/store.ts';
import { reset, undo } from './parts/acts.ts';
import { type Action, ICONS } from './parts/buttons.tsx';
import { hasWords, reveal } from './parts/layout.tsx';
import { callOf, failuresOf, innerOf, makeEnvironment, movesOf } from './parts/moves.ts';
import { once, readApi } from './reference/document.ts';
import { addressOf, go, place } from './route.ts';

const isOpen = createStore(false);

export const CommandButton = () => (
  <button
    type="button"
    class="command"
    aria-haspopup="dialog"
    aria-keyshortcuts="Control+K Meta+K"
    onClick={() => isOpen.set(true)}
  >
    {ICONS.search}{' '}
    <span>
      Search or act <small>Ctrl K</small>
    </span>
  </button>
);

/** The keys that work anywhere in the console. */
const answerKey = (event: KeyboardEvent): void => {
  const { key, ctrlKey, metaKey, altKey, target } = event;
  if (altKey) return;
  const isCommand = key.toLowerCase() === 'k' && (ctrlKey || metaKey);
  const isTyping = target instanceof Element && target.closest('input, select, textarea, dialog');
  const isSlash = key === '/' && !isTyping && !ctrlKey && !metaKey;
  if (!isCommand && !isSlash) return;
  event.preventDefault();
  const field = isSlash ? document.querySelector<HTMLElement>('.search input') : null;
  if (field) field.focus();
  else isOpen.set(true);
};

/** Closing gives the focus back to where it was. */
export const Command = () => {
  const dialog = useRef<HTMLDialogElement>(null);
  const isShown = useStore(isOpen);
  useEffect(() => {
    document.addEventListener('keydown', answerKey, true);
    return () => document.removeEventListener('keydown', answerKey, true);
  }, []);
  useLayoutEffect(() => dialog.current?.showModal(), [isShown]);
  if (!isShown) return null;
  // Without its content at once: the browser's own event comes later, when a key may have opened the dialog again.
  const close = (): void => {
    dialog.current?.close();
    isOpen.set(false);
  };
  const hear = () => dialog.current && isOpen.set(false);
  return (
    <dialog ref={dialog} class="command" aria-label="Search or act" onClose={hear} closedby="any">
      <Search close={close} />
    </dialog>
  );
};

const Search = ({ close }: { readonly close: () => void }) => {
  const [text, setText] = useState('');
  const [chosen, choose] = useState('');
  const { entries, told } = useEntries(text);
  // The chosen entry stays chosen when more entries arrive above it.
  const at = Math.max(
    0,
    entries.findIndex(({ key }) => key === chosen),
  );
  const run = (entry: Label): void => {
    close();
    remember(entry);
    entry.choose();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Enter: at }[event.key];
    const entry = to === undefined || event.isComposing ? undefined : entries.at(to % entries.length);
    if (!entry) return;
    event.preventDefault();
    if (event.key === 'Enter') run(entry);
    else choose(entry.key);
  };
  return (
    <>
      <input
        type="text"
        role="combobox"
        aria-label="Search or act"
        aria-autocomplete="list"
        aria-expanded={entries.length > 0}
        aria-controls="commands"
        aria-activedescendant={entries.length > 0 ? `command-${at}` : undefined}
        placeholder="ada mail · fail list 429 · +1 day · new user · reset"
        autocomplete="off"
        maxLength={200}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value.trim());
          choose('');
        }}
        onKeyDown={onKeyDown}
      />
      <div id="commands" role="listbox" aria-label="Found" hidden={entries.length === 0}>
        {entries.map((entry, place) => (
          // The keyboard chooses an option in the field, which keeps the focus.
          <button
            type="button"
            tabIndex={-1}
            key={entry.key}
            ref={place === at ? reveal : null}
            id={`command-${place}`}
            role="option"
            aria-selected={place === at}
            onClick={() => run(entry)}
          >
            <span>{entry.label}</span>
            <small>{entry.group}</small>
            {entry.hint && <small class="hint">{entry.hint}</small>}
          </button>
        ))}
      </div>
      <p class="quiet" role="status">
        {told}
      </p>
    </>
  );
};

interface Label extends Action {
  readonly group: string;
  /** Tells entries with the same label apart. */
  readonly key: string;
}

const MOST = 30;
const MOST_OF_GROUP = 8;

/** The keys of the entries that were chosen last, newest first. */
let last: readonly string[] = [];

const remember = ({ key }: Label): void => {
  last = [key, ...last.filter((each) => each !== key)].slice(0, 5);
};

const toAction = (action: Action, key = action.label): Label => ({ ...action, group: 'Action', key });

/** An entry that leads to an address. */
const toPlace = (group: string, label: string, href: string, hint = ''): Label => ({
  ...{ group, label, hint, key: href },
  choose: () => location.assign(href),
});

const readGuide = once(async () => indexGuide(await (await readFile('guide/search.json')).json()));

/** Everything that does not depend on what the user types. */
const useLabels = (): readonly Label[] => {
  const { environments, steps, kinds } = useEnvironment();
  const { moves, back } = useClockMoves();
  const operations = useLoaded('', readApi).value?.operations ?? [];
  const shown = kinds.filter(({ group }) => group);
  const { view } = place.get();
  const actions: readonly Action[] = [
    ...steps.slice(-1).map((step) => ({ label: `Undo ${step.label}`, choose: () => undo(step) })),
    ...back,
    ...moves,
    { label: 'Reset', choose: () => reset() },
    ...shown
      .filter(({ fields }) => fields.length > 0)
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
    ...actions.map((action) => toAction(action)),
    ...['calls', 'data', 'reference', 'setup'].map((name) =>
      toPlace('Place', name, addressOf({ view: name })),
    ),
    ...shown.map(({ kind, label }) => toPlace('Data', label, addressOf({ view: 'data', part: kind }))),
    ...environments.map(({ name, scenario }) =>
      toPlace('Environment', name, addressOf({ environment: name, view }), scenario),
    ),
    ...operations.map(({ operationId, summary }) =>
      toPlace('Operation', operationId, addressOf({ view: 'reference', part: operationId }), summary),
    ),
  ];
};

/** The entries for a text, and how many were found. */
const useEntries = (text: string) => {
  const { kinds } = useEnvironment();
  const labels = useLabels();
  const { isAction, rest } = readVerb(text, kinds);
  const found = useFoundRows(rest);
  const searchGuide = useLoaded('', readGuide).value;
  if (text === '') return { entries: likely(labels), told: '' };
  const rows = found ?? [];
  const fits = ({ label, hint = '' }: Action): boolean => hasWords(`${label} ${hint}`, text);
  const begins = ({ label }: Label): number => (label.toLowerCase().startsWith(text.toLowerCase()) ? 0 : 1);
  const entries = [
    ...(isAction ? rows.flatMap(actionsOf).filter(fits) : []),
    ...labels
      .filter(fits)
      .sort((one, other) => begins(one) - begins(other))
      .slice(0, MOST_OF_GROUP),
    ...(isAction
      ? []
      : rows.map(({ kind, title, id, about }) => {
          const group = kinds.find((each) => each.kind === kind)?.label ?? '';
          return toPlace(group, title, addressOf({ view: 'data', part: kind, id }), about);
        })),
    ...(searchGuide?.(text).slice(0, 4) ?? []).map(({ page, heading, href }) =>
      toPlace('Guide', heading, `guide/${href}`, page === heading ? '' : page),
    ),
  ].slice(0, MOST);
  return { entries, told: found ? `${entries.length || 'Nothing'} found.` : 'Searching…' };
};

/** What can be done to a row, and to the rows inside it. */
const actionsOf = (row: Row): readonly Label[] =>
  [row, ...innerOf(row)].flatMap((each) =>
    movesOf(each).map((move) => {
      const label = `${move.label} ${callOf(each)}`;
      return toAction({ ...move, label, hint: each.about }, `${label} ${each.id}`);
    }),
  );

/** Whether the text begins as the label of an action on rows, and the words that then name the row. */
const readVerb = (text: string, kinds: readonly Kind[]) => {
  const words = text.toLowerCase().split(/\s+/);
  const labels = kinds.flatMap(({ actions }) => actions.map(({ label }) => label.toLowerCase()));
  const isLabel = (length: number): boolean =>
    labels.some((label) => label.startsWith(words.slice(0, length).join(' ')));
  const length = words.findLastIndex((_, at) => at < words.length - 1 && isLabel(at + 1)) + 1;
  return { isAction: length > 0, rest: words.slice(length).join(' ') };
};

/** The entries that were chosen last, and actions that many people want. */
const likely = (labels: readonly Label[]): readonly Label[] => {
  const keys = new Set([...last, ...labels.map(({ key }) => key)].slice(0, 12));
  return [...keys].flatMap((key) => labels.find((each) => each.key === key) ?? []);
};

/** The rows that the server finds; undefined until it has answered. */
const useFoundRows = (query: string): readonly Row[] | undefined => {
  const load = async () => ({ query, rows: query === '' ? [] : (await readRows('any', { query })).rows });
  const found = useLoaded(query, load).value;
  return found?.query === query ? found.rows : undefined;
};
