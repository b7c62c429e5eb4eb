/** Environments made while the server runs: a copy of a scenario's, sharing all its data (behaviour E5). */
import { ApiError } from '../core/errors.ts';
import { type Draw, drawId, drawToken } from '../core/ids.ts';
import { didYouMean } from '../core/nearest.ts';
import { createTable } from '../core/table.ts';
import type { ClockSetting, EnvironmentBlueprint, Scenario } from '../domain/blueprint.ts';
import type { Settings } from '../domain/settings.ts';
import type { State } from '../domain/state.ts';
import type { Environment } from './environment.ts';
import { addEnvironment, findEnvironment, type World } from './world.ts';

export interface RuntimeOptions {
  /** Default: the one that the server was started with. */
  readonly scenario?: Scenario | undefined;
  /** Name of the scenario's environment to copy; default: its first. */
  readonly from?: string | undefined;
  /** Default: the copied name and a number. */
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
 * Makes an isolated environment with an id and credentials of its own; all else is shared until one of them writes.
 * @throws ApiError 400 for a `from` that the scenario does not have or beyond `MOST_ENVIRONMENTS`, 409 for a name that
 *   is taken
 */
export const createRuntimeEnvironment = (world: World, options: RuntimeOptions = {}): Environment => {
  if (world.environments.size >= MOST_ENVIRONMENTS) throw tooMany();
  const scenario = options.scenario ?? world.scenario;
  const source = findSource(scenario, options.from);
  const { client_id, client_secret, access_token } = drawCredentials(world.draw);
  const blueprint: EnvironmentBlueprint = {
    id: drawFreeId(world),
    name: options.name ?? freeName(world, source.name),
    state: {
      ...source.state,
      clients: createTable(source.state.clients.spec, [{ client_id, client_secret }]),
      access_tokens: [access_token],
    },
    settings: options.settings ? { ...source.settings, ...options.settings } : source.settings,
    clock: options.clock ?? source.clock,
  };
  return addEnvironment(world, blueprint, { scenario: scenario.name, isRuntime: true });
};

/** Tests that make environments and drop none would fill the memory in the end; this says so before. */
const MOST_ENVIRONMENTS = 10_000;

const tooMany = (): ApiError =>
  new ApiError(
    'FAILED_PRECONDITION',
    `This server has ${MOST_ENVIRONMENTS} environments already. Drop those that are done with: DELETE /_mock/environments/{env}.`,
  );

/** The same data with the clients and bearers of another state. */
export const withCredentials = (state: State, { clients, access_tokens }: State): State => ({
  ...state,
  clients,
  access_tokens,
});

/** The first client and bearer of an environment, as far as it has them now. */
export const credentialsOf = ({ current }: Environment): Partial<EnvironmentCredentials> => {
  const { clients, access_tokens } = current.state;
  const client = clients.rows.values().next().value;
  const access_token = access_tokens[0];
  return {
    ...(client && { client_id: client.client_id, client_secret: client.client_secret }),
    ...(access_token !== undefined && { access_token }),
  };
};

const findSource = ({ name, environments }: Scenario, from: string | undefined): EnvironmentBlueprint => {
  const source = from === undefined ? environments[0] : environments.find((one) => one.name === from);
  if (source) return source;
  const names = environments.map((one) => one.name);
  throw new ApiError(
    'INVALID_ARGUMENT',
    `The scenario ${name} has no environment ${from}; it has ${names.join(', ')}.${didYouMean(from ?? '', names)}`,
  );
};

const drawCredentials = (draw: Draw): EnvironmentCredentials => ({
  client_id: `client_${drawToken(draw, 22)}`,
  client_secret: drawToken(draw),
  access_token: drawToken(draw),
});

const drawFreeId = (world: World): string => {
  for (;;) {
    const id = drawId(world.draw, 'env');
    if (!world.environments.has(id)) return id;
  }
};

const freeName = (world: World, base: string): string => {
  let number = world.made;
  while (findEnvironment(world, `${base}-${number}`)) number += 1;
  return `${base}-${number}`;
};
