/** Which environment a visit belongs to: the one its token carries or is known in, or the one the request names. */
import type { IncomingHttpHeaders } from 'node:http';
import type { State } from '../domain/state.ts';
import type { Environment } from '../world/environment.ts';
import { findByKey, findEnvironment, type World } from '../world/world.ts';

/**
 * By the key at the token's end; else by header or host; else, for a token that a scenario wrote out, the first that
 * knows it (behaviour E2, E5).
 * @param knows whether a state has a row for the token as it is
 */
export const findVisited = (
  world: World,
  token: string,
  headers: IncomingHttpHeaders,
  knows: (state: State) => boolean,
): Environment | undefined =>
  findByKey(world, token) ??
  findNamed(world, headers) ??
  [...world.environments.values()].find(({ current }) => knows(current.state));

/** Header `X-Mock-Environment`, or a host such as `production.localhost`. */
const findNamed = (world: World, headers: IncomingHttpHeaders): Environment | undefined => {
  const header = headers['x-mock-environment'];
  const named = typeof header === 'string' && header !== '' ? header : hostLabel(headers.host);
  return named === undefined ? undefined : findEnvironment(world, named);
};

const hostLabel = (host: string | undefined): string | undefined =>
  /^([a-z0-9_-]+)\.localhost(?::\d+)?$/i.exec(host ?? '')?.[1];
