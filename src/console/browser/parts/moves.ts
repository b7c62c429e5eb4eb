/** What the page can do to rows, to the clock and to the next call. The mock says which actions a row has. */
import { answer, api, type Kind, type MockSchemas, type Row } from '../live/api.ts';
import { formatInstant } from '../live/clock.ts';
import { useLive } from '../live/environment.tsx';
import { go, within } from '../route.ts';
import { act, attempt } from './acts.ts';
import type { Action } from './buttons.tsx';

/** The kinds of rows, with their numbers. Empty until they are read. */
export const useKinds = (): readonly Kind[] =>
  useLive(
    'kinds',
    () => answer(api.GET('/environments/{env}/kinds', { params: { path: within() } })),
    'change',
  ).value?.kinds ?? [];

/** The rows inside a row. The cast is safe: a schema of the control plane cannot refer to itself. */
export const innerOf = ({ inner = [] }: Row): readonly Row[] => inner as unknown as Row[];

/** What a row is called in texts: `ada@acme.test · mail`. */
export const callOf = ({ title, about, kind }: Row): string =>
  kind === 'connected_accounts' || kind === 'memberships' ? `${title} · ${about.split(' · ')[0]}` : title;

const doTo = ({ kind, id }: Row, action: string) =>
  answer(
    api.POST('/environments/{env}/rows/{kind}/{id}/{action}', {
      params: { path: within({ kind, id, action }) },
    }),
  );

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

/** The actions of a row, in the order of its kind. */
export const movesOf = (row: Row): readonly Action[] =>
  row.actions.map(({ name, label, hint, danger = false, opens }) => {
    const what = `${label} ${callOf(row)}`;
    return {
      label,
      ...(hint !== undefined && { hint }),
      isDangerous: danger,
      choose: () => (opens ? openPage(what, row, name) : act(what, () => doTo(row, name))),
    };
  });

const putClock = (mode: 'running' | 'frozen', to: number) =>
  answer(
    api.PUT('/environments/{env}/clock', {
      params: { path: within() },
      body: { mode, now: new Date(to).toISOString() },
    }),
  );

export const setClock = (mode: 'running' | 'frozen', to: number, label = 'Set the clock') =>
  act(
    label,
    async () => {
      await putClock(mode, to);
      return answer(api.GET('/environments/{env}/ends', { params: { path: within() } }));
    },
    ({ now, total_ended: ended }) =>
      `The clock shows ${formatInstant(Date.parse(now))}.${ended > 0 ? ` ${ended} ${ended === 1 ? 'thing has' : 'things have'} ended.` : ''}`,
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

type Rule = MockSchemas['FaultRule'];

const add = (rule: object): Promise<unknown> =>
  answer(
    api.POST('/environments/{env}/faults', {
      params: { path: within() },
      body: rule as Rule, // the mock checks what the user wrote
    }),
  );

/** What a fault does, in words. */
export const describeFault = ({
  status,
  abort,
  delay_ms,
  body,
  times,
}: Partial<MockSchemas['Fault']>): string => {
  const answerOf = abort
    ? abort === 'after'
      ? 'lost answer'
      : 'no answer'
    : status !== undefined
      ? [status].flat().join(', ')
      : body !== undefined
        ? 'another body'
        : '';
  const late = delay_ms === undefined ? '' : `${delay_ms / 1_000} s late`;
  const often = times === undefined ? '' : times === 1 ? 'once' : `${times} times`;
  return [answerOf, late].filter(Boolean).join(', ') + (often && ` · ${often}`);
};

export const nameOperation = (operation: string): string => (operation === '*' ? 'any call' : operation);

/** Arms a fault: a new one, or an earlier one again. */
export const arm = (rule: Readonly<Record<string, unknown>>): Promise<unknown> => {
  const { id, calls, applied, used_up, ...own } = rule;
  return act(
    `Fault for ${nameOperation(String(own.operation))}: ${describeFault(own)}`,
    () => add(own),
    'Armed.',
  );
};

export const disarm = ({ id, operation, ...rule }: MockSchemas['Fault']): Promise<unknown> =>
  act(
    `Remove the fault for ${nameOperation(operation)}: ${describeFault(rule)}`,
    () => answer(api.DELETE('/environments/{env}/faults', { params: { path: within(), query: { id } } })),
    'The fault is gone.',
  );

/** The ready-made ways in which the next call of an operation can fail. @param operation its id, or `*` */
export const failuresOf = (operation: string): readonly Action[] =>
  WAYS.map(([label, hint, rule]) => ({
    ...{ label, hint },
    choose: () =>
      act(
        `Fail the next ${nameOperation(operation)}: ${label}`,
        () => add({ operation, times: 1, ...rule }),
        `The next ${operation === '*' ? 'call' : `${operation} call`} gets: ${label}.`,
      ),
  }));

/** Makes an environment of the default scenario, and goes there. */
export const makeEnvironment = (options: object = {}): Promise<unknown> =>
  attempt(async () => {
    const { name } = await answer(api.POST('/environments', { body: options }));
    go({ environment: name, part: '', id: '', params: {} });
    return name;
  });
