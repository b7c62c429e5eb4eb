/**
 * The methods of an environment, each as the call of the control plane it stands for. One table for both kinds of mock:
 * in process its calls are answered at once, elsewhere by HTTP.
 */

import type { ControlInput, Outcome } from '../control/direct-calls.ts';
import type { ControlId, ControlSchemas } from '../control/types.ts';
import type { Schemas } from '../openapi/types.ts';
import type { EnvironmentForm } from '../scenario/forms.ts';
import { MockError, requireGiven } from './mock-error.ts';
import type { EnvironmentOptions } from './options.ts';
import type {
  ClockOptions,
  Coverage,
  EmailFilter,
  EmailWait,
  FaultRule,
  HttpArchive,
  RequestFilter,
  RequestWait,
  ResetOptions,
  Settings,
  SignIn,
  Snapshot,
} from './types.ts';

/** The input of a call; parts that are left out are empty, and so is the environment of a method of one. */
interface Given<Id extends ControlId> {
  readonly path?: Partial<ControlInput<Id>['path']>;
  readonly query?: ControlInput<Id>['query'];
  readonly body?: ControlInput<Id>['body'];
}

/** One method: what it calls, how its arguments become the input, and the answer its result. */
export interface Method<Id extends ControlId, Arguments extends readonly unknown[], Result> {
  readonly id: Id;
  readonly input: (...given: Arguments) => Given<Id>;
  readonly result: (outcome: Outcome<Id>) => Result;
}

const method = <Id extends ControlId, Arguments extends readonly unknown[], Result>(
  id: Id,
  input: (...given: Arguments) => Given<Id>,
  result: (outcome: Outcome<Id>) => Result,
): Method<Id, Arguments, Result> => ({ id, input, result });

const nothing = (): void => {};
const whole = <Value>(value: Value): Value => value;
const none = (): Record<never, never> => ({});

const nameOf = (snapshot: Snapshot | string): string =>
  requireGiven('name', typeof snapshot === 'string' ? snapshot : snapshot?.name);

/** The token of a link, which is the last segment of its address. */
const tokenOf = (link: string | URL): string =>
  String(requireGiven('link', link))
    .replace(/[?#].*$/s, '')
    .replace(/^.*\//s, '');

/** As the call checks it, which no compiler did for a caller without types. */
const bodyOf = (state: EnvironmentForm) => state as Readonly<Record<string, unknown>>;

/** Accounts, members and entries are shown as the contract shows them; the control plane's document says less. */
type Account = Schemas['ConnectedAccountDetails'];
type Membership = Schemas['Membership'];
type LogEntry = Schemas['AuthenticationRequest'];

const account = (action: 'expire' | 'disconnect' | 'revoke' | 'grant') =>
  method(
    'actOnAccount',
    (id: string) => ({ path: { id, action } }),
    ({ connected_account }) => connected_account as unknown as Account,
  );

const link = (decision: 'approve' | 'deny') =>
  method('decideLink', (address: string | URL) => ({ path: { token: tokenOf(address), decision } }), whole);

const membership = (action: 'accept' | 'expire' | 'deactivate' | 'activate') =>
  method(
    'actOnMembership',
    (organization_id: string, user_id: string) => ({ path: { organization_id, user_id, action } }),
    (outcome) => outcome.membership as unknown as Membership,
  );

/** All that match, as the call takes them. */
const queryOf = ({ query, body, ...filter }: RequestFilter) => ({
  ...filter,
  ...(query && { query: new URLSearchParams(query).toString() }),
  ...(body && { body: JSON.stringify(body) }),
  limit: 1_000,
});

export const METHODS = {
  reset: method('resetEnvironment', (options: ResetOptions = {}) => ({ body: options }), nothing),
  delete: method('deleteEnvironment', none, nothing),

  state: method('exportState', none, (outcome) => outcome as EnvironmentForm),
  setState: method('replaceState', (state: EnvironmentForm) => ({ body: bodyOf(state) }), nothing),
  patchState: method('mergeState', (state: EnvironmentForm) => ({ body: bodyOf(state) }), nothing),

  snapshot: method('takeSnapshot', (name?: string) => ({ body: name === undefined ? {} : { name } }), whole),
  restore: method(
    'restoreSnapshot',
    (kept: Snapshot | string) => ({ path: { name: nameOf(kept) } }),
    nothing,
  ),
  snapshots: method('listSnapshots', none, ({ snapshots }) => snapshots),
  deleteSnapshot: method(
    'deleteSnapshot',
    (kept: Snapshot | string) => ({ path: { name: nameOf(kept) } }),
    nothing,
  ),

  clock: method('getClock', none, whole),
  setClock: method('setClock', (clock: ClockOptions) => ({ body: clock }), whole),
  advance: method('advanceClock', (by: string) => ({ body: { by } }), whole),

  settings: method('getSettings', none, whole),
  patchSettings: method('changeSettings', (settings: Settings) => ({ body: settings }), whole),

  requests: method(
    'listRequests',
    (filter: RequestFilter = {}) => ({ query: { ...queryOf(filter), format: 'json' as const } }),
    (journal) => (journal as ControlSchemas['Journal']).requests, // the format that was asked for
  ),
  har: method(
    'listRequests',
    (filter: RequestFilter = {}) => ({ query: { ...queryOf(filter), format: 'har' as const } }),
    (archive) => archive as HttpArchive, // the format that was asked for
  ),
  clearRequests: method('clearRequests', none, nothing),
  coverage: method(
    'getCoverage',
    () => ({ query: { format: 'json' as const } }),
    (report) => report as Coverage, // the format that was asked for
  ),
  clearCoverage: method('clearCoverage', none, nothing),

  outbox: method(
    'listEmails',
    (filter: EmailFilter = {}) => ({ query: filter }),
    ({ emails }) => emails,
  ),
  clearOutbox: method('clearEmails', none, nothing),
  events: method(
    'listEvents',
    none,
    (outcome) => (outcome as { readonly events: readonly ControlSchemas['Event'][] }).events, // no stream was asked for
  ),

  faults: {
    add: method('addFault', (rule: FaultRule) => ({ body: rule }), whole),
    list: method('listFaults', none, ({ faults }) => faults),
    remove: method('deleteFaults', (id: string) => ({ query: { id: requireGiven('id', id) } }), nothing),
    clear: method('deleteFaults', none, nothing),
  },
  accounts: {
    expire: account('expire'),
    disconnect: account('disconnect'),
    revoke: account('revoke'),
    grant: account('grant'),
  },
  links: { approve: link('approve'), deny: link('deny') },
  memberships: {
    accept: membership('accept'),
    expire: membership('expire'),
    deactivate: membership('deactivate'),
    activate: membership('activate'),
  },
  signIn: method(
    'signIn',
    (attempt: SignIn) => ({ body: attempt }),
    (outcome) => outcome.authentication_request as unknown as LogEntry,
  ),
} as const;

/** Those that take their time, wherever the mock is. */
export const WAITS = {
  waitForRequest: method(
    'listRequests',
    ({ timeout = '5s', ...filter }: RequestWait = {}) => ({
      query: { ...queryOf(filter), format: 'json' as const, wait: timeout },
    }),
    (journal) => {
      const [first] = (journal as ControlSchemas['Journal']).requests; // the format that was asked for
      if (first) return first;
      throw new MockError({
        code: 'DEADLINE_EXCEEDED',
        message: 'No call that matches was made in time.',
        hint: 'requests() tells which ones were.',
      });
    },
  ),
  waitForEmail: method(
    'listEmails',
    ({ timeout = '5s', ...filter }: EmailWait = {}) => ({ query: { ...filter, wait: timeout } }),
    ({ emails: [first] }) => {
      if (first) return first;
      throw new MockError({
        code: 'DEADLINE_EXCEEDED',
        message: 'No e-mail that matches was sent in time.',
        hint: 'outbox() tells which ones were.',
      });
    },
  ),
} as const;

/** The methods of a mock as a whole. */
export const MOCK_METHODS = {
  coverage: method(
    'getTotalCoverage',
    () => ({ query: { format: 'json' as const } }),
    (report) => report as Coverage, // the format that was asked for
  ),
  clearCoverage: method('clearTotalCoverage', none, nothing),
} as const;

/** Calls that answer with environments. */
export const ENVIRONMENT_CALLS = {
  list: method('listEnvironments', none, ({ environments }) => environments),
  /** `current` is the first one for a call that names none. */
  get: method('getEnvironment', (env: string = 'current') => ({ path: { env } }), whole),
  create: method('createEnvironment', (options: EnvironmentOptions = {}) => ({ body: options }), whole),
} as const;

export const HEALTH = method('getHealth', none, whole);
