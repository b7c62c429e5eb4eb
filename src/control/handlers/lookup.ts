/** What handlers share: the environment a path names, and showing it. */
import { toTimestamp } from '../../core/clock.ts';
import { didYouMean } from '../../core/nearest.ts';
import type { Simulation } from '../../domain/operation.ts';
import { writeSettings } from '../../domain/settings-form.ts';
import { type Environment, readNow, run } from '../../world/environment.ts';
import { credentialsOf } from '../../world/runtime.ts';
import { findEnvironment, type World } from '../../world/world.ts';
import { ControlError } from '../errors.ts';
import type { Context, ControlSchemas } from '../types.ts';

/** The answer of a call that has nothing to tell. */
export const DONE = { status: 200, body: {} } as const;

/** The environment of this name or id, or the one the call itself selects. @throws ControlError 404 */
export const requireEnvironment = (
  { world, selectEnvironment, headers }: Context,
  nameOrId: string,
): Environment => {
  const environment = nameOrId === 'current' ? selectEnvironment(headers) : findEnvironment(world, nameOrId);
  if (environment) return environment;
  throw new ControlError(
    'NOT_FOUND',
    `There is no environment ${JSON.stringify(nameOrId)}.`,
    didYouMean(nameOrId, namesOf(world)).trim() || namesHint(world),
  );
};

const namesOf = ({ environments }: World): string[] => Array.from(environments.values(), ({ name }) => name);

const SHOWN = 20;

const namesHint = (world: World): string => {
  const names = namesOf(world);
  const more = names.length > SHOWN ? ' and more' : '';
  return `There are ${names.slice(0, SHOWN).join(', ')}${more}; GET /_mock/environments lists them.`;
};

/** What an environment's clock shows. */
export const presentClock = (environment: Environment): ControlSchemas['Clock'] => ({
  mode: environment.current.clock.mode,
  now: toTimestamp(readNow(environment)),
});

export const presentEnvironment = (environment: Environment): ControlSchemas['Environment'] => ({
  id: environment.id,
  name: environment.name,
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
  run(requireEnvironment(context, env), context.world.baseUrl, (state, open) =>
    simulation(state, given, open),
  ).reply;
