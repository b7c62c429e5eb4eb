/** Short notices at the edge of the page, read out by screen readers. A problem stays until it is closed. */
import { CallError } from '../live/api.ts';
import { createStore, useStore } from '../live/store.ts';
import { ICONS } from './icons.tsx';

interface ConsoleNotice {
  readonly id: number;
  readonly kind: 'done' | 'problem';
  readonly text: string;
  /** What to do next. */
  readonly hint?: string | undefined;
  readonly undo?: (() => Promise<unknown>) | undefined;
}

const notices = createStore<readonly ConsoleNotice[]>([]);
let made = 0;

/** Milliseconds that a notice of something done stays; longer where it can be undone. */
const SHOWN = 4_000;
const SHOWN_WITH_UNDO = 15_000;
const MOST = 3;

const show = (notice: Omit<ConsoleNotice, 'id'>): void => {
  made += 1;
  const one = { id: made, ...notice };
  notices.set([...notices.get(), one].slice(-MOST));
  if (notice.kind === 'done') setTimeout(() => close(one), notice.undo ? SHOWN_WITH_UNDO : SHOWN);
};

const close = (notice: ConsoleNotice): void => notices.set(notices.get().filter((one) => one !== notice));

/** Says that something is done. */
export const tell = (text: string): void => show({ kind: 'done', text });

/**
 * Does something a person asked for, and says how it ended.
 * @param done nothing is said if it is left out
 * @param undo takes it back
 */
export const act = async <Value,>(
  doing: Promise<Value>,
  done?: string,
  undo?: () => Promise<unknown>,
): Promise<Value | undefined> => {
  try {
    const value = await doing;
    if (done !== undefined) show({ kind: 'done', text: done, undo });
    return value;
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    show({ kind: 'problem', text, hint: error instanceof CallError ? error.hint : undefined });
    return undefined;
  }
};

const takeBack = (notice: ConsoleNotice): void => {
  close(notice);
  if (notice.undo) act(notice.undo(), 'Taken back.');
};

export const Notices = () => (
  <div class="notices" role="status" aria-live="polite">
    {useStore(notices).map((notice) => (
      <div key={notice.id} class={`notice ${notice.kind}`}>
        <p>
          {notice.text} {notice.hint !== undefined && <small>{notice.hint}</small>}
        </p>
        {notice.undo && (
          <button type="button" class="small" onClick={() => takeBack(notice)}>
            Undo
          </button>
        )}
        <button type="button" class="bare" aria-label="Close" onClick={() => close(notice)}>
          {ICONS.close}
        </button>
      </div>
    ))}
  </div>
);
