/** All environments of a server. Finds the environment that a request belongs to (behaviour E1, E2, E5). */

import { Refusal } from '../core/errors.ts';
import { drawFrom, environmentKey, randomSeed, seedGenerator, traceIdOf } from '../core/ids.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { Service } from '../service.ts';
import type { EngineState } from '../state.ts';
import { Environment, type EnvironmentOrigin, type EnvironmentState, initialState } from './environment.ts';
import { createLog } from './log.ts';
import { RunRecord } from './run-record.ts';
import { UsedContract } from './used.ts';

export class Environments {
  /** How many replies have broken the contract, whether or not they were sent. */
  replyViolations = 0;
  /** Environments by id, in the order in which they were created. */
  readonly byId = new Map<string, Environment>();
  /** Generates names, ids and credentials for environments created at runtime. All must differ between servers. */
  readonly draw = drawFrom(seedGenerator(randomSeed()));
  /** Environments by everything that selects them in a call. No two share a value (behaviour E5). */
  readonly #owners: Record<Handle, Map<string, Environment>> = {
    name: new Map(),
    client: new Map(),
    bearer: new Map(),
    key: new Map(),
    trace: new Map(),
  };
  /** What deleted environments have used of the contract. */
  readonly #usedBefore: UsedContract;
  /** What a run leaves behind, deleted environments included. */
  readonly run = new RunRecord();
  /** Tells whenever an environment is added or removed. */
  readonly changes = createLog<void>(0);

  /**
   * Creates the environments of a scenario.
   * @param baseUrl the server's address as clients see it, without a trailing slash; set again once the port is known
   * @throws Refusal 409 if two environments of the scenario share a name, id, client id or bearer token
   */
  constructor(
    readonly service: Service,
    public scenario: Scenario,
    public baseUrl: string,
  ) {
    this.#usedBefore = new UsedContract(service.contract);
    for (const initial of scenario.environments) this.add({ initial, scenario: scenario.name }, false);
  }

  /** @throws Refusal 409 if another environment has the same name, id, client id or bearer token (behaviour E5) */
  add(origin: EnvironmentOrigin, isRuntime: boolean): Environment {
    const { initial } = origin;
    this.#requireFree(handlesOf(initial, initial.state), () => false);
    const used = new UsedContract(this.service.contract);
    const environment = new Environment(origin, isRuntime, () => this.baseUrl, used);
    this.draw.reserve(environment.id);
    this.byId.set(environment.id, environment);
    this.#register(environment);
    this.changes.add();
    return environment;
  }

  /** Removes an environment and its data. What it used still counts in the total. */
  remove(environment: Environment): void {
    this.byId.delete(environment.id);
    environment.endWorld();
    this.#unregister(environment);
    this.#usedBefore.add(environment.used);
    environment.used = this.#usedBefore; // so that calls that end after the removal also count
    this.changes.add(); // the environment's streams are still open, so they report the removal
    environment.close();
    this.run.keep(environment.name, environment.journal);
  }

  /**
   * Replaces the state of an environment, and registers its clients and bearer tokens if they changed.
   * @throws Refusal 409 if another environment has a client or bearer token of `state`; then nothing has changed
   */
  change(environment: Environment, state: EnvironmentState): void {
    const before = environment.current.data;
    const after = state.data;
    if (before.clients === after.clients && before.access_tokens === after.access_tokens) {
      environment.current = state;
      return;
    }
    this.#requireFree(handlesOf(environment, after), (owner) => owner === environment);
    this.#unregister(environment);
    environment.current = state;
    this.#register(environment);
  }

  /** Like `change`, but calls that began before change nothing any more (behaviour E8). */
  replace(environment: Environment, state: EnvironmentState): void {
    this.change(environment, state);
    environment.endWorld();
  }

  /**
   * Resets an environment: data, clock, settings, faults, rate counts, request counters, outbox and events.
   * Journal, coverage and snapshots stay.
   * @param origin new values for what a reset restores
   * @throws Refusal 409 if another environment has a client or bearer token of `initial`; then nothing has changed
   */
  restart(environment: Environment, origin: Partial<EnvironmentOrigin> = {}): void {
    const start = { ...environment.origin, ...origin };
    this.replace(environment, initialState(start.initial));
    environment.begin(start);
  }

  /**
   * Switches to another scenario (`--watch`): removes environments that the new scenario lacks, adds those that only
   * the new scenario has, and restarts the others. Environments created at runtime stay.
   * @throws Refusal 409 if an environment created at runtime has a name, id, client or bearer token of the scenario;
   * then nothing has changed
   */
  replaceScenario(scenario: Scenario): void {
    for (const initial of scenario.environments)
      this.#requireFree(handlesOf(initial, initial.state), ({ isRuntime }) => !isRuntime);
    const own = [...this.byId.values()].filter(({ isRuntime }) => !isRuntime);
    // All environments are unregistered first, because the new scenario can move a client from one to another.
    for (const environment of own) this.#unregister(environment);
    // An environment stays only if the new scenario has its name with the same id, since tokens contain the id.
    const kept = scenario.environments.map(({ id, name }) =>
      own.find((environment) => environment.id === id && environment.name === name),
    );
    for (const environment of own) if (!kept.includes(environment)) this.remove(environment);
    for (const [nth, initial] of scenario.environments.entries()) {
      const environment = kept[nth];
      const origin = { initial, scenario: scenario.name };
      if (environment) {
        this.restart(environment, origin);
        this.#register(environment);
      } else this.add(origin, false);
    }
    this.scenario = scenario;
  }

  /** Ends all streams and all waits, so that the server can close. */
  close(): void {
    for (const environment of this.byId.values()) environment.close();
  }

  find(nameOrId: string): Environment | undefined {
    return this.#owners.name.get(nameOrId);
  }

  findByClient(clientId: string): Environment | undefined {
    return this.#owners.client.get(clientId);
  }

  findByAccessToken(token: string): Environment | undefined {
    return this.#owners.bearer.get(token);
  }

  /** The environment whose key is at the end of a link or invitation token (behaviour E5). */
  findByKey(token: string): Environment | undefined {
    return this.#owners.key.get(token.slice(-11));
  }

  /** @param traceId 32 hexadecimal digits, or the last 16, which are all that some tracers send (behaviour E9) */
  findByTrace(traceId: string): Environment | undefined {
    const digits = traceId.toLowerCase();
    const found = this.#owners.trace.get(digits.slice(-16));
    return found && traceIdOf(found.id).endsWith(digits) ? found : undefined;
  }

  /** The oldest environment, for calls that do not select any. @throws Refusal 404 if no environment is left */
  first(): Environment {
    for (const environment of this.byId.values()) return environment;
    throw new Refusal('NOT_FOUND', 'No environment is left.', 'Create one with POST /_mock/environments.');
  }

  /** What all environments have used of the contract, including deleted ones. */
  totalUsed(): UsedContract {
    const total = new UsedContract(this.service.contract);
    total.add(this.#usedBefore);
    for (const { used } of this.byId.values()) total.add(used);
    return total;
  }

  clearCoverage(): void {
    this.#usedBefore.coverage.clear();
    for (const { used } of this.byId.values()) used.coverage.clear();
  }

  #register(environment: Environment): void {
    for (const [handle, value] of handlesOf(environment, environment.current.data))
      this.#owners[handle].set(value, environment);
  }

  /** Forgets what selects the environment, unless it selects another one by now. */
  #unregister(environment: Environment): void {
    for (const [handle, value] of handlesOf(environment, environment.current.data))
      if (this.#owners[handle].get(value) === environment) this.#owners[handle].delete(value);
  }

  /**
   * Refuses a name, id, client id or bearer token that another environment has (behaviour E5). The message of the
   * refusal never contains a bearer token. @throws Refusal 409
   * @param isReplaced returns true for an environment that the caller replaces: its names and credentials are free
   */
  #requireFree(handles: Handles, isReplaced: (owner: Environment) => boolean): void {
    for (const [handle, value] of handles) {
      const owner = this.#owners[handle].get(value);
      if (!owner || isReplaced(owner)) continue;
      const taken = handle === 'bearer' ? 'An entry of access_tokens' : `The ${handle} ${value}`;
      throw new Refusal(
        'RESOURCE_ALREADY_EXISTS',
        `${taken} belongs to another environment: ${owner.name}${owner.isRuntime ? ', created at runtime' : ''}.`,
        'Choose another value, or delete that environment first.',
      );
    }
  }
}

type Handle = 'name' | 'client' | 'bearer' | 'key' | 'trace';
type Handles = readonly (readonly [handle: Handle, value: string])[];

/** Everything by which a call can select an environment. Its id is a name too. */
const handlesOf = (
  { id, name }: Pick<Environment, 'id' | 'name'>,
  { clients, access_tokens }: Pick<EngineState, 'clients' | 'access_tokens'>,
): Handles => [
  ['name', id],
  ['name', name],
  ['key', environmentKey(id)],
  ['trace', traceIdOf(id).slice(-16)],
  ...Array.from(clients.positions.keys(), (client) => ['client', client] as const),
  ...access_tokens.map((token) => ['bearer', token] as const),
];
