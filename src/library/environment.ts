/** An environment as a test in the same process handles it: synchronous, straight on the world. */
import { didYouMean } from '../core/nearest.ts';
import type { Environment } from '../world/environment.ts';
import { credentialsOf } from '../world/runtime.ts';
import { findEnvironment, firstEnvironment, type World } from '../world/world.ts';
import type { Credentials, MockEnvironment } from './mock.ts';

export const createEnvironmentHandle = (world: World, environment: Environment): MockEnvironment => ({
  id: environment.id,
  name: environment.name,
  get credentials() {
    return toCredentials(environment);
  },
});

const toCredentials = (environment: Environment): Credentials => {
  const { client_id = '', client_secret = '', access_token = '' } = credentialsOf(environment);
  return { clientId: client_id, clientSecret: client_secret, accessToken: access_token };
};

/** @param nameOrId default: the first one. @throws Error naming those there are */
export const requireEnvironment = (world: World, nameOrId?: string): Environment => {
  if (nameOrId === undefined) return firstEnvironment(world);
  const environment = findEnvironment(world, nameOrId);
  if (environment) return environment;
  const names = Array.from(world.environments.values(), ({ name }) => name);
  const known = names.slice(0, 20).join(', ');
  throw new Error(`There is no environment ${nameOrId}. There are ${known}.${didYouMean(nameOrId, names)}`);
};
