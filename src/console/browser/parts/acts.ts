/**
 * What the page can do to rows, to the clock and to the next call: each a step that can be undone, whose outcome a short
 * notice tells. The mock says which actions a row has.
 */
import type { ComponentChildren } from 'preact';
import { answer, api, type CallError, here, type MockSchemas, type Row } from '../live/api.ts';
import { formatInstant, type LiveClock } from '../live/clock.ts';
import { createStore } from '../live/store.ts';
import { go, place } from '../route.ts';

export interface Action {
  readonly label: string;
  /** What a button shows in place of the label, which is then its name for screen readers. */
  readonly face?: ComponentChildren;
  /** Describes the effect of the action, in a menu or as the tooltip of a button. */
  readonly hint?: string | undefined;
  /** Whether the action deletes or disconnects something. Such actions are red, and menus draw a line above them. */
  readonly isDangerous?: boolean | undefined;
  /** If the action switches something on and off: whether that is on now. Otherwise undefined. */
  readonly isOn?: boolean;
  choose(): unknown;
}

/** A step can be undone. */
type Told = Readonly<{ text: string; kind: 'problem' | 'step' | 'other' }>;

/** The last thing that there is to tell. */
export const notice = createStore<Told | undefined>(undefined);

/** How many milliseconds a notice stays. A problem stays until the user closes it, or there is something else to tell. */
const SHOWN = 6_000;

export const tell = (text: string, kind: Told['kind'] = 'other'): void => {
  const told = { text, kind };
  notice.set(told);
  setTimeout(() => notice.get() === told && notice.set(undefined), SHOWN);
};

export const attempt = async <Value>(doing: () => Promise<Value>): Promise<Value | undefined> => {
  notice.set(undefined); // what it told was of an earlier act
  try {
    return await doing();
  } catch (error) {
    const { message, hint = '' } = error as Partial<CallError> & Error;
    notice.set({ kind: 'problem', text: `${message} ${hint}`.trim() });
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
    tell(typeof done === 'function' ? done(value) : done, 'step');
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

/** Resets the environment. @param body can name another scenario to use from now on */
export const reset = (body: { readonly scenario?: string } = {}): Promise<unknown> =>
  act(body.scenario ? `Switch to ${body.scenario}` : 'Reset', () => here.POST('/reset', { body }));

/** What a row is called in texts: `ada@acme.test · mail`. */
export const callOf = ({ title, about, kind }: Row): string =>
  kind === 'connected_accounts' || kind === 'memberships' ? `${title} · ${about.split(' · ')[0]}` : title;

const doTo = ({ kind, id }: Row, action: string) =>
  answer(here.POST('/rows/{kind}/{id}/{action}', { params: { path: { kind, id, action } } }));

/** Makes the address of a page and opens it in another tab. */
const openPage = async (label: string, row: Row, action: string): Promise<void> => {
  // Opens the tab before the call, because browsers block tabs that open some time after the click.
  const tab = window.open('about:blank');
  const made = await act(label, () => doTo(row, action), 'The page is open in another tab.');
  if (!made?.link) return tab?.close();
  if (!tab) return location.assign(made.link);
  tab.opener = null;
  tab.location.replace(made.link);
};

export const movesOf = (row: Row): readonly Action[] =>
  row.actions.map(({ name, label, hint, danger, opens }) => {
    const what = `${label} ${callOf(row)}`;
    const choose = () => (opens ? openPage(what, row, name) : act(what, () => doTo(row, name)));
    return { label, hint, isDangerous: danger, choose };
  });

/** Sets the clock, in epoch milliseconds. @param label what Undo calls the step */
export const setClock = (mode: LiveClock['mode'], to: number, label: string): Promise<unknown> => {
  const set = async () => {
    await here.PUT('/clock', { body: { mode, now: new Date(to).toISOString() } });
    return answer(here.GET('/ends'));
  };
  const shown = formatInstant(to);
  return act(label, set, (ends) => `The clock shows ${shown}. Ended so far: ${ends.total_ended}.`);
};

const WAYS = [
  ['500', 'Internal error', { status: 500 }],
  ['503', 'Service unavailable, with Retry-After: 1', { status: 503, retry_after: 1 }],
  ['429', 'Too many requests, with Retry-After: 2', { status: 429, retry_after: 2 }],
  ['401', 'As if the token had ended', { status: 401 }],
  ['no answer', 'The connection is cut, and nothing has happened', { abort: true }],
  ['lost answer', 'The change is made, then the connection is cut', { abort: 'after' }],
  ['broken JSON', 'Status 200 with half a body', { body: '{"connected_accounts": [' }],
  ['2 s late', 'The usual answer, two seconds late', { delay_ms: 2_000 }],
] as const;

type Fault = MockSchemas['Fault'];

const add = (label: string, rule: object): Promise<unknown> =>
  act(label, () => here.POST('/faults', { body: rule as MockSchemas['FaultRule'] })); // the mock checks it

/** What a fault does, in words: `503 · once`. */
export const describeFault = ({ status, abort, delay_ms, body, times }: Fault): string =>
  [
    abort ? `${abort === 'after' ? 'lost' : 'no'} answer` : [status ?? []].flat().join(', '),
    body !== undefined && 'another body',
    delay_ms !== undefined && `${delay_ms / 1_000} s late`,
    times !== undefined && (times === 1 ? 'once' : `${times} times`),
  ]
    .filter(Boolean)
    .join(' · ');

export const nameOperation = (operation: string): string => (operation === '*' ? 'any call' : operation);

export const nameFault = (fault: Fault): string =>
  `${nameOperation(fault.operation)} ${describeFault(fault)}`;

export const arm = (fault: Fault): Promise<unknown> => {
  const { id, calls, applied, used_up, ...rule } = fault;
  return add(`Fault for ${nameFault(fault)}`, rule);
};

export const disarm = (fault: Fault): Promise<unknown> => {
  const params = { query: { id: fault.id } };
  return act(`Remove the fault ${nameFault(fault)}`, () => here.DELETE('/faults', { params }));
};

/** The ready-made ways in which the next call of an operation can fail. @param operation its id, or `*` */
export const failuresOf = (operation: string): readonly (Action & { readonly name: string })[] =>
  WAYS.map(([label, hint, rule]) => {
    const name = `Fail next ${operation === '*' ? 'call' : operation} ${label}`;
    return { label, hint, name, choose: () => add(name, { operation, times: 1, ...rule }) };
  });

/** Makes an environment of the default scenario, and goes there. */
export const makeEnvironment = (options: object = {}): Promise<unknown> =>
  attempt(async () => {
    const { name } = await answer(api.POST('/environments', { body: options }));
    go({ environment: name, part: '', id: '', params: {} });
  });
