/** Finds the environment whose name is in a header or in the host of a call (behaviour E2, E7). */
import type { IncomingHttpHeaders } from 'node:http';
import { labelOf } from '../../core/addresses.ts';
import { decode } from '../../core/secrets.ts';
import type { Environments } from './all-environments.ts';
import type { Environment } from './environment.ts';

/** The name of an environment in a request, and the environment with this name, if it exists. */
export interface NamedEnvironment {
  readonly name: string;
  readonly by: 'header X-Mock-Environment' | 'baggage' | 'host';
  readonly environment: Environment | undefined;
}

/** Environment names in headers `X-Mock-Environment` and `baggage`, and in a host such as `production.localhost`. */
export const readNamedEnvironments = (
  environments: Environments,
  { 'x-mock-environment': header, baggage, host }: IncomingHttpHeaders,
): readonly NamedEnvironment[] => {
  const sent = [
    { by: 'header X-Mock-Environment', name: typeof header === 'string' ? header : undefined },
    { by: 'baggage', name: readBaggage(typeof baggage === 'string' ? baggage : '') },
    { by: 'host', name: readLabel(environments, host ?? '') },
  ] as const;
  return sent.flatMap(({ by, name }) => {
    if (!name) return [];
    const found = environments.find(name) ?? (by === 'host' ? findByLabel(environments, name) : undefined);
    return [{ by, name, environment: found }];
  });
};

/** The environment name in a host such as `production.localhost`, or in place of `{env}` in the base URL. */
const readLabel = ({ urlForm }: Environments, host: string): string | undefined =>
  /^([a-z0-9_-]+)\.localhost(?::\d+)?$/i.exec(host)?.[1] ?? labelOf(urlForm, host);

/**
 * The environment of a call with credentials of `owner`: a copy of `owner` if the call names one, else `owner` itself.
 * This way one back end, with one client id and secret, can serve many tests (behaviour E7).
 */
export const environmentFor = (owner: Environment, named: readonly NamedEnvironment[]): Environment =>
  named.find(({ environment }) => environment && isCopyOf(environment, owner))?.environment ?? owner;

const isCopyOf = ({ copiedFrom }: Environment, { name, isRuntime }: Environment): boolean =>
  copiedFrom === name && !isRuntime;

/** The first name that does not refer to the environment of the call, if any (behaviour E2). */
export const findContradiction = (
  named: readonly NamedEnvironment[],
  environment: Environment,
): NamedEnvironment | undefined => named.find((one) => one.environment !== environment);

/** The value of `mock-environment` in a W3C `baggage` header. */
const readBaggage = (baggage: string): string | undefined => {
  const value = /(?:^|,)\s*mock-environment\s*=\s*([^\s,;]*)/.exec(baggage)?.[1];
  return value === undefined ? undefined : decode(value);
};

/** Finds an environment by the name in a host, ignoring case, since browsers send hosts in lower case. */
const findByLabel = ({ byId }: Environments, label: string): Environment | undefined => {
  for (const environment of byId.values())
    if (environment.name.toLowerCase() === label.toLowerCase()) return environment;
  return undefined;
};
