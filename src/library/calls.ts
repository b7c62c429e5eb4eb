/** The methods that are one call of the control plane each (`control.yaml`), and the types that they take and return. */
import type { InputOf } from '../engine/contract/types.ts';
import type { components } from '../engine/control/generated.ts';
import { show } from '../engine/core/contains.ts';
import type { OperationId, Schemas } from '../service/contract.ts';
import type { EnvironmentForm, ScenarioForm } from '../service/sections.ts';
import { type Ask, type ControlQuery, type ControlReply, type Operations, toQuery } from './ask.ts';
import { ACTIONS } from './generated.ts';
import { EMAILS, REQUESTS, requireFilter, requireNames, requireText } from './given.ts';

export type { EnvironmentForm, OperationId, ScenarioForm };

/** A connected account, without its credentials. */
export type Account = Schemas['ConnectedAccountDetails'];
/** The status of a connected account. */
export type AccountStatus = Schemas['ConnectedAccountStatus'];
/** A user's membership of an organization. */
export type Membership = Schemas['Membership'];
/** A sign-in that the service has logged. */
export type AuthenticationRequest = Schemas['AuthenticationRequest'];
type Control = components['schemas'];
type Body<Id extends keyof Operations> = InputOf<Operations[Id]>['body'];

/** The ids of the rows that a change wrote, by list; lists and ids are in the order of the change. */
export type Written = ControlReply<'mergeState'>['written'];

interface WithScenario {
  /** A scenario of the fixtures folder by its name, the path of a scenario file, or the content of one. */
  readonly scenario?: string | ScenarioForm;
}

/** What to create an environment from. */
export type EnvironmentOptions = Omit<Control['NewEnvironment'], 'scenario'> & WithScenario;
/** What to reset an environment to. */
export type ResetOptions = Omit<Body<'resetEnvironment'>, 'scenario'> & WithScenario;
/** The saved state, clock and settings of an environment. */
export type Snapshot = Control['Snapshot'];
/** What the clock of an environment shows. */
export type Clock = Control['Clock'];
/** What to set a clock to. */
export type ClockOptions = Body<'setClock'>;
/** The settings of an environment. Lengths of time are written as `15m` or `PT15M`. */
export type Settings = Control['Settings'];

/**
 * The calls that a fault applies to, and what happens to them. With `status`, `error_code`, `body` or `abort`, the
 * operation does not run; with only `delay_ms`, or `abort` set to `after`, it does.
 */
export interface FaultRule extends Omit<Control['FaultRule'], 'operation'> {
  /** An operationId of the contract. Default: `*`, any operation. */
  readonly operation?: OperationId | '*';
}
/** A fault, with how many calls it matched and how often it took effect. */
export type Fault = Control['Fault'];

type Unit = 'w' | 'd' | 'h' | 'm' | 's';
/** A length of time, such as `15d`, `2h30m`, `500ms` or, in ISO 8601, `PT15M`. */
export type Duration = `${number}${Unit | 'ms'}` | `${number}${Unit}${number}${string}` | `P${string}`;

interface Since {
  /** The earliest time, by the environment's clock. */
  readonly since?: string | Date;
}
type Replaced = 'operation' | 'query' | 'body' | 'since' | 'limit' | 'format';

/** A filter: only calls that meet all of its conditions are returned. */
export interface RequestFilter extends Omit<ControlQuery<'listRequests'>, Replaced>, Since {
  /** An operationId of the contract. */
  readonly operation?: OperationId;
  /** Parameters that the recorded call must have. */
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  /** Members that the body of the recorded call must have. */
  readonly body?: Readonly<Record<string, unknown>>;
}
/** A recorded call, with credentials masked. */
export type RecordedRequest = Control['Request'];
/** The recorded calls as an HTTP Archive 1.2. */
export type HttpArchive = Control['HttpArchive'];

/** A filter: only e-mails that meet all of its conditions are returned. */
export interface EmailFilter extends Omit<ControlQuery<'listEmails'>, 'since'>, Since {}
/** An e-mail that the service would have sent. */
export type Email = Control['Email'];
/** A change of state. */
export type StateEvent = Control['Event'];
/** Which parts of the contract were exercised. */
export type Coverage = Control['Coverage'];
/** What calls relied on, as a Pact of the specification 3. */
export type Pact = Control['Pact'];
/** Where a decision on an authorization link sends the user. */
export type Decision = ControlReply<'decideLink'>;
/** What a user grants on an authorization link. */
export type Approval = Pick<Body<'decideLink'>, 'scopes'>;
/** The error with which an authorization link is denied. */
export type Denial = Omit<Body<'decideLink'>, 'scopes'>;
/** A sign-in to log. */
export type SignIn = Body<'signIn'>;

/** A method that takes nothing. It refuses arguments, since a filter would have no effect there (behaviour N1). */
export const plain =
  <Value>(call: () => Promise<Value>): (() => Promise<Value>) =>
  async (...given: readonly unknown[]) => {
    if (given.length > 0) throw new TypeError(`The method takes no arguments, but got ${show(given[0])}.`);
    return call();
  };

const nothing = (): void => {};

/** A method for each action that a call of the control plane takes. */
const methodsOf = <Action extends string, Method>(
  actions: readonly Action[],
  make: (action: Action) => Method,
): Readonly<Record<Action, Method>> =>
  Object.fromEntries(actions.map((action) => [action, make(action)])) as Record<Action, Method>; // the cast is safe: a member for each

/** The methods that control one environment. */
export class EnvironmentCalls {
  /** The id of the environment, unique on the server. */
  readonly id: string;
  /** @internal */
  protected readonly ask: Ask;
  /** @param ask calls the control plane for any environment */
  constructor(ask: Ask, id: string) {
    this.id = id;
    this.ask = (call, input) => ask(call, { ...input, path: { env: id, ...input?.path } as never }); // each of these calls has `env`
  }

  #plain<Id extends keyof Operations, Value>(id: Id, read: (reply: ControlReply<Id>) => Value) {
    return plain(async () => read(await this.ask(id)));
  }

  /** @param filter becomes a query: its own `query` as a query string, its `body` as JSON */
  async #journal<Reply>(filter: RequestFilter, form: ControlQuery<'listRequests'>): Promise<Reply> {
    const { query, body, ...others } = requireFilter(filter, REQUESTS);
    const written = { query: (query && toQuery(query)) || undefined, body: body && JSON.stringify(body) };
    return (await this.ask('listRequests', { query: { ...others, ...written, ...form } })) as Reply;
  }

  #decide<Options extends Approval | Denial>(decision: 'approve' | 'deny') {
    return async (link: string | URL, options?: Options): Promise<Decision> =>
      this.ask('decideLink', { path: { link: requireText('link', link), decision }, body: options ?? {} });
  }

  /** Faults, which make calls fail or wait, or cut their connections. */
  readonly faults = {
    /** All faults, with how often each took effect. */
    list: this.#plain('listFaults', ({ faults }) => faults) as () => Promise<readonly Fault[]>,
    /** Makes calls fail or wait, or cuts their connections. An environment can have up to 1,000 faults, not counting those that are used up. */
    add: async (fault: FaultRule): Promise<Fault> => this.ask('addFault', { body: fault }),
    /** Deletes a fault. */
    remove: async (id: string) =>
      this.ask('deleteFaults', { query: { id: requireText('id', id) } }).then(nothing),
    /** Deletes all faults. */
    clear: this.#plain('deleteFaults', nothing),
  };
  /**
   * What users and providers do to an account, given by its id, or by its connector and identifier: `mail/ada@acme.test`.
   * `expire` ends its token, which is not refreshed until `grant`, new credentials or consent; `revoke` ends refreshing alone.
   */
  readonly accounts = methodsOf(
    ACTIONS.actOnAccount,
    (action) =>
      async (account: string): Promise<Account> => {
        const path = { id: requireText('account', account), action };
        return (await this.ask('actOnAccount', { path })).connected_account as Account;
      },
  );
  /** What users decide on the page of an authorization link, without a browser. The link is given by its address, or by the token at its end. */
  readonly links = {
    /** Consents, as a click on Approve on the page does: to all that it asks for, or to the scopes that are given. */
    approve: this.#decide<Approval>('approve'),
    /** Refuses, as a click on Deny on the page does, or fails with another error of the provider. */
    deny: this.#decide<Denial>('deny'),
  };
  /**
   * What happens to a member of an organization, which is given by id or name, as its user is by id or e-mail address.
   * `accept` and `expire` are for a pending invitation; `invite` makes a new one, without an e-mail.
   */
  readonly memberships = methodsOf(
    ACTIONS.actOnMembership,
    (action) =>
      async (organization: string, user: string): Promise<Membership> => {
        const organization_id = requireText('organization', organization);
        const path = { organization_id, user_id: requireText('user', user), action };
        return (await this.ask('actOnMembership', { path })).membership as Membership;
      },
  );

  /**
   * Resets the environment to its own scenario or to another one: data, clock, settings, faults, rate-limit counts, outbox and
   * events. New rows get the same ids as after the start. Journal, coverage and snapshots stay.
   */
  readonly reset = async (options: ResetOptions = {}) =>
    this.ask('resetEnvironment', { body: options }).then(nothing);
  /** The environment as it is written under `environments.NAME` in a scenario file. */
  readonly state: () => Promise<EnvironmentForm> = this.#plain('exportState', (state) => state);
  /**
   * Replaces all rows and settings, clients and `access_tokens` too: if the state leaves those out, no token of this
   * environment is valid any more. Statuses are not compared with the clock, so that an export can be put back at any time.
   */
  readonly setState = async (state: EnvironmentForm) =>
    this.ask('replaceState', { body: state }).then(nothing);
  /**
   * Adds or changes rows by id or natural key, all or nothing, and returns the ids of the rows that were written. A row
   * without a time gets the present time. With `create: true`, a row that is there already is refused.
   */
  readonly patchState = async (
    state: EnvironmentForm,
    query: ControlQuery<'mergeState'> = {},
  ): Promise<Written> => (await this.ask('mergeState', { query, body: state })).written;
  /** A scenario that needs no other file, with this environment as it is now, clock and credentials too, in absolute times. */
  readonly scenario: () => Promise<ScenarioForm> = this.#plain('exportScenario', (scenario) => scenario);
  /** A scenario with times relative to now and without a clock, for a fixture that stays fresh. */
  readonly relativeScenario: () => Promise<ScenarioForm> = plain(() =>
    this.ask('exportScenario', { query: { relative: true } }),
  );
  /** All snapshots, oldest first. */
  readonly snapshots: () => Promise<readonly Snapshot[]> = this.#plain(
    'listSnapshots',
    (all) => all.snapshots,
  );
  /** Saves state, clock and settings under a name; a name that is taken is a 409. An environment can have up to 1,000 snapshots. */
  readonly snapshot = async (name?: string): Promise<Snapshot> =>
    this.ask('takeSnapshot', { body: { name } });
  /** Deletes a snapshot. */
  readonly deleteSnapshot = async (name: string | Snapshot) =>
    this.ask('deleteSnapshot', { path: { name: requireText('name', name) } }).then(nothing);
  /** Goes back to a snapshot. */
  readonly restore = async (name: string | Snapshot) =>
    this.ask('restoreSnapshot', { path: { name: requireText('name', name) } }).then(nothing);
  /** What the clock shows. */
  readonly clock: () => Promise<Clock> = this.#plain('getClock', (clock) => clock);
  /** Freezes the clock, lets it run, or sets it to any time. */
  readonly setClock = async (clock: ClockOptions): Promise<Clock> => this.ask('setClock', { body: clock });
  /** Moves the clock forward. Links, tokens, invitations and everything else that ends before the new time expire at once. */
  readonly advance = async (by: Duration): Promise<Clock> => this.ask('advanceClock', { body: { by } });
  /** All settings. */
  readonly settings: () => Promise<Settings> = this.#plain('getSettings', (settings) => settings);
  /** Changes the given settings. */
  readonly patchSettings = async (settings: Settings): Promise<Settings> =>
    this.ask('changeSettings', { body: settings });
  /**
   * The recorded calls (the journal) that meet all conditions of the filter, oldest first, with credentials masked and bodies
   * cut at 64 KiB. A call whose connection was cut, by a fault or by the client, has the status 0.
   */
  readonly requests = async (filter: RequestFilter = {}): Promise<readonly RecordedRequest[]> =>
    (await this.#journal<Control['Journal']>(filter, { limit: 1000, format: 'json' })).requests;
  /** The recorded calls as an HTTP Archive 1.2. */
  readonly har = async (filter: RequestFilter = {}): Promise<HttpArchive> =>
    this.#journal(filter, { format: 'har' });
  /** Empties the journal. */
  readonly clearRequests: () => Promise<void> = this.#plain('clearRequests', nothing);
  /** Which parts of the contract the calls so far have exercised. */
  readonly coverage: () => Promise<Coverage> = this.#plain('getCoverage', (coverage) => coverage);
  /** Resets the coverage of the environment to zero. */
  readonly clearCoverage: () => Promise<void> = this.#plain('clearCoverage', nothing);
  /** What the calls so far relied on, as a Pact of the specification 3, for brokers and comparators. */
  readonly pact = async (names: ControlQuery<'getPact'> = {}): Promise<Pact> =>
    this.ask('getPact', { query: requireNames(names, ['consumer', 'provider']) });
  /** E-mails that the service would have sent, oldest first. */
  readonly outbox = async (filter: EmailFilter = {}): Promise<readonly Email[]> =>
    (await this.ask('listEmails', { query: requireFilter(filter, EMAILS) })).emails;
  /** Empties the outbox. */
  readonly clearOutbox: () => Promise<void> = this.#plain('clearEmails', nothing);
  /** The last 10,000 state changes since the start, oldest first. */
  readonly events: () => Promise<readonly StateEvent[]> = this.#plain('listEvents', ({ events }) => events);
  /** Logs a sign-in. */
  readonly signIn = async (signIn: SignIn): Promise<AuthenticationRequest> =>
    (await this.ask('signIn', { body: signIn })).authentication_request as AuthenticationRequest;
}
