/** Back to the start, on to another scenario, or back to a snapshot: pointer moves, whatever the size of the state. */
import type { EnvironmentBlueprint, Scenario } from '../domain/blueprint.ts';
import { startCondition } from './condition.ts';
import type { Environment } from './environment.ts';
import { withCredentials } from './runtime.ts';
import { changeCondition, type World } from './world.ts';

/**
 * Sets back data, clock, settings, faults, rate counts, request counters, outbox and events.
 * Journal, coverage and snapshots stay.
 * @param scenario to switch to; default: the one the environment started from
 * @throws ApiError 409 if a client or bearer of that scenario belongs to another environment; then nothing has changed
 */
export const resetEnvironment = (world: World, environment: Environment, scenario?: Scenario): void => {
  const blueprint = scenario ? blueprintFor(environment, scenario) : environment.blueprint;
  changeCondition(world, environment, startCondition(blueprint));
  environment.blueprint = blueprint;
  environment.scenario = scenario?.name ?? environment.scenario;
  environment.counters.requests = 0;
  environment.counters.accessTokens = 0;
  environment.faults.clear();
  environment.rateLimiter.clear();
  environment.outbox.clear();
  environment.events.clear();
};

/**
 * The scenario's environment of the same name, with its credentials. An environment made at runtime, and one whose name
 * the scenario does not have, takes the data of the first and keeps its own credentials.
 */
const blueprintFor = (environment: Environment, { environments }: Scenario): EnvironmentBlueprint => {
  const { id, name, isRuntime, blueprint: own } = environment;
  const named = environments.find((one) => one.name === name);
  if (named && !isRuntime) return { ...named, id, name };
  const source = named ?? environments[0] ?? own;
  return { ...source, id, name, state: withCredentials(source.state, own.state) };
};

/**
 * Puts state, clock and settings back to what a snapshot holds.
 * @throws ApiError 404 if there is none of this name, 409 if a client or bearer in it belongs to another environment now
 */
export const restoreSnapshot = (world: World, environment: Environment, name: string): void =>
  changeCondition(world, environment, environment.snapshots.require(name).condition);
