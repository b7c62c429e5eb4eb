/** Ctrl+K: one list of everything that the page can show or do, found by words. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Label, remember, useEntries } from './commands.ts';
import { createStore, useStore } from './live/store.ts';
import { ICONS } from './parts/buttons.tsx';
import { reveal } from './parts/layout.tsx';

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

export const Command = () => {
  useEffect(() => {
    document.addEventListener('keydown', answerKey, true);
    return () => document.removeEventListener('keydown', answerKey, true);
  }, []);
  return useStore(isOpen) ? <Dialog /> : null;
};

/** Closing gives the focus back to where it was. */
const Dialog = () => {
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
      aria-label="Search or act"
      onClose={() => dialog.current && isOpen.set(false)}
      closedby="any"
    >
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
