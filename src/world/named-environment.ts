/** The environment that a request names beside its token (behaviour E2). */
import type { IncomingHttpHeaders } from 'node:http';
import type { Environment } from './environment.ts';
import { findEnvironment, type World } from './world.ts';

/** The name that was given; one that no environment has leads to none. */
export interface NamedEnvironment {
  readonly name: string;
  readonly environment: Environment | undefined;
}

/** By header `X-Mock-Environment`, else by a host such as `production.localhost`; undefined if neither names one. */
export const readNamedEnvironment = (
  world: World,
  headers: IncomingHttpHeaders,
): NamedEnvironment | undefined => {
  const header = headers['x-mock-environment'];
  const name = typeof header === 'string' && header !== '' ? header : hostLabel(headers.host);
  return name === undefined ? undefined : { name, environment: findEnvironment(world, name) };
};

const hostLabel = (host: string | undefined): string | undefined =>
  /^([a-z0-9_-]+)\.localhost(?::\d+)?$/i.exec(host ?? '')?.[1];
