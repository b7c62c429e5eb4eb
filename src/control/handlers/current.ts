/** The environment that `current` stands for: the one that a call's own headers select, else the first. */
import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from '../../core/errors.ts';
import { readAccessToken } from '../../domain/access-token.ts';
import type { Environment } from '../../environments/environment.ts';
import {
  findContradiction,
  type NamedEnvironment,
  readNamedEnvironment,
} from '../../environments/named-environment.ts';
import { findByAccessToken, firstEnvironment, type World } from '../../environments/world.ts';
import { ControlError } from '../errors.ts';
import { unknownEnvironment } from './unknown-environment.ts';

/**
 * By the API token, whether it is still good or not, by header or by host. Never the first where another one is named:
 * a reset would hit the wrong one.
 * @throws ControlError 404 for one that there is none of, 400 if token, header and host do not agree
 */
export const selectCurrent = (world: World, headers: IncomingHttpHeaders): Environment => {
  const named = readNamedEnvironment(world, headers);
  const selected = readTokensEnvironment(world, headers.authorization) ?? requireNamed(world, named);
  if (!selected) return firstEnvironment(world);
  const other = findContradiction(named, selected);
  if (other) throw contradiction(selected, other);
  return selected;
};

const requireNamed = (world: World, named: NamedEnvironment | undefined): Environment | undefined => {
  if (named && !named.environment) throw unknownEnvironment(world, named.name, `the ${named.by} names`);
  return named?.environment;
};

/** Undefined for what is no token of the API: the control token stands in the same header. @throws ControlError 404 */
const readTokensEnvironment = (world: World, authorization: string | undefined): Environment | undefined => {
  const token = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
  if (token === undefined) return undefined;
  const fixed = findByAccessToken(world, token);
  if (fixed) return fixed;
  const id = readEnvironmentId(token);
  if (id === undefined) return undefined;
  const environment = world.environments.get(id);
  if (!environment) throw unknownEnvironment(world, id, 'the access token belongs to');
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
