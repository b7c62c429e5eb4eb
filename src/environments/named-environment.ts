/** The environment that a request names beside its token (behaviour E2). */
import type { IncomingHttpHeaders } from 'node:http';
import type { Environment } from './environment.ts';
import { type Environments, findEnvironment } from './environments.ts';

/** The name that was given; one that no environment has leads to none. */
export interface NamedEnvironment {
  readonly name: string;
  readonly by: 'header X-Mock-Environment' | 'host';
  readonly environment: Environment | undefined;
  /** What the host names, where the header names one too. */
  readonly besides?: NamedEnvironment | undefined;
}

/** By header `X-Mock-Environment`, else by a host such as `production.localhost`; undefined if neither names one. */
export const readNamedEnvironment = (
  environments: Environments,
  headers: IncomingHttpHeaders,
): NamedEnvironment | undefined => {
  const header = headers['x-mock-environment'];
  const byHost = readHost(environments, headers.host);
  if (typeof header !== 'string' || header === '') return byHost;
  return {
    name: header,
    by: 'header X-Mock-Environment',
    environment: findEnvironment(environments, header),
    besides: byHost,
  };
};

/** The name that leads elsewhere than to an environment, whether header or host gave it (behaviour E2). */
export const findContradiction = (
  named: NamedEnvironment | undefined,
  environment: Environment,
): NamedEnvironment | undefined => {
  if (!named) return undefined;
  return named.environment === environment ? findContradiction(named.besides, environment) : named;
};

const readHost = (environments: Environments, host: string | undefined): NamedEnvironment | undefined => {
  const label = /^([a-z0-9_-]+)\.localhost(?::\d+)?$/i.exec(host ?? '')?.[1];
  return label === undefined
    ? undefined
    : { name: label, by: 'host', environment: findByLabel(environments, label) };
};

/** The case of a host means nothing, and a browser sends it in small letters, so names are compared in any. */
const findByLabel = (environments: Environments, label: string): Environment | undefined => {
  const exact = findEnvironment(environments, label);
  if (exact) return exact;
  const wanted = label.toLowerCase();
  for (const environment of environments.byId.values())
    if (environment.name.toLowerCase() === wanted) return environment;
  return undefined;
};
