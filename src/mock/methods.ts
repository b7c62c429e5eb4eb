/**
 * The methods of an environment and of a mock, each as a call of the control plane. One table for both kinds of mock:
 * in process its calls are answered at once, elsewhere by HTTP. The types of both kinds follow from it (`binding.ts`),
 * and editors show the comment of a row.
 */
import type { EnvironmentForm, ScenarioForm } from '../scenario/sections/index.ts';
import { method, mockMethod } from './binding.ts';
import { requireGiven } from './mock-error.ts';
import type { EnvironmentOptions } from './options.ts';
import type {
  Account,
  AuthenticationRequest,
  Clock,
  ClockOptions,
  Coverage,
  Decision,
  Email,
  EmailFilter,
  Fault,
  FaultRule,
  HttpArchive,
  Membership,
  RecordedRequest,
  RequestFilter,
  ResetOptions,
  Settings,
  SignIn,
  Snapshot,
  StateEvent,
} from './types.ts';

const nothing = (): void => {};
const none = (): Record<never, never> => ({});
const whole = <Value>(value: Value): Value => value;

const nameOf = (snapshot: Snapshot | string): string =>
  requireGiven('name', typeof snapshot === 'string' ? snapshot : snapshot?.name);

/** The token of a link, which is the last segment of its address. */
const tokenOf = (link: string | URL): string =>
  String(requireGiven('link', link))
    .replace(/[?#].*$/s, '')
    .replace(/^.*\//s, '');

/** A scenario or a part of one, which the control plane's document describes as any object. */
const bodyOf = <Body>(given: object): Body => given as Body;

const account = (action: 'expire' | 'disconnect' | 'revoke' | 'grant') =>
  method(
    'POST /connected_accounts/{id}/{action}',
    (id: string) => ({ path: { id, action } }),
    ({ connected_account }) => connected_account as unknown as Account, // as the contract shows it
  );

const link = (decision: 'approve' | 'deny') =>
  method(
    'POST /links/{token}/{decision}',
    (link: string | URL) => ({ path: { token: tokenOf(link), decision } }),
    whole<Decision>,
  );

const membership = (action: 'accept' | 'expire' | 'deactivate' | 'activate') =>
  method(
    'POST /memberships/{organization_id}/{user_id}/{action}',
    (organization: string, user: string) => ({
      path: { organization_id: organization, user_id: user, action },
    }),
    (outcome) => outcome.membership as unknown as Membership, // as the contract shows it
  );

/** All that match, as the call takes them. */
export const queryOf = ({ query, body, ...filter }: RequestFilter) => ({
  ...filter,
  ...(query && { query: new URLSearchParams(query).toString() }),
  ...(body && { body: JSON.stringify(body) }),
  limit: 1_000,
});

export const METHODS = {
  /** Back to the start: data, clock, settings, faults, rate counts, outbox, visits and events. Ids repeat. */
  reset: method('POST /reset', (options: ResetOptions = {}) => ({ body: bodyOf(options) }), nothing),
  /** Drops the environment with all it has. */
  delete: mockMethod('DELETE /environments/{env}', none, nothing),

  /** What a scenario that gives this state has under `environments.NAME`. */
  state: method('GET /state', none, (outcome) => outcome as EnvironmentForm),
  /** Replaces all rows and settings. */
  setState: method('PUT /state', (state: EnvironmentForm) => ({ body: bodyOf(state) }), nothing),
  /** Adds or changes rows by id or natural key, all or nothing. */
  patchState: method('PATCH /state', (state: EnvironmentForm) => ({ body: bodyOf(state) }), nothing),

  /** A scenario that gives this state: what differs, on top of the one that the environment started from. */
  scenario: method('GET /scenario', none, (outcome) => outcome as ScenarioForm),

  /** Keeps state, clock and settings; costs the same at any size. @param name default: `snapshot-1` and so on */
  snapshot: method(
    'POST /snapshots',
    (name?: string) => ({ body: name === undefined ? {} : { name } }),
    whole<Snapshot>,
  ),
  /** Goes back to a snapshot, as often as you like. */
  restore: method(
    'POST /snapshots/{name}/restore',
    (snapshot: Snapshot | string) => ({ path: { name: nameOf(snapshot) } }),
    nothing,
  ),
  /** All snapshots, oldest first. */
  snapshots: method('GET /snapshots', none, ({ snapshots }): readonly Snapshot[] => snapshots),
  /** Forgets a snapshot. */
  deleteSnapshot: method(
    'DELETE /snapshots/{name}',
    (snapshot: Snapshot | string) => ({ path: { name: nameOf(snapshot) } }),
    nothing,
  ),

  /** What the clock shows. */
  clock: method('GET /clock', none, whole<Clock>),
  /** Freezes the clock, lets it run, or sets it to any time, in both directions. */
  setClock: method('PUT /clock', (clock: ClockOptions) => ({ body: clock }), whole<Clock>),
  /** Moves the clock forward; all that ends by then has ended at once. @param by `15d`, `2h30m` or `PT15M` */
  advance: method('POST /clock/advance', (by: string) => ({ body: { by } }), whole<Clock>),

  /** All settings. */
  settings: method('GET /settings', none, whole<Settings>),
  /** Changes those that are given. */
  patchSettings: method('PATCH /settings', (settings: Settings) => ({ body: settings }), whole<Settings>),

  /** What clients sent and got, oldest first, credentials masked; the last 1,000 calls. */
  requests: method(
    'GET /requests',
    (filter: RequestFilter = {}) => ({ query: { ...queryOf(filter), format: 'json' as const } }),
    (journal): readonly RecordedRequest[] => ('requests' in journal ? journal.requests : []),
  ),
  /** The same as HTTP Archive 1.2. */
  har: method(
    'GET /requests',
    (filter: RequestFilter = {}) => ({ query: { ...queryOf(filter), format: 'har' as const } }),
    (archive) => archive as HttpArchive, // the format that was asked for
  ),
  /** Empties the journal. */
  clearRequests: method('DELETE /requests', none, nothing),
  /** Which operations, statuses, parameters and members of the contract the calls so far have exercised. */
  coverage: method(
    'GET /coverage',
    () => ({ query: { format: 'json' as const } }),
    (report) => report as Coverage, // the format that was asked for
  ),
  /** Counts coverage from zero. */
  clearCoverage: method('DELETE /coverage', none, nothing),

  /** E-mails the service would have sent, in order. */
  outbox: method(
    'GET /outbox',
    (filter: EmailFilter = {}) => ({ query: filter }),
    ({ emails }): readonly Email[] => emails,
  ),
  /** Empties the outbox. */
  clearOutbox: method('DELETE /outbox', none, nothing),
  /** State changes since the start, oldest first; the last 10,000. */
  events: method(
    'GET /events',
    none,
    (outcome) => (outcome as { readonly events: readonly StateEvent[] }).events, // no stream was asked for
  ),

  /** Failures on demand. */
  faults: {
    /** Lets calls fail, wait or break off. */
    add: method('POST /faults', (rule: FaultRule) => ({ body: rule }), whole<Fault>),
    /** All faults, with how often each took effect. */
    list: method('GET /faults', none, ({ faults }): readonly Fault[] => faults),
    remove: method('DELETE /faults', (id: string) => ({ query: { id: requireGiven('id', id) } }), nothing),
    clear: method('DELETE /faults', none, nothing),
  },

  /**
   * What a third party does to an account by itself (behaviour A8). An account is named by its id, or by connector and
   * identifier: `mail/ada@acme.test`.
   */
  accounts: {
    /** Its token ends now, and is not refreshed until `grant`, new credentials or consent. */
    expire: account('expire'),
    /** The user disconnects it. */
    disconnect: account('disconnect'),
    /** The provider refreshes it no more. */
    revoke: account('revoke'),
    /** The provider refreshes it again. */
    grant: account('grant'),
  },

  /** The hosted page without a browser. A link is given by its address, or by the token at the end of that. */
  links: {
    /** Consents, as a click on Approve does. */
    approve: link('approve'),
    /** Refuses, as a click on Deny does. */
    deny: link('deny'),
  },

  /** What happens to a member. Both are named by id, or an organization by its name and a user by e-mail address. */
  memberships: {
    /** Accepts the invitation, as on its page. */
    accept: membership('accept'),
    /** A pending invitation ends now. */
    expire: membership('expire'),
    deactivate: membership('deactivate'),
    activate: membership('activate'),
  },

  /** Logs a sign-in as a real one would be. */
  signIn: method(
    'POST /sign-ins',
    (attempt: SignIn) => ({ body: attempt }),
    (outcome) => outcome.authentication_request as unknown as AuthenticationRequest, // as the contract shows it
  ),
};

/** The methods of a mock as a whole. */
export const MOCK_METHODS = {
  /** What all environments have exercised of the contract, deleted ones included. */
  coverage: mockMethod(
    'GET /coverage',
    () => ({ query: { format: 'json' as const } }),
    (report) => report as Coverage, // the format that was asked for
  ),
  /** Counts coverage from zero, in every environment. */
  clearCoverage: mockMethod('DELETE /coverage', none, nothing),
};

/** Calls that answer with environments. */
export const ENVIRONMENT_CALLS = {
  list: mockMethod('GET /environments', none, ({ environments }) => environments),
  /** `current` is the first one for a call that names none. */
  get: mockMethod('GET /environments/{env}', (env: string = 'current') => ({ path: { env } }), whole),
  create: mockMethod(
    'POST /environments',
    (options: EnvironmentOptions = {}) => ({ body: bodyOf(options) }),
    whole,
  ),
};

export const HEALTH = mockMethod('GET /health', none, whole);
