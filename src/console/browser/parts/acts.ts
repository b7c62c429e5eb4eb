/** Runs what the user does, tells how it went in short notices, and keeps each step so that it can be undone. */
import { answer, api, type CallError, here, type MockSchemas } from '../live/api.ts';
import { createStore } from '../live/store.ts';
import { place } from '../route.ts';

interface Notice {
  readonly isProblem?: boolean;
  readonly text: string;
  readonly button?: { readonly label: string; choose(): unknown } | undefined;
}

/** The last thing that there is to tell. */
export const notice = createStore<Notice | undefined>(undefined);

/** How many milliseconds a notice stays. A problem stays until the user closes it, or there is something else to tell. */
const SHOWN = 6_000;

export const tell = (text: string, button?: Notice['button']): void => {
  const told = { text, button };
  notice.set(told);
  setTimeout(() => notice.get() === told && notice.set(undefined), SHOWN);
};

export const attempt = async <Value>(doing: () => Promise<Value>): Promise<Value | undefined> => {
  try {
    return await doing();
  } catch (error) {
    const { message, hint = '' } = error as Partial<CallError> & Error;
    notice.set({ isProblem: true, text: `${message} ${hint}`.trim() });
    return undefined;
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
export const undo = (step?: MockSchemas['UndoPoint']): Promise<unknown> =>
  attempt(async () => {
    // Read again: another tab may have done something since the page last looked.
    const { points } = await answer(here.GET('/undo-points'));
    const found = step ? points.find(({ id }) => id === step.id) : points.at(-1);
    if (!found) throw new Error('There is nothing to undo.');
    const { id: point, label, later } = found;
    const changes = later === 1 ? 'one later change' : `${later} later changes`;
    if (later > 0 && !confirm(`This also takes back ${changes}. Continue?`)) return;
    await here.POST('/undo-points/{point}', { params: { path: { point } } });
    tell(`Undone: ${label}.`);
  });

/** Resets the environment. @param scenario another scenario to use from now on */
export const reset = (scenario?: string): Promise<unknown> =>
  act(scenario === undefined ? 'Reset' : `Switch to ${scenario}`, () =>
    here.POST('/reset', { body: scenario === undefined ? {} : { scenario } }),
  );
