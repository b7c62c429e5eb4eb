/** Short notices at the edge of the page. Screen readers read them out. A problem stays until the user closes it. */
import { CallError } from '../live/api.ts';
import { createStore, useStore } from '../live/store.ts';
import { ICONS } from './icons.tsx';

interface ConsoleNotice {
  readonly id: number;
  readonly kind: 'done' | 'working' | 'problem';
  readonly text: string;
  /** What to do next. */
  readonly hint?: string;
  /** A button that undoes the action, or tries it again after a failure. */
  readonly button?: { readonly label: string; choose(): void } | undefined;
}

const notices = createStore<readonly ConsoleNotice[]>([]);
let made = 0;

/** How many milliseconds a notice stays. It stays longer if it offers undo. */
const SHOWN = 4_000;
const SHOWN_WITH_UNDO = 15_000;
const MOST = 3;

/** @returns a function that closes the notice */
const show = (notice: Omit<ConsoleNotice, 'id'>): (() => void) => {
  made += 1;
  const id = made;
  const close = (): void => notices.set(notices.get().filter((one) => one.id !== id));
  notices.set([...notices.get(), { ...notice, id }].slice(-MOST));
  if (notice.kind === 'done') setTimeout(close, notice.button ? SHOWN_WITH_UNDO : SHOWN);
  return close;
};

/** Shows a notice of success. */
export const tell = (text: string): void => {
  show({ kind: 'done', text });
};

/** Shows one progress notice. Each text replaces the last; a call without a text removes the notice. */
export const createProgress = (): ((text?: string) => void) => {
  let close = (): void => {};
  return (text) => {
    close();
    if (text !== undefined) close = show({ kind: 'working', text });
  };
};

/**
 * Runs an action of the user, and shows its result. After a failure, the notice has a button to try again.
 * @param done the notice after success; none by default
 * @param undo undoes the action
 */
export const act = async <Value,>(
  doing: () => Promise<Value>,
  done?: string | (() => string),
  undo?: () => Promise<unknown>,
): Promise<Value | undefined> => {
  try {
    const value = await doing();
    const takeBack = { label: 'Undo', choose: () => undo && act(undo, 'Taken back.') };
    const text = typeof done === 'function' ? done() : done;
    if (text !== undefined) show({ kind: 'done', text, button: undo && takeBack });
    return value;
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    const hint = error instanceof CallError ? error.hint : '';
    const button = { label: 'Try again', choose: () => act(doing, done, undo) };
    show({ kind: 'problem', text, hint, button });
    return undefined;
  }
};

const close = (notice: ConsoleNotice): void => notices.set(notices.get().filter((one) => one !== notice));

export const Notices = () => (
  <div class="notices" role="status" aria-live="polite">
    {useStore(notices).map((notice) => (
      <div key={notice.id} class={`notice ${notice.kind}`}>
        <p>
          {notice.text} {notice.hint && <small>{notice.hint}</small>}
        </p>
        {notice.button && (
          <button
            type="button"
            class="small"
            onClick={() => {
              close(notice);
              notice.button?.choose();
            }}
          >
            {notice.button.label}
          </button>
        )}
        <button type="button" class="bare" aria-label={`Close: ${notice.text}`} onClick={() => close(notice)}>
          {ICONS.close}
        </button>
      </div>
    ))}
  </div>
);
