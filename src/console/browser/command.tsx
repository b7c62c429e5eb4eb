/** Ctrl+K: one field that finds rows, calls, operations, views and sections of the guide. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Entry, useEntries, type ViewTitle } from './commands.ts';
import { createStore, useStore } from './live/store.ts';
import { ICONS } from './parts/buttons.tsx';
import { Facts, reveal } from './parts/layout.tsx';

const isOpen = createStore(false);

export const openCommand = (): void => isOpen.set(true);

export const CommandButton = () => (
  <button
    type="button"
    class="command"
    aria-haspopup="dialog"
    aria-keyshortcuts="Control+K Meta+K"
    onClick={openCommand}
  >
    {ICONS.search}{' '}
    <span>
      Search <kbd>Ctrl K</kbd>
    </span>
  </button>
);

/** The keys that work anywhere in the console and the references. */
const answerKey = (event: KeyboardEvent): void => {
  const { key, ctrlKey, metaKey, altKey, target } = event;
  const isCommand = key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey;
  const isTyping = target instanceof Element && target.closest('input, select, textarea, dialog');
  const isPlain = !isTyping && !ctrlKey && !metaKey && !altKey;
  if (!isCommand && !(isPlain && (key === '/' || key === '?'))) return;
  event.preventDefault();
  const field = key === '/' ? document.querySelector<HTMLElement>('.search input') : null;
  if (field) field.focus();
  else openCommand();
};

interface CommandProps {
  readonly views: readonly ViewTitle[];
}

export const Command = (props: CommandProps) => {
  useEffect(() => {
    document.addEventListener('keydown', answerKey, true);
    return () => document.removeEventListener('keydown', answerKey, true);
  }, []);
  return useStore(isOpen) ? <Dialog {...props} /> : null;
};

/** Closing gives the focus back to where it was. */
const Dialog = (props: CommandProps) => {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  // At once: the browser's own event comes later, when a key may have opened the dialog again.
  const close = (): void => {
    dialog.current?.close();
    isOpen.set(false);
  };
  return (
    <dialog
      ref={dialog}
      class="command"
      aria-label="Search everything"
      onClose={() => dialog.current && isOpen.set(false)}
      onClick={({ target }) => target === dialog.current && close()}
      onKeyDown={(event) => {
        event.stopPropagation(); // otherwise Escape would also close the panel behind the dialog
        if (event.key !== 'Escape') return;
        event.preventDefault();
        close();
      }}
    >
      <Search {...props} close={close} />
    </dialog>
  );
};

/** What the dialog shows before the user types. */
const KEYS = [
  ['Ctrl K', 'Search everything (Cmd K on a Mac)'],
  ['/', 'Go to the search of the view'],
  ['?', 'List the keys'],
  ['Enter', 'Open the row, the call or the menu'],
  ['↑ ↓', 'Move through a menu, and through what a search found'],
  ['Escape', 'Close the menu, or else the panel'],
] as const;

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

const Search = ({ views, close }: CommandProps & { readonly close: () => void }) => {
  const [text, setText] = useState('');
  const [chosen, choose] = useState('');
  const { entries, isDone } = useEntries(text, views);
  // The chosen entry stays chosen when more entries arrive above it.
  const at = Math.max(
    0,
    entries.findIndex(({ key }) => key === chosen),
  );
  const run = (entry: Entry | undefined): void => {
    if (!entry) return;
    close();
    entry.choose();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = STEPS[event.key];
    const next = entries[(at + (step ?? 0) + entries.length) % entries.length];
    if (event.isComposing || (step === undefined && event.key !== 'Enter')) return;
    event.preventDefault();
    if (step === undefined) run(entries[at]);
    else if (next) choose(next.key);
  };
  return (
    <>
      <input
        type="text"
        role="combobox"
        aria-label="Search everything"
        aria-autocomplete="list"
        aria-expanded={entries.length > 0}
        aria-controls="commands"
        aria-activedescendant={entries.length > 0 ? `command-${at}` : undefined}
        placeholder="A row, a call or a view"
        autocomplete="off"
        maxLength={200}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value.trim());
          choose('');
        }}
        onKeyDown={onKeyDown}
      />
      <Found entries={entries} at={at} run={run} />
      {text === '' && <Facts of={KEYS.map(([key, what]) => [<kbd key={key}>{key}</kbd>, what])} />}
      <p class="quiet" role="status">
        {text !== '' && statusOf(entries.length, isDone)}
      </p>
    </>
  );
};

const statusOf = (count: number, isDone: boolean): string => {
  if (!isDone) return 'Searching…';
  return count === 0 ? 'Nothing matches.' : `${count} found.`;
};

interface FoundProps {
  readonly entries: readonly Entry[];
  readonly at: number;
  readonly run: (entry: Entry) => void;
}

const Found = ({ entries, at, run }: FoundProps) =>
  entries.length > 0 && (
    <div id="commands" class="found" role="listbox" aria-label="Found">
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
  );
