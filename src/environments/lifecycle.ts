/** Making environments at runtime, and taking them back to their start, to a snapshot, or on to another scenario. */
import { Refusal } from '../core/errors.ts';
import type { Draw } from '../core/ids.ts';
import { didYouMean } from '../core/nearest.ts';
import { createTable } from '../core/table.ts';
import { putRow } from '../core/table-writer.ts';
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
  /** Name of the scenario's environment to copy; default: its first. */
  readonly from?: string | undefined;
  /** Default: the copied name and six characters drawn by chance. */
  readonly name?: string | undefined;
  readonly clock?: ClockSetting | undefined;
  readonly settings?: Partial<Settings> | undefined;
}

/** How a client of the environment gets in. */
export interface EnvironmentCredentials {
  readonly client_id: string;
  readonly client_secret: string;
  readonly access_token: string;
}

/**
 * Makes an isolated environment with an id and credentials of its own; all else is shared until one of them writes
 * (behaviour E5).
 * @throws Refusal 400 for a `from` that the scenario does not have or beyond `MOST_ENVIRONMENTS`, 409 for a name that
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
 * Makes the environment of this name. One of the scenario that was removed comes back with its own id, clients and
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
 * Starts an environment again as if it were made with these options; id, name and credentials stay. Without options it
 * goes back to its own start.
 * @throws Refusal 400 for a `from` that the scenario does not have
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

/** An environment of the scenario starts from its own part; undefined for any other. */
const ownSource = (
  environments: Environments,
  { name, isRuntime }: Environment,
  { scenario = environments.scenario }: RuntimeOptions,
): string | undefined =>
  isRuntime ? undefined : scenario.environments.find((one) => one.name === name)?.name;

/** What an environment of these options starts with, but for id, name and credentials. */
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

/** What an environment made at runtime goes back to: the start of the copied environment, with its own credentials. */
export const startOfCopy = (scenario: Scenario, environment: Environment): InitialEnvironment => {
  const source = scenario.environments.find((one) => one.name === environment.copiedFrom);
  return asStartOf(environment, source ?? findSource(scenario, undefined));
};

/** The same start for an environment, which keeps its id, name and credentials. */
const asStartOf = ({ id, name, initial }: Environment, start: InitialEnvironment): InitialEnvironment => {
  const { clients, access_tokens } = initial.state;
  return { ...start, id, name, state: { ...start.state, clients, access_tokens } };
};

/** Tests that make environments and drop none would fill the memory in the end; this says so before. */
const MOST_ENVIRONMENTS = 10_000;

const tooMany = (): Refusal =>
  new Refusal(
    'FAILED_PRECONDITION',
    `This server has ${MOST_ENVIRONMENTS} environments already.`,
    'Drop those that are done with: DELETE /_mock/environments/{env}.',
  );

const findSource = ({ name, environments }: Scenario, from: string | undefined): InitialEnvironment => {
  const source = from === undefined ? environments[0] : environments.find((one) => one.name === from);
  if (source) return source;
  const names = environments.map((one) => one.name);
  throw new Refusal(
    'INVALID_ARGUMENT',
    `The scenario ${name} has no environment ${from}; it has ${names.join(', ')}.`,
    didYouMean(from ?? '', names).trim(),
  );
};

const drawCredentials = (draw: Draw): EnvironmentCredentials => ({
  client_id: `client_${draw.token(22)}`,
  client_secret: draw.token(),
  access_token: draw.token(),
});

/** Fit for a host, where case means nothing. */
const NAME_ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** A name or id that no environment has. */
const drawFree = (environments: Environments, next: (draw: Draw) => string): string => {
  for (;;) {
    const drawn = next(environments.draw);
    if (!findEnvironment(environments, drawn)) return drawn;
  }
};

/** The first client and the first bearer that an environment has now, if any. */
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
 * Sets back data, clock, settings, faults, rate counts, request counters, outbox, visits and events.
 * Journal, coverage and snapshots stay.
 * @param scenario to switch to; default: the one the environment started from
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
 * The scenario's environment of the same name, with its credentials. An environment made at runtime, and one whose name
 * the scenario does not have, takes the data of the first and keeps its own credentials.
 */
const initialFor = (environment: Environment, { environments }: Scenario): InitialEnvironment => {
  const { name, isRuntime, initial } = environment;
  const named = environments.find((one) => one.name === name);
  return named && !isRuntime
    ? { ...named, id: environment.id }
    : asStartOf(environment, named ?? environments[0] ?? initial);
};

/**
 * Puts data, clock and settings back to what a snapshot keeps.
 * @throws Refusal 404 if no snapshot has this name, 409 if a client or bearer in it belongs to another environment now
 */
export const restoreSnapshot = (environments: Environments, environment: Environment, name: string): void =>
  changeState(environments, environment, environment.snapshots.require(name).state);
