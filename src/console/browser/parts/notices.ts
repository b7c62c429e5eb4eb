/** Runs the user's actions, and shows their results as short notices. */
import { CallError, call, mayPass } from '../live/api.ts';
import { createStore } from '../live/store.ts';
import { place, within } from '../route.ts';

interface Notice {
  readonly kind: 'done' | 'working' | 'problem';
  readonly text: string;
  readonly hint?: string;
  /** Undoes the action, or tries it again after a failure. */
  readonly button?: { readonly label: string; choose(): void } | undefined;
}

export const notices = createStore<readonly Notice[]>([]);

/** How many milliseconds an action may take before a notice says that it is still running. */
const QUICK = 500;

/** How many milliseconds a notice stays. A notice with undo stays longer; a problem stays until the user closes it. */
const SHOWN = 4_000;
const SHOWN_WITH_UNDO = 15_000;
const MOST = 3;

export const closeNotice = (notice: Notice | undefined): void =>
  notices.set(notices.get().filter((one) => one !== notice));

/** Closes what did not work, so that nobody tries it again in another environment. */
export const forgetProblems = (): void => notices.set(notices.get().filter(({ kind }) => kind !== 'problem'));

const show = (notice: Notice): void => {
  notices.set([...notices.get(), notice].slice(-MOST));
  if (notice.kind === 'done') setTimeout(() => closeNotice(notice), notice.button ? SHOWN_WITH_UNDO : SHOWN);
};

export const tell = (text: string, button?: Notice['button']): void => show({ kind: 'done', text, button });

/**
 * Runs an action of the user, and shows the result. After a failure that may pass, the notice has a button to try again.
 * @param done the notice after success; none by default
 * @param undo undoes the action
 */
export const act = async <Value>(
  doing: () => Promise<Value>,
  done?: string | (() => string),
  undo?: () => Promise<unknown>,
): Promise<Value | undefined> => {
  const working: Notice = { kind: 'working', text: 'Working…' };
  const timer = setTimeout(show, QUICK, working);
  try {
    const value = await doing();
    const text = typeof done === 'function' ? done() : done;
    const button = undo && { label: 'Undo', choose: () => act(undo, 'Undone.') };
    if (text !== undefined) show({ kind: 'done', text, button });
    return value;
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    const hint = error instanceof CallError ? error.hint : '';
    const button = { label: 'Try again', choose: () => act(doing, done, undo) };
    show({ kind: 'problem', text, hint, button: mayPass(error) ? button : undefined });
    return undefined;
  } finally {
    clearTimeout(timer);
    closeNotice(working);
  }
};

/** Runs an action that replaces or removes rows, and offers to go back to just before it. */
export const actWithUndo = (
  doing: () => Promise<unknown>,
  done: string | (() => string),
): Promise<unknown> => {
  const points = within('/undo-points');
  let point = '';
  /** How many changes the action itself made. */
  let own = 0;
  const step = async (): Promise<void> => {
    const { id } = await call<{ readonly id: string }>('POST', points);
    await doing();
    point = `${points}/${id}`;
    own = await countChanges(point);
  };
  const undo = async (): Promise<void> => {
    if (!(await isMeant(point, own))) throw new Error('Nothing was undone.');
    await call('POST', point);
  };
  return act(step, done, undo);
};

const countChanges = async (point: string): Promise<number> =>
  (await call<{ readonly changes: number }>('GET', point)).changes;

/** Asks for confirmation if undo would also drop later changes. False if the user declines. */
const isMeant = async (point: string, own: number): Promise<boolean> => {
  const changes = (await countChanges(point)) - own;
  const what = changes === 1 ? 'one later change' : `${changes} later changes`;
  return changes <= 0 || confirm(`This also undoes ${what}. Continue?`);
};

/** Resets the environment. @param scenario another scenario to use from now on */
export const resetEnvironment = (scenario?: string): Promise<unknown> => {
  const name = place.get().environment;
  const done = scenario === undefined ? `${name} was reset.` : `${name} now uses the scenario ${scenario}.`;
  return actWithUndo(() => call('POST', within('/reset'), { scenario }), done);
};
