/** Short notices at the edge of the page, read out by screen readers. */
import { createStore, useStore } from '../live/store.ts';

interface Notice {
  readonly id: number;
  readonly text: string;
  readonly kind: 'done' | 'problem';
}

const notices = createStore<readonly Notice[]>([]);
let made = 0;

/** Milliseconds. */
const SHOWN = { done: 3_000, problem: 9_000 } as const;

const show = (kind: Notice['kind'], text: string): void => {
  made += 1;
  const notice = { id: made, kind, text };
  notices.set([...notices.get().slice(-3), notice]);
  setTimeout(() => notices.set(notices.get().filter((one) => one !== notice)), SHOWN[kind]);
};

/** Does something a person asked for, and tells how it ended. @param done nothing is told if it is left out */
export const act = async <Value,>(doing: Promise<Value>, done?: string): Promise<Value | undefined> => {
  try {
    const value = await doing;
    if (done !== undefined) show('done', done);
    return value;
  } catch (error) {
    show('problem', error instanceof Error ? error.message : String(error));
    return undefined;
  }
};

export const Notices = () => (
  <div class="notices" role="status" aria-live="polite">
    {useStore(notices).map(({ id, text, kind }) => (
      <p key={id} class={`notice ${kind}`}>
        {text}
      </p>
    ))}
  </div>
);
