/** What the page can do to rows, to the clock and to the next call. The mock says which actions a row has. */
import { answer, api, here, type MockSchemas, type Row } from '../live/api.ts';
import { formatInstant, type LiveClock } from '../live/clock.ts';
import { go } from '../route.ts';
import { act, attempt } from './acts.ts';
import type { Action } from './buttons.tsx';

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
export const setClock = (mode: LiveClock['mode'], to: number, label: string): Promise<unknown> =>
  act(
    label,
    async () => {
      await here.PUT('/clock', { body: { mode, now: new Date(to).toISOString() } });
      return answer(here.GET('/ends'));
    },
    ({ now, total_ended }) =>
      `The clock shows ${formatInstant(Date.parse(now))}. Ended so far: ${total_ended}.`,
  );

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
    return name;
  });
