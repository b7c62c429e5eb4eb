/** Makes environments at runtime, and takes environments back to their start, to a snapshot or to another scenario. */
import { Refusal } from '../core/errors.ts';
import type { Draw } from '../core/ids.ts';
import { didYouMean } from '../core/nearest.ts';
import { createTable } from '../core/table.ts';
import { putRow } from '../core/table-writer.ts';
import { listNames } from '../core/text.ts';
import type { ClockSetting, InitialEnvironment, Scenario } from '../domain/scenario.ts';
import type { Settings } from '../domain/settings.ts';
import type { Environment } from './environment.ts';
import { initialState } from './environment-state.ts';
import {
  addEnvironment,
  changeState,
  type Environments,
  findEnvironment,
  removeEnvironment,
} from './environments.ts';

export interface RuntimeOptions {
  /** Default: the server's scenario. */
  readonly scenario?: Scenario | undefined;
  /** Name of the scenario's environment to copy; default: the scenario's first environment. */
  readonly from?: string | undefined;
  /** Default: the copied name and six random characters. */
  readonly name?: string | undefined;
  readonly clock?: ClockSetting | undefined;
  readonly settings?: Partial<Settings> | undefined;
}

/** Credentials for clients of an environment. */
export interface EnvironmentCredentials {
  readonly client_id: string;
  readonly client_secret: string;
  readonly access_token: string;
}

/**
 * Makes an isolated environment with its own id and credentials. It shares all other data with its source until one of
 * them writes (behaviour E5).
 * @throws Refusal 400 if the scenario does not have `from` or there are `MOST_ENVIRONMENTS` already, 409 if the name
 *   is taken
 */
export const createRuntimeEnvironment = (
  environments: Environments,
  options: RuntimeOptions = {},
): Environment => {
  if (environments.byId.size >= MOST_ENVIRONMENTS) throw tooMany();
  const { source, ...copied } = copyFrom(environments, options);
  const { client_id, client_secret, access_token } = drawCredentials(environments.draw);
  const initial: InitialEnvironment = {
    ...copied.initial,
    id: drawFree(environments, (draw) => draw.id('env')),
    name: options.name ?? drawFree(environments, (draw) => `${source}-${draw.text(NAME_ALPHABET, 6)}`),
    state: {
      ...copied.initial.state,
      clients: putRow(createTable(copied.initial.state.clients.spec), { client_id, client_secret }),
      access_tokens: [access_token],
    },
  };
  return addEnvironment(environments, initial, {
    scenario: copied.scenario,
    isRuntime: true,
    copiedFrom: source,
  });
};

/**
 * Makes the environment of this name. A removed environment of the scenario comes back with its own id, clients and
 * bearers; any other is made at runtime.
 */
export const createNamedEnvironment = (
  environments: Environments,
  name: string,
  options: Omit<RuntimeOptions, 'name'>,
): Environment => {
  const own = environments.scenario.environments.find((one) => one.name === name);
  if (!own) return createRuntimeEnvironment(environments, { ...options, name });
  const environment = addEnvironment(environments, own);
  try {
    remakeEnvironment(environments, environment, options);
  } catch (error) {
    removeEnvironment(environments, environment);
    throw error;
  }
  return environment;
};

/**
 * Restarts an environment as if it were made with these options. It keeps its id, name and credentials. Without
 * options it goes back to its own start.
 * @throws Refusal 400 if the scenario does not have `from`
 */
export const remakeEnvironment = (
  environments: Environments,
  environment: Environment,
  options: Omit<RuntimeOptions, 'name'>,
): void => {
  if (Object.values(options).every((option) => option === undefined)) {
    resetEnvironment(environments, environment);
    return;
  }
  const { initial, source, scenario } = copyFrom(environments, {
    ...options,
    from: options.from ?? ownSource(environments, environment, options),
  });
  startFrom(environments, environment, asStartOf(environment, initial));
  environment.scenario = scenario;
  environment.copiedFrom = environment.isRuntime ? source : undefined;
};

/** The name of this environment in the scenario; undefined if it was made at runtime. */
const ownSource = (
  environments: Environments,
  { name, isRuntime }: Environment,
  { scenario = environments.scenario }: RuntimeOptions,
): string | undefined =>
  isRuntime ? undefined : scenario.environments.find((one) => one.name === name)?.name;

/** The start of an environment that is made with these options, without id, name and credentials. */
const copyFrom = (
  environments: Environments,
  { scenario = environments.scenario, from, clock, settings }: RuntimeOptions,
) => {
  const source = findSource(scenario, from);
  const initial: InitialEnvironment = {
    ...source,
    settings: { ...source.settings, ...settings },
    clock: clock ?? source.clock,
  };
  return { initial, source: source.name, scenario: scenario.name };
};

/** The start to which an environment made at runtime is reset: the start of its source, with its own credentials. */
export const startOfCopy = (scenario: Scenario, environment: Environment): InitialEnvironment => {
  const source = scenario.environments.find((one) => one.name === environment.copiedFrom);
  return asStartOf(environment, source ?? findSource(scenario, undefined));
};

/** A start with the id, name and credentials of this environment. */
const asStartOf = ({ id, name, initial }: Environment, start: InitialEnvironment): InitialEnvironment => {
  const { clients, access_tokens } = initial.state;
  return { ...start, id, name, state: { ...start.state, clients, access_tokens } };
};

/** The limit stops tests that never drop their environments from filling the memory. */
const MOST_ENVIRONMENTS = 10_000;

const tooMany = (): Refusal =>
  new Refusal(
    'FAILED_PRECONDITION',
    `This server has ${MOST_ENVIRONMENTS} environments already.`,
    'Delete environments that are no longer needed: DELETE /_mock/environments/{env}.',
  );

const findSource = ({ name, environments }: Scenario, from: string | undefined): InitialEnvironment => {
  const source = from === undefined ? environments[0] : environments.find((one) => one.name === from);
  if (source) return source;
  const names = environments.map((one) => one.name);
  throw new Refusal(
    'INVALID_ARGUMENT',
    `The scenario ${name} has no environment ${from}; it has ${listNames(names)}.`,
    didYouMean(from ?? '', names).trim(),
  );
};

const drawCredentials = (draw: Draw): EnvironmentCredentials => ({
  client_id: `client_${draw.token(22)}`,
  client_secret: draw.token(),
  access_token: draw.token(),
});

/** Letters for names. They are in lower case, since names are used in hosts, which ignore case. */
const NAME_ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** A name or id that no environment has. */
const drawFree = (environments: Environments, next: (draw: Draw) => string): string => {
  for (;;) {
    const drawn = next(environments.draw);
    if (!findEnvironment(environments, drawn)) return drawn;
  }
};

/** The current first client and first bearer of an environment, if any. */
export const credentialsOf = ({ current }: Environment): Partial<EnvironmentCredentials> => {
  const { clients, access_tokens } = current.data;
  const client = clients.rows.values().next().value;
  const access_token = access_tokens[0];
  return {
    ...(client && { client_id: client.client_id, client_secret: client.client_secret }),
    ...(access_token !== undefined && { access_token }),
  };
};

/**
 * Resets data, clock, settings, faults, rate counts, request counters, outbox, visits and events. Keeps journal,
 * coverage and snapshots.
 * @param scenario to switch to; default: the scenario the environment started from
 * @throws Refusal 409 if a client or bearer of that scenario belongs to another environment; then nothing has changed
 */
export const resetEnvironment = (
  environments: Environments,
  environment: Environment,
  scenario?: Scenario,
): void => {
  startFrom(environments, environment, scenario ? initialFor(environment, scenario) : environment.initial);
  environment.scenario = scenario?.name ?? environment.scenario;
};

const startFrom = (
  environments: Environments,
  environment: Environment,
  initial: InitialEnvironment,
): void => {
  changeState(environments, environment, initialState(initial));
  environment.initial = initial;
  environment.counters.requests = 0;
  environment.counters.accessTokens = 0;
  environment.faults.clear();
  environment.rateLimiter.clear();
  environment.outbox.clear();
  environment.visits.clear();
  environment.events.clear();
};

/**
 * The scenario's environment of the same name, with its credentials. If the scenario does not have the name, or the
 * environment was made at runtime, it takes the data of the first and keeps its own credentials.
 */
const initialFor = (environment: Environment, { environments }: Scenario): InitialEnvironment => {
  const { name, isRuntime, initial } = environment;
  const named = environments.find((one) => one.name === name);
  return named && !isRuntime
    ? { ...named, id: environment.id }
    : asStartOf(environment, named ?? environments[0] ?? initial);
};

/**
 * Restores data, clock and settings from a snapshot.
 * @throws Refusal 404 if no snapshot has this name, 409 if a client or bearer in it belongs to another environment now
 */
export const restoreSnapshot = (environments: Environments, environment: Environment, name: string): void =>
  changeState(environments, environment, environment.snapshots.require(name).state);
