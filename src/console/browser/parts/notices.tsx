/** Runs actions of the user, and shows their results as short notices, which screen readers read out. */
import { CallError, call, type KindName, within } from '../live/api.ts';
import { createStore, useStore } from '../live/store.ts';
import { ICONS } from './icons.tsx';

interface ConsoleNotice {
  readonly kind: 'done' | 'working' | 'problem';
  readonly text: string;
  /** What to do next. */
  readonly hint?: string;
  /** A button that undoes the action, or tries it again after a failure. */
  readonly button?: { readonly label: string; choose(): void } | undefined;
}

const notices = createStore<readonly ConsoleNotice[]>([]);

/** How many milliseconds a notice stays. It stays longer if it offers undo; a problem stays until the user closes it. */
const SHOWN = 4_000;
const SHOWN_WITH_UNDO = 15_000;
const MOST = 3;

const close = (notice: ConsoleNotice | undefined): void =>
  notices.set(notices.get().filter((one) => one !== notice));

const show = (notice: ConsoleNotice): void => {
  notices.set([...notices.get(), notice].slice(-MOST));
  if (notice.kind === 'done') setTimeout(() => close(notice), notice.button ? SHOWN_WITH_UNDO : SHOWN);
};

/** Shows a notice of success. */
export const tell = (text: string): void => show({ kind: 'done', text });

/** Shows one progress notice. Each text replaces the last; a call without a text removes the notice. */
export const createProgress = (): ((text?: string) => void) => {
  let last: ConsoleNotice | undefined;
  return (text) => {
    close(last);
    last = text === undefined ? undefined : { kind: 'working', text };
    if (last) show(last);
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
    const text = typeof done === 'function' ? done() : done;
    const button = undo && { label: 'Undo', choose: () => act(undo, 'Taken back.') };
    if (text !== undefined) show({ kind: 'done', text, button });
    return value;
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    const hint = error instanceof CallError ? error.hint : '';
    const button = { label: 'Try again', choose: () => act(doing, done, undo) };
    show({ kind: 'problem', text, hint, button });
    return undefined;
  }
};

/**
 * Runs a step that replaces or removes rows, and offers to undo it.
 * @param rows the ids of the rows that undo restores, by kind; default: undo restores everything
 */
export const actWithUndo = (
  environment: string,
  doing: () => Promise<unknown>,
  done: string | (() => string),
  rows?: Partial<Record<KindName, readonly string[]>>,
): Promise<unknown> => {
  const points = within(environment, '/undo-points');
  let point = '';
  const step = async (): Promise<void> => {
    const { id } = await call<{ readonly id: string }>('POST', points);
    await doing();
    point = `${points}/${id}`;
  };
  const undo = async (): Promise<void> => {
    if (!rows && !(await isMeant(point))) throw new Error('Nothing was undone.');
    await call('POST', point, rows ? { rows } : {});
  };
  return act(step, done, undo);
};

/** Asks for confirmation if undo would also drop later changes. */
const isMeant = async (point: string): Promise<boolean> => {
  const { changes } = await call<{ readonly changes: number }>('GET', point);
  const what = changes === 1 ? 'One change was' : `${changes} changes were`;
  return changes === 0 || confirm(`${what} made since then. Undo also removes those.`);
};

/** Resets the environment. @param body may name another scenario */
export const resetEnvironment = (
  name: string,
  body: { readonly scenario?: string } = {},
  done = `${name} was reset.`,
): Promise<unknown> => actWithUndo(name, () => call('POST', within(name, '/reset'), body), done);

export const Notices = () => (
  <div class="notices" role="status" aria-live="polite">
    {useStore(notices).map((notice) => (
      <div key={notice} class={`notice ${notice.kind}`}>
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
