/** Creates environments at runtime, and restarts environments with other options or scenarios (behaviour E5). */
import { Refusal } from '../core/errors.ts';
import { createTable, putRow } from '../core/table.ts';
import { didYouMean, listNames } from '../core/text.ts';
import type { InitialEnvironment, Scenario } from '../scenario/scenario.ts';
import type { Environments } from './all-environments.ts';
import type { Environment, EnvironmentOrigin, MadeWith } from './environment.ts';

export interface RuntimeOptions extends MadeWith {
  /** The scenario that has the environment to copy; default: the server's scenario. */
  readonly scenario?: Scenario | undefined;
  /** Name of the scenario's environment to copy; default: the scenario's first environment. */
  readonly from?: string | undefined;
  /** Default: the name of the copied environment and six random characters. */
  readonly name?: string | undefined;
}

/** Tests that never delete their environments could otherwise fill the memory. */
const MOST_ENVIRONMENTS = 10_000;

/** The characters of generated names, in lower case, since names are parts of hosts, which ignore case. */
const NAME_ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';

/**
 * Creates an isolated environment with its own id and credentials (behaviour E5).
 * @throws Refusal 400 if the scenario lacks the environment `options.from` or there are too many environments, 409 if
 * the name is taken
 */
export const createRuntimeEnvironment = (
  environments: Environments,
  options: RuntimeOptions = {},
): Environment => {
  if (environments.byId.size >= MOST_ENVIRONMENTS)
    throw new Refusal(
      'FAILED_PRECONDITION',
      `This server already has ${MOST_ENVIRONMENTS} environments.`,
      'Delete environments that are no longer needed: DELETE /_mock/environments/{env}.',
    );
  const { initial, ...origin } = originOf(environments, options);
  const { draw } = environments;
  const client = { client_id: `client_${draw.token(22)}`, client_secret: draw.token() };
  const own = {
    ...initial,
    id: drawFree(environments, () => draw.id('env')),
    name: options.name ?? drawFree(environments, () => `${origin.copiedFrom}-${draw.text(NAME_ALPHABET, 6)}`),
    state: {
      ...initial.state,
      clients: putRow(createTable(initial.state.clients.spec), client),
      access_tokens: [draw.token()],
    },
  };
  return environments.add({ ...origin, initial: own }, true);
};

/**
 * Creates an environment of this name. If the scenario's environment of this name was removed, it comes back with its
 * id, clients and bearer tokens. For any other name, the environment gets a new id and new credentials (behaviour E5).
 */
export const createNamedEnvironment = (
  environments: Environments,
  name: string,
  options: Omit<RuntimeOptions, 'name'>,
): Environment => {
  const initial = named(environments.scenario, name);
  if (!initial) return createRuntimeEnvironment(environments, { ...options, name });
  return environments.add(remadeOrigin(environments, { initial, isRuntime: false }, options), false);
};

/**
 * Resets an environment. With options, it starts as a new environment with these options would, but its id, name and
 * credentials stay. @throws Refusal 400 if the scenario lacks the environment `options.from`
 */
export const remakeEnvironment = (
  environments: Environments,
  environment: Environment,
  options: Omit<RuntimeOptions, 'name'>,
): void => {
  const { isRuntime, origin } = environment;
  const isPlain = Object.values(options).every((option) => option === undefined);
  const own = { isRuntime, initial: origin.initial };
  environments.restart(environment, isPlain ? {} : remadeOrigin(environments, own, options));
};

/** What an environment starts from that keeps its id, name and credentials. */
const remadeOrigin = (
  environments: Environments,
  { initial, isRuntime }: Pick<EnvironmentOrigin, 'initial'> & Pick<Environment, 'isRuntime'>,
  options: RuntimeOptions,
): EnvironmentOrigin => {
  const { scenario = environments.scenario } = options;
  const ownName = isRuntime ? undefined : named(scenario, initial.name)?.name;
  const origin = originOf(environments, { ...options, from: options.from ?? ownName });
  return {
    ...origin,
    initial: asStartOf(initial, origin.initial),
    copiedFrom: isRuntime ? origin.copiedFrom : undefined,
  };
};

/** Copies the environment that the options select. The copy still has the original's id, name and credentials. */
const originOf = (
  environments: Environments,
  { scenario = environments.scenario, from, clock, settings }: RuntimeOptions,
) => {
  const source = findSource(scenario, from);
  const initial: InitialEnvironment = {
    ...source,
    settings: { ...source.settings, ...settings },
    clock: clock ?? source.clock,
  };
  return { initial, copiedFrom: source.name, scenario: scenario.name, madeWith: { clock, settings } };
};

/**
 * Restarts an environment as the scenario's environment of the same name; if no name matches, as the scenario's first
 * environment. The restarted environment keeps its credentials if no name matches, or if it was created at runtime.
 * @param madeWith a clock and settings that go before the clock and settings of the scenario
 * @throws Refusal 409 if another environment has a client or bearer token of the scenario; then nothing has changed
 */
export const switchScenario = (
  environments: Environments,
  environment: Environment,
  scenario: Scenario,
  { clock, settings }: MadeWith = {},
): void => {
  const { id, name, isRuntime, origin } = environment;
  const same = named(scenario, name);
  const start =
    same && !isRuntime
      ? { ...same, id }
      : asStartOf(origin.initial, same ?? scenario.environments[0] ?? origin.initial);
  const initial = { ...start, clock: clock ?? start.clock, settings: { ...start.settings, ...settings } };
  environments.restart(environment, { initial, scenario: scenario.name, madeWith: { clock, settings } });
};

/** A copy of `start` with the id, name and credentials of another. */
const asStartOf = (
  { id, name, state }: InitialEnvironment,
  start: InitialEnvironment,
): InitialEnvironment => {
  const { clients, access_tokens } = state;
  return { ...start, id, name, state: { ...start.state, clients, access_tokens } };
};

const named = ({ environments }: Scenario, name: string | undefined): InitialEnvironment | undefined =>
  environments.find((one) => one.name === name);

const findSource = (scenario: Scenario, from: string | undefined): InitialEnvironment => {
  const source = from === undefined ? scenario.environments[0] : named(scenario, from);
  if (source) return source;
  const names = scenario.environments.map(({ name }) => name);
  throw new Refusal(
    'INVALID_ARGUMENT',
    `The scenario ${scenario.name} has no environment ${from}; it has ${listNames(names)}.`,
    didYouMean(from ?? '', names).trim(),
  );
};

/** Calls `next` until it returns a name or id that no environment has. */
const drawFree = (environments: Environments, next: () => string): string => {
  for (;;) {
    const drawn = next();
    if (!environments.find(drawn)) return drawn;
  }
};
