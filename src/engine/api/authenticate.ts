/**
 * Finds a call's environment and client from the headers alone, or the reason to refuse the token (behaviour E1, E2,
 * T4).
 */
import type { IncomingHttpHeaders } from 'node:http';
import { Refusal } from '../core/errors.ts';
import type { Environments } from '../environments/all-environments.ts';
import type { Environment } from '../environments/environment.ts';
import {
  environmentFor,
  findContradiction,
  type NamedEnvironment,
  readNamedEnvironments,
} from '../environments/mock-headers.ts';
import { readAccessToken, requireLiveToken, unauthenticated } from '../tokens/access-token.ts';

export interface Caller {
  /** The token's environment, even if the token has ended; else the environment that the request names; else the first (behaviour E2). */
  readonly environment: Environment;
  /** The client that a valid token belongs to; absent for a fixed bearer string, which belongs to no client. */
  readonly clientId?: string | undefined;
  readonly refusal?: Refusal | undefined;
}

/** Refuses a caller without a valid token. @throws Refusal 401 (behaviour E2, E3) */
export const requireToken = ({ refusal }: Caller): void => {
  if (refusal) throw refusal;
};

export const identify = (environments: Environments, headers: IncomingHttpHeaders): Caller => {
  const named = readNamedEnvironments(environments, headers);
  const asked = named.find(({ environment }) => environment)?.environment;
  const issued = orRefusal(() => readOwner(environments, readBearer(headers.authorization)));
  if (issued instanceof Refusal)
    return { environment: asked ?? environments.first(), refusal: withClients(issued, environments, asked) };
  const { owner, claims } = issued;
  const environment = environmentFor(owner, named);
  const client = orRefusal(() => claims && requireLiveToken(owner.current.data, claims, clockOf(owner)));
  // Whoever moved the clock looks for the refusal in the journal of the token's environment.
  if (client instanceof Refusal) return { environment, refusal: withClients(client, environments, owner) };
  const other = findContradiction(named, environment);
  if (!other) return { environment, clientId: client?.client_id };
  const refusal = withClients(ofAnotherEnvironment(owner, other), environments, other.environment ?? owner);
  return { environment: asked ?? owner, refusal };
};

const clockOf = (environment: Environment) => ({ environment, ...environment.instant() });

const orRefusal = <Found>(find: () => Found): Found | Refusal => {
  try {
    return find();
  } catch (refusal) {
    if (refusal instanceof Refusal) return refusal;
    throw refusal;
  }
};

const MOST_CLIENTS = 5;

/** Appends client ids, of one environment or of the scenario, to a refusal's hint. Never appends secrets. */
const withClients = (
  { problem, hint, rule }: Refusal,
  { byId }: Environments,
  asked: Environment | undefined,
): Refusal => {
  const clients = (asked ? [asked] : [...byId.values()].filter(({ isRuntime }) => !isRuntime))
    .flatMap((environment) => {
      const { client_id } = environment.credentials;
      return client_id === undefined ? [] : [`${client_id} (${environment.name})`];
    })
    .slice(0, MOST_CLIENTS);
  const known =
    clients.length === 0
      ? ''
      : ` Clients of this ${asked ? 'environment' : 'server'}: ${clients.join(', ')}.`;
  return unauthenticated(problem, `${hint}${known}`, rule);
};

/** Whose token it is, even if it has ended. @throws Refusal 401 if no environment of this server issued it */
const readOwner = (environments: Environments, token: string) => {
  const fixed = environments.findByAccessToken(token);
  if (fixed) return { owner: fixed };
  const claims = readAccessToken(token);
  const owner = environments.byId.get(claims.env);
  if (owner) return { owner, claims };
  throw unauthenticated(`The access token's environment ${claims.env} no longer exists.`);
};

const readBearer = (header: string | undefined): string => {
  if (header === undefined || header === '') throw unauthenticated('The Authorization header is missing.');
  const token = /^Bearer +([A-Za-z0-9\-._~+/]+=*) *$/i.exec(header)?.[1];
  if (token === undefined) throw unauthenticated('The Authorization header contains no bearer token.');
  return token;
};

/** A 401 for a request that refers to one environment but has credentials of another (behaviour E2). */
export const ofAnotherEnvironment = (environment: Environment, named: NamedEnvironment): Refusal => {
  const { name, by } = named;
  if (name.trim() === '')
    return unauthenticated(
      `The ${by} of the request names no environment.`,
      `Write ${environment.name}, or leave it out.`,
      'E2',
    );
  const advice = named.environment
    ? `Use credentials of ${name}, or leave the environment out of the request.`
    : `The environment ${name} does not exist. GET /_mock/environments lists the existing ones.`;
  return unauthenticated(
    `The credentials belong to environment ${environment.name}, but the ${by} of the request refers to ${name}.`,
    advice,
    'E2',
  );
};
