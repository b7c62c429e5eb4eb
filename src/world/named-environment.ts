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
  if (typeof header === 'string' && header !== '')
    return { name: header, environment: findEnvironment(world, header) };
  const label = hostLabel(headers.host);
  return label === undefined ? undefined : { name: label, environment: findByLabel(world, label) };
};

/** The case of a host means nothing, and a browser sends it in small letters, so names are compared in any. */
const findByLabel = (world: World, label: string): Environment | undefined => {
  const exact = findEnvironment(world, label);
  if (exact) return exact;
  const wanted = label.toLowerCase();
  for (const environment of world.environments.values())
    if (environment.name.toLowerCase() === wanted) return environment;
  return undefined;
};

const hostLabel = (host: string | undefined): string | undefined =>
  /^([a-z0-9_-]+)\.localhost(?::\d+)?$/i.exec(host ?? '')?.[1];
