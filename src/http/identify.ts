/** Who is calling, from the headers alone: environment, client, and why a token is not good (behaviour E1, E2, T4). */
import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from '../core/errors.ts';
import { readAccessToken, requireLiveToken, unauthenticated } from '../domain/access-token.ts';
import { type Environment, readNow } from '../environments/environment.ts';
import { type Environments, findByAccessToken, firstEnvironment } from '../environments/environments.ts';
import {
  findContradiction,
  type NamedEnvironment,
  readNamedEnvironment,
} from '../environments/named-environment.ts';

export interface Caller {
  /** That of the token; else the one that header or host names; else the first. */
  readonly environment: Environment;
  /** Absent without a good token, and for a fixed bearer string. */
  readonly clientId?: string;
  /** Why the call is not authenticated. */
  readonly refusal?: ApiError;
}

export const identify = (environments: Environments, headers: IncomingHttpHeaders): Caller => {
  const named = readNamedEnvironment(environments, headers);
  try {
    return authenticate(environments, readBearer(headers.authorization), named);
  } catch (refusal) {
    if (!(refusal instanceof ApiError)) throw refusal;
    return { environment: named?.environment ?? firstEnvironment(environments), refusal };
  }
};

const authenticate = (
  environments: Environments,
  token: string,
  named: NamedEnvironment | undefined,
): Caller => {
  const fixed = findByAccessToken(environments, token);
  if (fixed) {
    requireNamed(fixed, named);
    return { environment: fixed };
  }
  const claims = readAccessToken(token);
  const environment = environments.byId.get(claims.env);
  if (!environment)
    throw unauthenticated(`The environment ${claims.env} of the access token is gone. ${SIGN_IN}`);
  requireNamed(environment, named);
  const { client_id } = requireLiveToken(environment.current.data, claims, {
    environment,
    now: readNow(environment),
  });
  return { environment, clientId: client_id };
};

const SIGN_IN = 'Get a token with POST /oauth/token and send it as "Authorization: Bearer TOKEN".';

const readBearer = (header: string | undefined): string => {
  if (header === undefined || header === '')
    throw unauthenticated(`The Authorization header is missing. ${SIGN_IN}`);
  const token = /^Bearer +([A-Za-z0-9\-._~+/]+=*) *$/i.exec(header)?.[1];
  if (token === undefined)
    throw unauthenticated(`The Authorization header holds no bearer token. ${SIGN_IN}`);
  return token;
};

const requireNamed = (environment: Environment, named: NamedEnvironment | undefined): void => {
  const other = findContradiction(named, environment);
  if (other) throw ofAnotherEnvironment(environment, other);
};

/** 401: the request names one environment and its credentials belong to another (behaviour E2). */
export const ofAnotherEnvironment = (environment: Environment, named: NamedEnvironment): ApiError => {
  const { name, by } = named;
  const advice = named.environment
    ? `Use credentials of ${name}, or name no environment.`
    : `There is no environment ${name}; GET /_mock/environments lists those there are.`;
  return unauthenticated(
    `The credentials belong to environment ${environment.name}, but the ${by} of the request names ${name}. ${advice}`,
  );
};
