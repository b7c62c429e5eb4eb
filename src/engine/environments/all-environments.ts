/** All environments of a server: creates and restarts them, and finds the environment of a request (behaviour E1, E2, E5). */
import { Refusal, requireRoom } from '../core/errors.ts';
import { drawFrom, environmentKey, randomSeed, seedGenerator, traceIdOf } from '../core/ids.ts';
import { createTable, putRow } from '../core/table.ts';
import { didYouMean, listNames } from '../core/text.ts';
import type { InitialEnvironment, Scenario } from '../scenario/scenario.ts';
import type { Service } from '../service.ts';
import type { EngineState } from '../state.ts';
import {
  Environment,
  type EnvironmentOrigin,
  type EnvironmentState,
  initialState,
  type MadeWith,
} from './environment.ts';
import type { Journal, JournalEntry } from './journal.ts';
import { LiveLog } from './log.ts';
import { UsedContract } from './used.ts';

/** The most that the journals of deleted environments may weigh; beyond that, the oldest of them goes. */
const MOST_CHARACTERS = 32 * 1024 * 1024;

/** Tests that never delete their environments could otherwise fill the memory. */
const MOST_ENVIRONMENTS = 10_000;

const NAME_ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';

export interface BeginOptions extends MadeWith {
  /** The scenario that has the environment to copy; default: the server's scenario. */
  readonly scenario?: Scenario | undefined;
  /** Name of the environment to copy. Default: the environment of the same name, else the scenario's first. */
  readonly from?: string | undefined;
}

export class Environments {
  /** How many replies have broken the contract, whether or not they were sent. */
  replyViolations = 0;
  /** Environments by id, in the order in which they were created. */
  readonly byId = new Map<string, Environment>();
  /** Generates names, ids and credentials for environments created at runtime. All must differ between servers. */
  readonly draw = drawFrom(seedGenerator(randomSeed()));
  /** What all environments have used, deleted ones included. */
  readonly used: UsedContract;
  /** Control calls that were refused, whoever made them (behaviour N7). */
  readonly refusedCalls = new LiveLog<{ method: string; path: string; status: number; reason: string }>(
    1_000,
  );
  /** Tells whenever an environment is added or removed. */
  readonly changes = new LiveLog<void>(0);
  /** Environments by everything that selects them in a call. No two share a handle (behaviour E5). */
  readonly #owners: Readonly<Record<Handle[0], Map<string, Environment>>> = {
    name: new Map(),
    client: new Map(),
    bearer: new Map(),
    key: new Map(),
    trace: new Map(),
  };
  /** The calls of deleted environments (behaviour N7). */
  #ended: { readonly name: string; readonly journal: Journal; readonly weight: number }[] = [];

  /** @param baseUrl the server's address as clients see it, without a trailing slash; set again once the port is known */
  constructor(
    readonly service: Service,
    public scenario: Scenario,
    public baseUrl: string,
  ) {
    this.used = new UsedContract(service.contract);
    for (const initial of scenario.environments) this.add({ ...initial, scenario: scenario.name });
  }

  /** @throws Refusal 409 if another environment has the same name, id, client id or bearer token (behaviour E5) */
  add(origin: EnvironmentOrigin): Environment {
    this.#requireFree(handlesOf(origin, origin.state), () => false);
    const used = new UsedContract(this.service.contract, this.used);
    const environment = new Environment(origin, () => this.baseUrl, used);
    this.draw.reserve(environment.id);
    this.byId.set(environment.id, environment);
    this.#register(environment);
    this.changes.add();
    return environment;
  }

  /**
   * Creates an isolated environment with its own id and credentials (behaviour E5).
   * @param given its name; default: the name of the copied environment and six random characters
   * @throws Refusal 400 if the scenario lacks the environment `options.from` or there are too many environments, 409 if
   * the name is taken
   */
  create(options: BeginOptions = {}, given?: string): Environment {
    const hint = 'Delete those that are no longer needed: DELETE /_mock/environments/{env}.';
    requireRoom(this.byId.size, MOST_ENVIRONMENTS, 'environments', hint);
    const { draw } = this;
    const { name: copiedFrom, state } = this.#sourceOf(options);
    let name = given;
    while (name === undefined || (given === undefined && this.find(name)))
      name = `${copiedFrom}-${draw.text(NAME_ALPHABET, 6)}`;
    const client = { client_id: `client_${draw.token(22)}`, client_secret: draw.token() };
    const clients = putRow(createTable(state.clients.spec), client);
    const own = { clients, access_tokens: [draw.token()] };
    return this.add(this.#originOf(options, { id: draw.id('env'), name, copiedFrom, state: own }));
  }

  /**
   * Creates an environment of this name. If the scenario's environment of this name was removed, it comes back with its
   * id, clients and bearer tokens.
   */
  createNamed(name: string, options: BeginOptions): Environment {
    const initial = named(this.scenario, name);
    return initial ? this.add(this.#originOf(options, initial)) : this.create(options, name);
  }

  /**
   * Resets an environment. With options, it starts as a new environment with these options would, but its id and name stay,
   * and its credentials too, unless it is the scenario's environment of its name.
   * @throws Refusal 400 if the scenario lacks the environment `options.from`; 409 if another environment has a client or
   * bearer token of the scenario; then nothing has changed
   */
  remake(environment: Environment, options: BeginOptions): void {
    const { origin } = environment;
    const isPlain = Object.values(options).every((option) => option === undefined);
    this.restart(environment, isPlain ? origin : this.#originOf(options, origin));
  }

  /** Removes an environment and its data, but not its calls. */
  remove(environment: Environment): void {
    this.byId.delete(environment.id);
    environment.endWorld();
    this.#unregister(environment);
    this.changes.add(); // the environment's streams are still open, so they report the removal
    environment.close();
    const { name, journal } = environment;
    const weight = journal.weight();
    if (weight > 0) this.#ended.push({ name, journal, weight });
    let total = this.#ended.reduce((sum, one) => sum + one.weight, 0);
    while (total > MOST_CHARACTERS) total -= this.#ended.shift()?.weight ?? total;
  }

  /** The calls of all environments, deleted ones included, in the order in which they ended. */
  calls(): readonly (JournalEntry & { readonly environment: string })[] {
    return [...this.#ended, ...this.byId.values()]
      .flatMap(({ name, journal }) => journal.entries().map((call) => ({ ...call, environment: name })))
      .sort((one, other) => Date.parse(one.real_time) - Date.parse(other.real_time));
  }

  /**
   * Replaces the state of an environment, and registers its clients and bearer tokens.
   * @throws Refusal 409 if another environment has a client or bearer token of `state`; then nothing has changed
   */
  change(environment: Environment, state: EnvironmentState): void {
    this.#requireFree(handlesOf(environment, state.data), (owner) => owner === environment);
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
   * Journal, coverage and snapshots stay. @param origin what the environment starts from now and after later resets
   * @throws Refusal 409 if another environment has a client or bearer token of `origin`; then nothing has changed
   */
  restart(environment: Environment, origin = environment.origin): void {
    this.replace(environment, initialState(origin));
    environment.begin(origin);
  }

  /**
   * Switches to another scenario (`--watch`). Environments created at runtime stay.
   * @throws Refusal 409 if an environment created at runtime has a name, id, client or bearer token of the scenario;
   * then nothing has changed
   */
  replaceScenario(scenario: Scenario): void {
    const { environments, name } = scenario;
    for (const initial of environments)
      this.#requireFree(handlesOf(initial, initial.state), ({ isRuntime }) => !isRuntime);
    const own = [...this.byId.values()].filter(({ isRuntime }) => !isRuntime);
    // All environments are unregistered first, because the new scenario can move a client from one to another.
    for (const environment of own) this.#unregister(environment);
    // An environment stays only if the new scenario has its name with the same id, since tokens contain the id.
    for (const environment of own)
      if (named(scenario, environment.name)?.id !== environment.id) this.remove(environment);
    for (const initial of environments) {
      const environment = this.byId.get(initial.id);
      if (environment) this.restart(environment, { ...initial, scenario: name });
      else this.add({ ...initial, scenario: name });
    }
    this.scenario = scenario;
  }

  /**
   * Takes an environment back to an undo point: restores its state, its origin, and what was emptied or deleted of its
   * records. Records that were made since stay. The point and later ones are no more.
   * @throws Refusal 404 for an unknown undo point; 400 or 409 if the state cannot be restored; then nothing has changed
   */
  undoTo(environment: Environment, id: string): void {
    const { state, origin, putRecordsBack } = environment.requireUndoPoint(id);
    this.replace(environment, state);
    environment.origin = origin;
    putRecordsBack();
    environment.undoPoints = environment.undoPoints.filter((each) => Number(each.id) < Number(id));
  }

  /** Ends all streams and all waits, so that the server can close. */
  close(): void {
    for (const environment of this.byId.values()) environment.close();
    this.changes.close();
  }

  /** @param by an id is a name too */
  find(value: string, by: Handle[0] = 'name'): Environment | undefined {
    return this.#owners[by].get(value);
  }

  /** The environment whose key is at the end of a link or invitation token (behaviour E5). */
  findByKey(token: string): Environment | undefined {
    return this.find(token.slice(-11), 'key');
  }

  /** @param traceId 32 hexadecimal digits, or the last 16, which are all that some tracers send (behaviour E9) */
  findByTrace(traceId: string): Environment | undefined {
    const digits = traceId.toLowerCase();
    const found = this.find(digits.slice(-16), 'trace');
    return found && traceIdOf(found.id).endsWith(digits) ? found : undefined;
  }

  /** The oldest environment, for calls that do not select any. @throws Refusal 404 if no environment is left */
  first(): Environment {
    for (const environment of this.byId.values()) return environment;
    throw new Refusal('NOT_FOUND', 'No environment is left.', 'Create one with POST /_mock/environments.');
  }

  /** What an environment starts from. */
  #originOf(options: BeginOptions, { id, name, copiedFrom, state: own }: Own): EnvironmentOrigin {
    const { scenario = this.scenario, from, clock, settings } = options;
    const isOwnName = copiedFrom === undefined;
    const source = this.#sourceOf(options, isOwnName ? name : undefined);
    const { clients, access_tokens } = isOwnName && source.name === name ? source.state : own;
    return {
      ...source,
      id,
      name,
      clock: clock ?? source.clock,
      settings: { ...source.settings, ...settings },
      state: { ...source.state, clients, access_tokens },
      // Only who names another original makes it a copy of that one (behaviour E7).
      copiedFrom: copiedFrom && (named(this.scenario, from)?.name ?? copiedFrom),
      scenario: scenario.name,
      madeWith: { clock, settings },
    };
  }

  /** The environment to copy. @param usual the name of the one to prefer, if the options name none */
  #sourceOf({ scenario = this.scenario, from }: BeginOptions, usual?: string): InitialEnvironment {
    const source =
      from === undefined ? (named(scenario, usual) ?? scenario.environments[0]) : named(scenario, from);
    if (source) return source;
    const names = scenario.environments.map(({ name }) => name);
    const problem = `The scenario ${scenario.name} has no environment ${from}; it has ${listNames(names)}.`;
    throw new Refusal('INVALID_ARGUMENT', problem, didYouMean(from ?? '', names).trim());
  }

  #register(environment: Environment): void {
    for (const [by, value] of handlesOf(environment, environment.current.data))
      this.#owners[by].set(value, environment);
  }

  /** Forgets what selects the environment, unless it selects another one by now. */
  #unregister(environment: Environment): void {
    for (const [by, value] of handlesOf(environment, environment.current.data))
      if (this.find(value, by) === environment) this.#owners[by].delete(value);
  }

  /**
   * The message of the refusal never contains a bearer token. @throws Refusal 409 (behaviour E5)
   * @param isReplaced returns true for an environment that the caller replaces: its names and credentials are free
   */
  #requireFree(handles: readonly Handle[], isReplaced: (owner: Environment) => boolean): void {
    for (const [by, value] of handles) {
      const owner = this.find(value, by);
      if (!owner || isReplaced(owner)) continue;
      const taken = by === 'bearer' ? 'An entry of access_tokens' : `The ${by} ${value}`;
      const problem = `${taken} belongs to another environment: ${owner.name}${owner.isRuntime ? ', created at runtime' : ''}.`;
      const hint = 'Choose another value, or delete that environment first.';
      throw new Refusal('RESOURCE_ALREADY_EXISTS', problem, hint);
    }
  }
}

type Handle = readonly [by: 'name' | 'client' | 'bearer' | 'key' | 'trace', value: string];

type Credentials = Pick<EngineState, 'clients' | 'access_tokens'>;

/** Everything by which a call can select an environment, such as the client `dev-client`. */
const handlesOf = (
  { id, name }: Pick<Environment, 'id' | 'name'>,
  { clients, access_tokens }: Credentials,
): readonly Handle[] => [
  ['name', id],
  ['name', name],
  ['key', environmentKey(id)],
  ['trace', traceIdOf(id).slice(-16)],
  ...Array.from(clients.positions.keys(), (client): Handle => ['client', client]),
  ...access_tokens.map((token): Handle => ['bearer', token]),
];

/** What stays of an environment whatever it starts from. */
type Own = Pick<EnvironmentOrigin, 'id' | 'name' | 'copiedFrom'> & { readonly state: Credentials };

const named = ({ environments }: Scenario, name: string | undefined): InitialEnvironment | undefined =>
  environments.find((one) => one.name === name);
