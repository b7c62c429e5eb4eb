/** The methods of the library that are one call of the control plane each. `control.yaml` says what a call does. */
import { show } from '../engine/core/contains.ts';
import { type Ask, toQueryOf, toSince } from './ask.ts';
import { EMAIL_CONDITIONS, requireConditions, requireObject, requireText } from './given.ts';
import type {
  Account,
  Approval,
  AuthenticationRequest,
  Clock,
  ClockOptions,
  ControlPath,
  ControlQuery,
  ControlReply,
  Coverage,
  Decision,
  Denial,
  Duration,
  Email,
  EmailFilter,
  EnvironmentForm,
  Fault,
  FaultRule,
  HttpArchive,
  Journal,
  Membership,
  Operations,
  Pact,
  RecordedRequest,
  RequestFilter,
  ResetOptions,
  ScenarioForm,
  Settings,
  SignIn,
  Snapshot,
  StateEvent,
  Written,
} from './published-types.ts';

/** A method that takes nothing. It refuses arguments, since a filter would have no effect there (behaviour N1). */
export const plain =
  <Value>(call: () => Promise<Value>) =>
  async (...given: readonly never[]): Promise<Value> => {
    if (given.length > 0) throw new TypeError(`The method takes no arguments, but got ${show(given[0])}.`);
    return call();
  };

/** What the methods of an environment have in common. */
export class Calls {
  /** The id of the environment, unique on the server. */
  readonly id: string;
  /** @internal */
  protected readonly ask: Ask;
  /** @param ask calls the control plane for any environment */
  constructor(ask: Ask, id: string) {
    this.id = id;
    this.ask = (call, input) => ask(call, { ...input, path: { env: id, ...input?.path } as never }); // each of these calls has `env`
  }

  /** A method that makes a call without arguments. @internal */
  protected plain<Id extends keyof Operations, Value>(id: Id, read: (reply: ControlReply<Id>) => Value) {
    return plain(async () => read(await this.ask(id)));
  }
}

const nothing = (): void => {};

export class FaultsCalls extends Calls {
  /** All faults, with how often each took effect. */
  readonly list: () => Promise<readonly Fault[]> = this.plain('listFaults', ({ faults }) => faults);
  /** Makes calls fail or wait, or cuts their connections. An environment can have up to 1,000 faults, not counting those that are used up. */
  readonly add = async (fault: FaultRule): Promise<Fault> => this.ask('addFault', { body: fault });
  /** Deletes a fault. */
  readonly remove = async (id: string): Promise<void> => {
    await this.ask('deleteFaults', { query: { id: requireText('id', id) } });
  };
  /** Deletes all faults. */
  readonly clear: () => Promise<void> = this.plain('deleteFaults', nothing);
}

type AccountAction = ControlPath<'actOnAccount'>['action'];
type MemberAction = ControlPath<'actOnMembership'>['action'];
/** Lets the type checker ask for a method for each action of the document. */
type Methods<Action extends string> = Readonly<Record<Action, (...names: never[]) => unknown>>;

/** What users and providers do to an account, which is given by its id, or by its connector and identifier: `mail/ada@acme.test`. */
export class AccountsCalls extends Calls implements Methods<AccountAction> {
  /** Expires the account's token now. The token is not refreshed until `grant`, new credentials or consent. */
  readonly expire = (account: string): Promise<Account> => this.#act('expire', account);
  /** The user disconnects the account. */
  readonly disconnect = (account: string): Promise<Account> => this.#act('disconnect', account);
  /** Takes the account back to PENDING_AUTH, without credentials. */
  readonly pend = (account: string): Promise<Account> => this.#act('pend', account);
  /** The provider stops refreshing the account's token. */
  readonly revoke = (account: string): Promise<Account> => this.#act('revoke', account);
  /** The provider refreshes the account's token again. */
  readonly grant = (account: string): Promise<Account> => this.#act('grant', account);

  async #act(action: AccountAction, account: string): Promise<Account> {
    const path = { id: requireText('account', account), action };
    return (await this.ask('actOnAccount', { path })).connected_account as Account;
  }
}

/** What users decide on the page of an authorization link, which is given by its address, or by the token at its end. */
export class LinksCalls extends Calls {
  /** Consents, as a click on Approve on the page does: to all that the page asks for, or to the scopes that are given. */
  readonly approve = (link: string | URL, decision: Approval = {}): Promise<Decision> =>
    this.#decide('approve', link, decision);
  /** Refuses, as a click on Deny on the page does, or fails with another error of the provider. */
  readonly deny = (link: string | URL, decision: Denial = {}): Promise<Decision> =>
    this.#decide('deny', link, decision);

  async #decide(
    decision: 'approve' | 'deny',
    link: string | URL,
    body: Approval & Denial,
  ): Promise<Decision> {
    return this.ask('decideLink', { path: { link: requireText('link', link), decision }, body });
  }
}

/** What happens to a member of an organization. An organization is given by its id or name, a user by id or e-mail address. */
export class MembershipsCalls extends Calls implements Methods<MemberAction> {
  /** Accepts the invitation, as the user does on its page. */
  readonly accept = (organization: string, user: string): Promise<Membership> =>
    this.#act('accept', organization, user);
  /** Expires a pending invitation now. */
  readonly expire = (organization: string, user: string): Promise<Membership> =>
    this.#act('expire', organization, user);
  /** Invites the member anew, without an e-mail. */
  readonly invite = (organization: string, user: string): Promise<Membership> =>
    this.#act('invite', organization, user);
  /** Deactivates the member. */
  readonly deactivate = (organization: string, user: string): Promise<Membership> =>
    this.#act('deactivate', organization, user);
  /** Activates the member again. */
  readonly activate = (organization: string, user: string): Promise<Membership> =>
    this.#act('activate', organization, user);

  async #act(action: MemberAction, organization: string, user: string): Promise<Membership> {
    const path = {
      organization_id: requireText('organization', organization),
      ...{ user_id: requireText('user', user), action },
    };
    return (await this.ask('actOnMembership', { path })).membership as Membership;
  }
}

/** The methods that control one environment. */
export class EnvironmentCalls extends Calls {
  /** Faults, which make calls fail or wait, or cut their connections. */
  readonly faults: FaultsCalls = new FaultsCalls(this.ask, this.id);
  /** What users and providers do to an account. */
  readonly accounts: AccountsCalls = new AccountsCalls(this.ask, this.id);
  /** What users decide on the page of an authorization link, without a browser. */
  readonly links: LinksCalls = new LinksCalls(this.ask, this.id);
  /** What happens to a member of an organization. */
  readonly memberships: MembershipsCalls = new MembershipsCalls(this.ask, this.id);
  /** Deletes the environment and everything in it. */
  async delete(): Promise<void> {
    await this.ask('deleteEnvironment');
  }

  /**
   * Resets the environment to its own scenario or to another one: data, clock, settings, faults, rate-limit counts,
   * outbox and events. New rows get the same ids as after the start. Journal, coverage and snapshots stay.
   */
  readonly reset = async (options: ResetOptions = {}): Promise<void> => {
    await this.ask('resetEnvironment', { body: options });
  };
  /** The environment as it is written under `environments.NAME` in a scenario file. */
  readonly state: () => Promise<EnvironmentForm> = this.plain('exportState', (state) => state);
  /**
   * Replaces all rows and settings, clients and `access_tokens` too: if the state leaves those out, no token of this
   * environment is valid any more. Statuses are not compared with the clock, so that an export can be put back at any time.
   */
  readonly setState = async (state: EnvironmentForm): Promise<void> => {
    await this.ask('replaceState', { body: state });
  };
  /**
   * Adds or changes rows by id or natural key, all or nothing. A row without a time gets the present time. A status that
   * contradicts a time or a verification request is refused, unless the call changes that too. With `create: true`, a row
   * that is there already is refused. Returns the ids of the rows that were written.
   */
  readonly patchState = async (
    state: EnvironmentForm,
    query: ControlQuery<'mergeState'> = {},
  ): Promise<Written> => (await this.ask('mergeState', { query, body: state })).written;
  /**
   * A scenario that needs no other file. A server started with it shows this environment as it is now, with its clock
   * and credentials. All times are absolute.
   */
  readonly scenario: () => Promise<ScenarioForm> = this.plain('exportScenario', (scenario) => scenario);
  /** A scenario with times relative to now and without a clock, for a fixture that stays fresh. */
  readonly relativeScenario: () => Promise<ScenarioForm> = plain(() =>
    this.ask('exportScenario', { query: { relative: true } }),
  );
  /** All snapshots, oldest first. */
  readonly snapshots: () => Promise<readonly Snapshot[]> = this.plain(
    'listSnapshots',
    (reply) => reply.snapshots,
  );
  /** Saves state, clock and settings under a name; a name that is taken is a 409. An environment can have up to 1,000 snapshots. */
  readonly snapshot = async (name?: string): Promise<Snapshot> =>
    this.ask('takeSnapshot', { body: { name } });
  /** Deletes a snapshot. */
  readonly deleteSnapshot = async (name: string | Snapshot): Promise<void> => {
    await this.ask('deleteSnapshot', { path: { name: requireText('name', name) } });
  };
  /** Goes back to a snapshot. */
  readonly restore = async (name: string | Snapshot): Promise<void> => {
    await this.ask('restoreSnapshot', { path: { name: requireText('name', name) } });
  };
  /** What the clock shows. */
  readonly clock: () => Promise<Clock> = this.plain('getClock', (clock) => clock);
  /** Freezes the clock, lets it run, or sets it to any time. */
  readonly setClock = async (clock: ClockOptions): Promise<Clock> => this.ask('setClock', { body: clock });
  /** Moves the clock forward. Links, tokens, invitations and everything else that ends before the new time expire at once. */
  readonly advance = async (by: Duration): Promise<Clock> => this.ask('advanceClock', { body: { by } });
  /** All settings. */
  readonly settings: () => Promise<Settings> = this.plain('getSettings', (settings) => settings);
  /** Changes the given settings. */
  readonly patchSettings = async (settings: Settings): Promise<Settings> =>
    this.ask('changeSettings', { body: settings });
  /**
   * The recorded calls (the journal) that meet all conditions of the filter, oldest first, with credentials masked and
   * bodies cut at 64 KiB. A call whose connection was cut, by a fault or by the client, has the status 0.
   */
  readonly requests = async (filter: RequestFilter = {}): Promise<readonly RecordedRequest[]> => {
    const query = { ...toQueryOf(filter), limit: 1000, format: 'json' } as const;
    return ((await this.ask('listRequests', { query })) as Journal).requests;
  };
  /** The recorded calls as an HTTP Archive 1.2. */
  readonly har = async (filter: RequestFilter = {}): Promise<HttpArchive> =>
    (await this.ask('listRequests', { query: { ...toQueryOf(filter), format: 'har' } })) as HttpArchive;
  /** Empties the journal. */
  readonly clearRequests: () => Promise<void> = this.plain('clearRequests', nothing);
  /** Which parts of the contract the calls so far have exercised. */
  readonly coverage: () => Promise<Coverage> = this.plain('getCoverage', (coverage) => coverage);
  /** Resets the coverage of the environment to zero. */
  readonly clearCoverage: () => Promise<void> = this.plain('clearCoverage', nothing);
  /** What the calls so far relied on, as a Pact of the specification 3, for brokers and comparators. */
  readonly pact = async (names: ControlQuery<'getPact'> = {}): Promise<Pact> =>
    this.ask('getPact', { query: requireObject('names', names) });
  /** E-mails that the service would have sent, oldest first. */
  readonly outbox = async (given: EmailFilter = {}): Promise<readonly Email[]> => {
    const { since, ...filter } = requireConditions(given, EMAIL_CONDITIONS);
    return (await this.ask('listEmails', { query: { ...filter, ...toSince(since) } })).emails;
  };
  /** Empties the outbox. */
  readonly clearOutbox: () => Promise<void> = this.plain('clearEmails', nothing);
  /** The last 10,000 state changes since the start, oldest first. */
  readonly events: () => Promise<readonly StateEvent[]> = this.plain('listEvents', ({ events }) => events);
  /** Logs a sign-in. */
  readonly signIn = async (signIn: SignIn): Promise<AuthenticationRequest> =>
    (await this.ask('signIn', { body: signIn })).authentication_request as AuthenticationRequest;
}
