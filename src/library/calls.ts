/** The methods of the library that are one call of the control plane each. `control.yaml` says what a call does. */
import { requireConditions, requireObject, segment, toQueryOf, toSince } from './ask.ts';
import { EMAIL_CONDITIONS } from './conditions.ts';
import { AccountsCalls, Calls, FaultsCalls, LinksCalls, MembershipsCalls } from './group-calls.ts';
import type {
  AuthenticationRequest,
  Clock,
  ClockOptions,
  ControlQuery,
  Coverage,
  Duration,
  Email,
  EmailFilter,
  EnvironmentForm,
  HttpArchive,
  Journal,
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
import { refuseArguments } from './unknown-names.ts';

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
    await this.ask<'deleteEnvironment'>('DELETE', this.at);
  }

  /**
   * Resets the environment to its own scenario or to another one: data, clock, settings, faults, rate-limit counts,
   * outbox and events. New rows get the same ids as after the start. Journal, coverage and snapshots stay.
   */
  async reset(options: ResetOptions = {}): Promise<void> {
    await this.ask<'resetEnvironment'>('POST', `${this.at}/reset`, { body: options });
  }

  /** The environment as it is written under `environments.NAME` in a scenario file. */
  async state(): Promise<EnvironmentForm> {
    return this.ask<'exportState'>('GET', `${this.at}/state`);
  }

  /**
   * Replaces all rows and settings, clients and `access_tokens` too: if the state leaves those out, no token of this
   * environment is valid any more. Statuses are not compared with the clock, so that an export can be put back at any time.
   */
  async setState(state: EnvironmentForm): Promise<void> {
    await this.ask<'replaceState'>('PUT', `${this.at}/state`, { body: state });
  }

  /**
   * Adds or changes rows by id or natural key, all or nothing. A row without a time gets the present time. A status that
   * contradicts a time or a verification request is refused, unless the call changes that too. With `create: true`, a row
   * that is there already is refused. Returns the ids of the rows that were written.
   */
  async patchState(state: EnvironmentForm, query: ControlQuery<'mergeState'> = {}): Promise<Written> {
    return (await this.ask<'mergeState'>('PATCH', `${this.at}/state`, { query, body: state })).written;
  }

  /**
   * A scenario that needs no other file. A server started with it shows this environment as it is now, with its clock
   * and credentials. All times are absolute.
   */
  async scenario(): Promise<ScenarioForm> {
    return this.ask<'exportScenario'>('GET', `${this.at}/scenario`);
  }

  /** A scenario with times relative to now and without a clock, for a fixture that stays fresh. */
  async relativeScenario(): Promise<ScenarioForm> {
    return this.ask<'exportScenario'>('GET', `${this.at}/scenario`, { query: { relative: true } });
  }

  /** All snapshots, oldest first. */
  async snapshots(): Promise<readonly Snapshot[]> {
    return (await this.ask<'listSnapshots'>('GET', `${this.at}/snapshots`)).snapshots;
  }

  /** Saves state, clock and settings under a name; a name that is taken is a 409. An environment can have up to 1,000 snapshots. */
  async snapshot(name?: string): Promise<Snapshot> {
    return this.ask<'takeSnapshot'>('POST', `${this.at}/snapshots`, { body: { name } });
  }

  /** Deletes a snapshot. */
  async deleteSnapshot(name: string | Snapshot): Promise<void> {
    await this.ask<'deleteSnapshot'>('DELETE', `${this.at}/snapshots/${segment('name', name)}`);
  }

  /** Goes back to a snapshot. */
  async restore(name: string | Snapshot): Promise<void> {
    await this.ask<'restoreSnapshot'>('POST', `${this.at}/snapshots/${segment('name', name)}/restore`);
  }

  /** What the clock shows. */
  async clock(): Promise<Clock> {
    return this.ask<'getClock'>('GET', `${this.at}/clock`);
  }

  /** Freezes the clock, lets it run, or sets it to any time. */
  async setClock(clock: ClockOptions): Promise<Clock> {
    return this.ask<'setClock'>('PUT', `${this.at}/clock`, { body: clock });
  }

  /** Moves the clock forward. Links, tokens, invitations and everything else that ends before the new time expire at once. */
  async advance(by: Duration): Promise<Clock> {
    return this.ask<'advanceClock'>('POST', `${this.at}/clock/advance`, { body: { by } });
  }

  /** All settings. */
  async settings(): Promise<Settings> {
    return this.ask<'getSettings'>('GET', `${this.at}/settings`);
  }

  /** Changes the given settings. */
  async patchSettings(settings: Settings): Promise<Settings> {
    return this.ask<'changeSettings'>('PATCH', `${this.at}/settings`, { body: settings });
  }

  /**
   * The recorded calls (the journal) that meet all conditions of the filter, oldest first, with credentials masked and
   * bodies cut at 64 KiB. A call whose connection was cut, by a fault or by the client, has the status 0.
   */
  async requests(filter: RequestFilter = {}): Promise<readonly RecordedRequest[]> {
    const query = { ...toQueryOf(filter), limit: 1000, format: 'json' } as const;
    const journal = await this.ask<'listRequests'>('GET', `${this.at}/requests`, { query });
    return (journal as Journal).requests;
  }

  /** The recorded calls as an HTTP Archive 1.2. */
  async har(filter: RequestFilter = {}): Promise<HttpArchive> {
    const query = { ...toQueryOf(filter), format: 'har' } as const;
    return (await this.ask<'listRequests'>('GET', `${this.at}/requests`, { query })) as HttpArchive;
  }

  /** Empties the journal. */
  async clearRequests(): Promise<void> {
    await this.ask<'clearRequests'>('DELETE', `${this.at}/requests`);
  }

  /** Which parts of the contract the calls so far have exercised. */
  async coverage(): Promise<Coverage> {
    return this.ask<'getCoverage'>('GET', `${this.at}/coverage`);
  }

  /** Resets the coverage of the environment to zero. */
  async clearCoverage(): Promise<void> {
    await this.ask<'clearCoverage'>('DELETE', `${this.at}/coverage`);
  }

  /** What the calls so far relied on, as a Pact of the specification 3, for brokers and comparators. */
  async pact(names: ControlQuery<'getPact'> = {}): Promise<Pact> {
    return this.ask<'getPact'>('GET', `${this.at}/pact`, { query: requireObject('names', names) });
  }

  /** E-mails that the service would have sent, oldest first. */
  async outbox(given: EmailFilter = {}): Promise<readonly Email[]> {
    const { since, ...filter } = requireConditions(given, EMAIL_CONDITIONS);
    const query = { ...filter, ...toSince(since) };
    return (await this.ask<'listEmails'>('GET', `${this.at}/outbox`, { query })).emails;
  }

  /** Empties the outbox. */
  async clearOutbox(): Promise<void> {
    await this.ask<'clearEmails'>('DELETE', `${this.at}/outbox`);
  }

  /** The last 10,000 state changes since the start, oldest first. */
  async events(): Promise<readonly StateEvent[]> {
    return (await this.ask<'listEvents'>('GET', `${this.at}/events`)).events;
  }

  /** Logs a sign-in. */
  async signIn(signIn: SignIn): Promise<AuthenticationRequest> {
    const reply = await this.ask<'signIn'>('POST', `${this.at}/sign-ins`, { body: signIn });
    return reply.authentication_request as AuthenticationRequest;
  }
}

refuseArguments(
  EnvironmentCalls,
  'state scenario relativeScenario snapshots clock settings clearRequests coverage clearCoverage clearOutbox events',
);
