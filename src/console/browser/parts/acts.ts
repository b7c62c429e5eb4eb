/** Runs what the user does, tells how it went in short notices, and keeps each step so that it can be undone. */
import { answer, api, type CallError, here, mayPass } from '../live/api.ts';
import type { UndoStep } from '../live/live.tsx';
import { createStore } from '../live/store.ts';
import { place } from '../route.ts';

interface Notice {
  readonly kind: 'done' | 'working' | 'problem';
  readonly text: string;
  readonly hint?: string;
  readonly button?: { readonly label: string; choose(): void } | undefined;
}

/** The last thing that there is to tell. */
export const notice = createStore<Notice | undefined>(undefined);

const WORKING: Notice = { kind: 'working', text: 'Working…' };

/** How many milliseconds an action may take before a notice says that it is still running. */
const QUICK = 500;

/** How many milliseconds a notice stays. A problem stays until the user closes it, or there is something else to tell. */
const SHOWN = 6_000;

export const closeNotice = (told = notice.get()): void => {
  if (notice.get() === told) notice.set(undefined);
};

/** What did not work in one environment must not be tried again in another. */
export const forgetProblem = (): void => {
  if (notice.get()?.kind === 'problem') notice.set(undefined);
};

export const tell = (text: string, button?: Notice['button']): void => {
  const told: Notice = { kind: 'done', text, button };
  notice.set(told);
  setTimeout(closeNotice, SHOWN, told);
};

/** Runs something that can fail, and shows its problem. After a failure that may pass, the notice can try again. */
export const attempt = async <Value>(doing: () => Promise<Value>): Promise<Value | undefined> => {
  const timer = setTimeout(notice.set, QUICK, WORKING);
  try {
    return await doing();
  } catch (error) {
    const { message: text, hint = '' } = error as Partial<CallError> & Error;
    const button = mayPass(error) ? { label: 'Try again', choose: () => attempt(doing) } : undefined;
    notice.set({ kind: 'problem', text, hint, button });
    return undefined;
  } finally {
    clearTimeout(timer);
    closeNotice(WORKING);
  }
};

/**
 * A step that can be undone. The mock keeps how the environment was before it.
 * @param label what the step does, in words: "Expire ada@acme.test"
 * @throws whatever `doing` throws, and then there is nothing to undo
 */
export const step = async <Value>(label: string, doing: () => Promise<Value>): Promise<Value> => {
  const env = place.get().environment; // the page may show another one when the step is done
  const { id: point } = await answer(here.POST('/undo-points', { body: { label: label.slice(0, 300) } }));
  const params = { path: { env, point } };
  const close = (done: boolean) =>
    api.PATCH('/environments/{env}/undo-points/{point}', { params, body: { done } });
  try {
    const value = await doing();
    await close(true);
    return value;
  } catch (error) {
    await close(false).catch(() => undefined);
    throw error;
  }
};

/** Runs a step, and tells that it is done. @param done what to say; default: the label */
export const act = <Value>(
  label: string,
  doing: () => Promise<Value>,
  done: string | ((value: Value) => string) = `${label}: done.`,
): Promise<Value | undefined> =>
  attempt(async () => {
    const value = await step(label, doing);
    tell(typeof done === 'function' ? done(value) : done, { label: 'Undo', choose: () => undo() });
    return value;
  });

/** Takes back a step, and all that happened since. @param step default: the last one */
export const undo = (step?: UndoStep): Promise<unknown> =>
  attempt(async () => {
    // Read again: another tab may have done something since the page last looked.
    const { points } = await answer(here.GET('/undo-points'));
    const {
      id: point = '',
      label,
      later = 0,
    } = points.find(({ id }) => id === step?.id) ?? step ?? points.at(-1) ?? {};
    const changes = later === 1 ? 'one later change' : `${later} later changes`;
    if (later > 0 && !confirm(`This also takes back ${changes}. Continue?`)) return;
    await here.POST('/undo-points/{point}', { params: { path: { point } } });
    tell(`Undone: ${label}.`);
  });

/** Resets the environment. @param scenario another scenario to use from now on */
export const reset = (scenario?: string): Promise<unknown> => {
  const name = place.get().environment;
  const [label, body, done] =
    scenario === undefined
      ? ['Reset', {}, `${name} was reset.`]
      : [`Switch to ${scenario}`, { scenario }, `${name} now uses the scenario ${scenario}.`];
  return act(label, () => answer(here.POST('/reset', { body })), done);
};
