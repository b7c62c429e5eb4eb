/** Another scenario, or a new edition of it, in the place of the one a server was started with (`--watch`). */
import { ApiError } from '../core/errors.ts';
import { createTable } from '../core/table.ts';
import type { EnvironmentBlueprint, Scenario } from '../domain/blueprint.ts';
import type { Environment } from './environment.ts';
import { resetEnvironment } from './reset.ts';
import { addEnvironment, changeCondition, removeEnvironment, type World } from './world.ts';

/**
 * Starts the scenario's environments anew from `scenario`, adds those that it has more and drops those that it has no
 * more. Environments made at runtime stay as they are; those made from now on start from `scenario`.
 * @throws ApiError 409 if something of it belongs to an environment made at runtime; then nothing has changed
 */
export const replaceScenario = (world: World, scenario: Scenario): void => {
  for (const blueprint of scenario.environments) requireFree(world, blueprint);
  const own = [...world.environments.values()].filter(({ isRuntime }) => !isRuntime);
  // Clients may move from one environment to another, so all let go of theirs first.
  for (const environment of own) dropCredentials(world, environment);
  const kept = new Map<EnvironmentBlueprint, Environment>();
  for (const environment of own) {
    const blueprint = scenario.environments.find((one) => isSame(one, environment));
    if (blueprint) kept.set(blueprint, environment);
    else removeEnvironment(world, environment);
  }
  for (const blueprint of scenario.environments) {
    const environment = kept.get(blueprint);
    if (environment) resetEnvironment(world, environment, scenario);
    else addEnvironment(world, blueprint, { scenario: scenario.name, isRuntime: false });
  }
  world.scenario = scenario;
};

/** Tokens carry the id, so with another one it is another environment. */
const isSame = (blueprint: EnvironmentBlueprint, { id, name }: Environment): boolean =>
  blueprint.id === id && blueprint.name === name;

const requireFree = ({ environments, directory }: World, blueprint: EnvironmentBlueprint): void => {
  const { id, name, state } = blueprint;
  const owners = [
    environments.get(id),
    directory.byName.get(name),
    ...[...state.clients.positions.keys()].map((client) => directory.byClient.get(client)),
    ...state.access_tokens.map((token) => directory.byAccessToken.get(token)),
  ];
  const owner = owners.find((environment) => environment?.isRuntime);
  if (!owner) return;
  throw new ApiError(
    'RESOURCE_ALREADY_EXISTS',
    `The environment ${owner.name}, made at runtime, has the name, id, a client or a bearer of ${name} in the scenario. Delete it first.`,
  );
};

const dropCredentials = (world: World, environment: Environment): void => {
  const { current } = environment;
  const { state } = current;
  const clients = createTable(state.clients.spec);
  changeCondition(world, environment, { ...current, state: { ...state, clients, access_tokens: [] } });
};
