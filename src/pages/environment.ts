/** Which environment a visit belongs to: the one its token carries or is known in, or the one the request names. */
import type { IncomingHttpHeaders } from 'node:http';
import type { State } from '../domain/state.ts';
import type { Environment } from '../environments/environment.ts';
import { type Environments, findByKey } from '../environments/environments.ts';
import { readNamedEnvironments } from '../environments/named-environment.ts';

/**
 * By the key at the token's end; else by header or host; else, for a token that a scenario wrote out, the first that
 * knows it (behaviour E2, E5).
 * @param knows whether a state has a row for the token as it is
 */
export const findVisited = (
  environments: Environments,
  token: string,
  headers: IncomingHttpHeaders,
  knows: (state: State) => boolean,
): Environment | undefined =>
  findByKey(environments, token) ??
  readNamedEnvironments(environments, headers)[0]?.environment ??
  [...environments.byId.values()].find(({ current }) => knows(current.data));
