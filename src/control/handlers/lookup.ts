/** What handlers share: the environment a path names, and showing it. */
import { toTimestamp } from '../../core/clock.ts';
import type { Simulation } from '../../domain/operation.ts';
import { writeSettings } from '../../domain/settings-form.ts';
import { type Environment, readNow, run } from '../../environments/environment.ts';
import { findEnvironment } from '../../environments/environments.ts';
import { credentialsOf } from '../../environments/lifecycle.ts';
import type { Context, ControlSchemas } from '../types.ts';
import { selectCurrent } from './current.ts';
import { unknownEnvironment } from './unknown-environment.ts';

/** The answer of a call that has nothing to tell. */
export const DONE = { status: 200, body: {} } as const;

/** The environment of this name or id, if there is one, or the one the call itself selects. @throws ControlError 400 */
export const findNamed = ({ environments, headers }: Context, nameOrId: string): Environment | undefined =>
  nameOrId === 'current' ? selectCurrent(environments, headers) : findEnvironment(environments, nameOrId);

/** The environment of this name or id, or the one the call itself selects. @throws ControlError 404, 400 */
export const requireEnvironment = (context: Context, nameOrId: string): Environment => {
  const environment = findNamed(context, nameOrId);
  if (!environment) throw unknownEnvironment(context.environments, nameOrId);
  return environment;
};

/** What an environment's clock shows. */
export const presentClock = (environment: Environment): ControlSchemas['Clock'] => ({
  mode: environment.current.clock.mode,
  now: toTimestamp(readNow(environment)),
});

export const presentEnvironment = (environment: Environment): ControlSchemas['Environment'] => ({
  id: environment.id,
  name: environment.name,
  scenario: environment.scenario,
  ...credentialsOf(environment),
  clock: presentClock(environment),
  settings: writeSettings(environment.current.settings),
});

/** Lets something happen in an environment, or looks at it. @throws ApiError as the simulation does */
export const simulate = <Given, Reply>(
  context: Context,
  env: string,
  simulation: Simulation<Given, Reply>,
  given: Given,
): Reply =>
  run(requireEnvironment(context, env), context.environments.baseUrl, (state, open) =>
    simulation(state, given, open),
  ).reply;
