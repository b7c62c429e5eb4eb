/** Finds the environment that a call names in addition to its credentials (behaviour E2, E7). */
import type { IncomingHttpHeaders } from 'node:http';
import { labelOf } from '../core/addresses.ts';
import type { Environment } from './environment.ts';
import { type Environments, findEnvironment } from './environments.ts';

/** A name in a request, and the environment of that name, if any. */
export interface NamedEnvironment {
  readonly name: string;
  readonly by: 'header X-Mock-Environment' | 'baggage' | 'host';
  readonly environment: Environment | undefined;
}

/**
 * The names in header `X-Mock-Environment`, in `baggage` and in a host such as `production.localhost`, in this order.
 */
export const readNamedEnvironments = (
  environments: Environments,
  { 'x-mock-environment': header, baggage, host }: IncomingHttpHeaders,
): readonly NamedEnvironment[] => {
  const named: NamedEnvironment[] = [];
  const add = (by: NamedEnvironment['by'], name: string | undefined, find = findEnvironment): void => {
    if (name) named.push({ name, by, environment: find(environments, name) });
  };
  add('header X-Mock-Environment', typeof header === 'string' ? header : undefined);
  add('baggage', readBaggage(typeof baggage === 'string' ? baggage : ''));
  add('host', readLabel(environments, host ?? ''), findByLabel);
  return named;
};

/** The name in a host such as `production.localhost`, or where the base URL has `{env}`. */
const readLabel = ({ urlForm }: Environments, host: string): string | undefined =>
  /^([a-z0-9_-]+)\.localhost(?::\d+)?$/i.exec(host)?.[1] ?? labelOf(urlForm, host);

/**
 * The environment of a call with credentials of `owner`: the copy of `owner` that the call names, else `owner`. So one
 * back end with one client can serve many tests (behaviour E7).
 */
export const environmentFor = (owner: Environment, named: readonly NamedEnvironment[]): Environment =>
  named.find(({ environment }) => environment && isCopyOf(environment, owner))?.environment ?? owner;

const isCopyOf = ({ copiedFrom }: Environment, { name, isRuntime }: Environment): boolean =>
  copiedFrom === name && !isRuntime;

/** The first name that refers to an environment other than the call's, if any (behaviour E2). */
export const findContradiction = (
  named: readonly NamedEnvironment[],
  environment: Environment,
): NamedEnvironment | undefined => named.find((one) => one.environment !== environment);

/** The member `mock-environment` of a W3C `baggage` header, without its properties. */
const readBaggage = (baggage: string): string | undefined => {
  const value = /(?:^|,)\s*mock-environment\s*=\s*([^\s,;]*)/.exec(baggage)?.[1];
  return value === undefined ? undefined : decode(value);
};

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Finds an environment by the name in a host, ignoring case, since browsers send hosts in lower case. */
const findByLabel = (environments: Environments, label: string): Environment | undefined => {
  const exact = findEnvironment(environments, label);
  if (exact) return exact;
  const wanted = label.toLowerCase();
  for (const environment of environments.byId.values())
    if (environment.name.toLowerCase() === wanted) return environment;
  return undefined;
};
