/** Finds the environment to which `current` refers in the path of a control call. */
import type { IncomingHttpHeaders } from 'node:http';
import { Refusal } from '../core/errors.ts';
import { cut, didYouMean, listNames } from '../core/text.ts';
import type { Environments } from '../environments/all-environments.ts';
import type { Environment } from '../environments/environment.ts';
import { environmentFor, findContradiction, readNamedEnvironments } from '../environments/mock-headers.ts';
import { readAccessToken } from '../tokens/access-token.ts';

/**
 * Selects the environment of the call's access token, even if the token has expired. Without an access token, selects
 * the environment named by X-Mock-Environment or `baggage`, or else the first environment. An unknown name
 * is refused: a misspelled name must not make the call change the first environment.
 * @throws Refusal 404 if no environment has the name, 400 if the call refers to several environments
 */
export const selectCurrent = (environments: Environments, headers: IncomingHttpHeaders): Environment => {
  const named = readNamedEnvironments(environments, headers);
  const owner = findByToken(environments, headers.authorization);
  const [first] = named;
  if (!owner && first && !first.environment)
    throw unknownEnvironment(environments, first.name, `the ${first.by} selects it`);
  const selected = owner ? environmentFor(owner, named) : (first?.environment ?? environments.first());
  const other = findContradiction(named, selected);
  if (!other) return selected;
  throw new Refusal(
    'INVALID_ARGUMENT',
    `The call selects the environment ${selected.name}, but its ${other.by} selects ${JSON.stringify(cut(other.name))}.`,
    'Select only one environment, or put the name of the environment into the path instead of `current`.',
  );
};

/**
 * The environment of an access token. Undefined for other tokens, such as the control token.
 * @throws Refusal 404 if the environment of the token does not exist
 */
const findByToken = (environments: Environments, authorization = ''): Environment | undefined => {
  const [, token = ''] = /^Bearer +(\S+) *$/i.exec(authorization) ?? [];
  const fixed = environments.find(token, 'bearer');
  if (fixed) return fixed;
  const id = readEnvironmentId(token);
  const environment = environments.byId.get(id ?? '');
  if (environment || id === undefined) return environment;
  throw unknownEnvironment(environments, id, 'the access token belongs to it');
};

const readEnvironmentId = (token: string): string | undefined => {
  try {
    return readAccessToken(token).env;
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
};

/** A 404 for a name that no environment has. @param use what uses the name, such as `the access token belongs to it` */
export const unknownEnvironment = ({ byId }: Environments, nameOrId: string, use?: string): Refusal => {
  const name = cut(nameOrId);
  const names = Array.from(byId.values(), (environment) => environment.name);
  return new Refusal(
    'NOT_FOUND',
    `The environment ${JSON.stringify(name)} does not exist${use === undefined ? '' : `, but ${use}`}.`,
    didYouMean(name, names).trim() ||
      `The environments are ${listNames(names)}; GET /_mock/environments lists them.`,
  );
};
