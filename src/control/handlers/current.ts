/** The environment that `current` means: the one that a call's own headers select, else the first. */
import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from '../../core/errors.ts';
import { readAccessToken } from '../../domain/access-token.ts';
import type { Environment } from '../../environments/environment.ts';
import { type Environments, findByAccessToken, firstEnvironment } from '../../environments/environments.ts';
import {
  environmentFor,
  findContradiction,
  type NamedEnvironment,
  readNamedEnvironments,
} from '../../environments/named-environment.ts';
import { ControlError } from '../errors.ts';
import { unknownEnvironment } from './unknown-environment.ts';

/**
 * By the API token, whether it is still good or not, by header, baggage or host. Never the first where another one is named:
 * a reset would hit the wrong one.
 * @throws ControlError 404 for one that there is none of, 400 if these do not agree
 */
export const selectCurrent = (environments: Environments, headers: IncomingHttpHeaders): Environment => {
  const named = readNamedEnvironments(environments, headers);
  const owner = readTokensEnvironment(environments, headers.authorization);
  const selected = owner ? environmentFor(owner, named) : requireNamed(environments, named[0]);
  if (!selected) return firstEnvironment(environments);
  const other = findContradiction(named, selected);
  if (other) throw contradiction(selected, other);
  return selected;
};

const requireNamed = (
  environments: Environments,
  named: NamedEnvironment | undefined,
): Environment | undefined => {
  if (named && !named.environment)
    throw unknownEnvironment(environments, named.name, `the ${named.by} names`);
  return named?.environment;
};

/** Undefined for what is no token of the API: the control token comes in the same header. @throws ControlError 404 */
const readTokensEnvironment = (
  environments: Environments,
  authorization: string | undefined,
): Environment | undefined => {
  const token = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
  if (token === undefined) return undefined;
  const fixed = findByAccessToken(environments, token);
  if (fixed) return fixed;
  const id = readEnvironmentId(token);
  if (id === undefined) return undefined;
  const environment = environments.byId.get(id);
  if (!environment) throw unknownEnvironment(environments, id, 'the access token belongs to');
  return environment;
};

const readEnvironmentId = (token: string): string | undefined => {
  try {
    return readAccessToken(token).env;
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
};

const contradiction = (selected: Environment, { name, by }: NamedEnvironment): ControlError =>
  new ControlError(
    'INVALID_ARGUMENT',
    `The call selects the environment ${selected.name}, but its ${by} names ${JSON.stringify(name.slice(0, 100))}.`,
    'Name one of them, or write its name into the path in place of `current`.',
  );
