/** Another scenario, or a new edition of it, in the place of the one a server was started with (`--watch`). */
import { createTable } from '../core/table.ts';
import type { Scenario } from '../domain/blueprint.ts';
import type { Environment } from './environment.ts';
import { resetEnvironment } from './reset.ts';
import { addEnvironment, changeCondition, removeEnvironment, type World } from './world.ts';

/**
 * Starts the scenario's environments anew from `scenario`, adds those that it has more and drops those that it has no
 * more. Environments made at runtime stay as they are; those made from now on start from `scenario`.
 * @throws ApiError 409 if a client or bearer of it belongs to an environment made at runtime; then nothing has changed
 */
export const replaceScenario = (world: World, scenario: Scenario): void => {
  const own = [...world.environments.values()].filter(({ isRuntime }) => !isRuntime);
  const putBack = remember(world, own);
  // Clients may move from one environment to another, so all let go of theirs first.
  for (const environment of own) dropCredentials(world, environment);
  const added: Environment[] = [];
  try {
    for (const blueprint of scenario.environments) {
      const held = own.find(({ name }) => name === blueprint.name);
      if (held) resetEnvironment(world, held, scenario);
      else added.push(addEnvironment(world, blueprint));
    }
  } catch (error) {
    for (const environment of added) removeEnvironment(world, environment);
    putBack();
    throw error;
  }
  const kept = new Set(scenario.environments.map(({ name }) => name));
  for (const environment of own) if (!kept.has(environment.name)) removeEnvironment(world, environment);
  world.scenario = scenario;
};

/** @returns puts the environments back into the condition they are in now */
const remember = (world: World, environments: readonly Environment[]): (() => void) => {
  const before = environments.map((environment) => {
    const { current, blueprint } = environment;
    return { environment, current, blueprint };
  });
  return () => {
    for (const { environment } of before) dropCredentials(world, environment);
    for (const { environment, current, blueprint } of before) {
      changeCondition(world, environment, current);
      environment.blueprint = blueprint;
    }
  };
};

const dropCredentials = (world: World, environment: Environment): void => {
  const { current } = environment;
  const { state } = current;
  const clients = createTable(state.clients.spec);
  changeCondition(world, environment, { ...current, state: { ...state, clients, access_tokens: [] } });
};
