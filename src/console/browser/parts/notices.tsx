/** Short notices at the edge of the page, read out by screen readers. A problem stays until it is closed. */
import { CallError } from '../live/api.ts';
import { createStore, useStore } from '../live/store.ts';
import { ICONS } from './icons.tsx';

interface Notice {
  readonly id: number;
  readonly kind: 'done' | 'problem';
  readonly text: string;
  /** What to do next. */
  readonly hint?: string | undefined;
  readonly undo?: (() => Promise<unknown>) | undefined;
}

const notices = createStore<readonly Notice[]>([]);
let made = 0;

/** Milliseconds that a notice of something done stays; longer where it can be undone. */
const SHOWN = 4_000;
const SHOWN_WITH_UNDO = 15_000;
const MOST = 3;

const show = (notice: Omit<Notice, 'id'>): void => {
  made += 1;
  const one = { id: made, ...notice };
  notices.set([...notices.get(), one].slice(-MOST));
  if (notice.kind === 'done') setTimeout(() => close(one), notice.undo ? SHOWN_WITH_UNDO : SHOWN);
};

const close = (notice: Notice): void => notices.set(notices.get().filter((one) => one !== notice));

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

export const Notices = () => (
  <div class="notices" role="status" aria-live="polite">
    {useStore(notices).map((notice) => (
      <div key={notice.id} class={`notice ${notice.kind}`}>
        <p>
          {notice.text} {notice.hint !== undefined && <small>{notice.hint}</small>}
        </p>
        {notice.undo && <UndoButton notice={notice} undo={notice.undo} />}
        <button type="button" class="bare" aria-label="Close" onClick={() => close(notice)}>
          {ICONS.close}
        </button>
      </div>
    ))}
  </div>
);

const UndoButton = ({ notice, undo }: { readonly notice: Notice; readonly undo: () => Promise<unknown> }) => (
  <button
    type="button"
    class="small"
    onClick={() => {
      close(notice);
      act(undo(), 'Taken back.');
    }}
  >
    Undo
  </button>
);
