/** Shared by the handlers: finds the environment that a path names or a call selects, and presents it. */
import type { IncomingHttpHeaders } from 'node:http';
import { toTimestamp } from '../../core/clock.ts';
import { parseDuration } from '../../core/duration.ts';
import { Refusal } from '../../core/errors.ts';
import { didYouMean } from '../../core/nearest.ts';
import { cut, listNames } from '../../core/text.ts';
import { readAccessToken } from '../../domain/access-token.ts';
import type { Simulation } from '../../domain/operation.ts';
import { writeSettings } from '../../domain/settings.ts';
import { type Environment, readNow, runStep } from '../../environments/environment.ts';
import {
  type Environments,
  findByAccessToken,
  findEnvironment,
  firstEnvironment,
} from '../../environments/environments.ts';
import { credentialsOf } from '../../environments/lifecycle.ts';
import {
  environmentFor,
  findContradiction,
  readNamedEnvironments,
} from '../../environments/named-environment.ts';
import type { OperationId } from '../../openapi/types.ts';
import type { Context, ControlSchemas, EnvironmentContext } from '../types.ts';

/** The answer of a call that has nothing to return. */
export const DONE = { status: 200, body: {} } as const;

/**
 * The environment of this name or id, if it exists; for `current`, the environment that the call selects.
 * @throws Refusal 400, 404
 */
export const findNamed = ({ environments, headers }: Context, nameOrId: string): Environment | undefined =>
  nameOrId === 'current' ? selectCurrent(environments, headers) : findEnvironment(environments, nameOrId);

/**
 * The environment of the API token, even of an expired token; else the environment that the header, baggage or host
 * names; else the first. A name that fits no environment never selects the first, since a reset would then reset the
 * wrong environment.
 * @throws Refusal 404 if no environment has the name, 400 if the names do not agree
 */
const selectCurrent = (environments: Environments, headers: IncomingHttpHeaders): Environment => {
  const named = readNamedEnvironments(environments, headers);
  const owner = findByToken(environments, headers.authorization);
  const [first] = named;
  if (!owner && first && !first.environment)
    throw unknownEnvironment(environments, first.name, `the ${first.by} names`);
  const selected = owner
    ? environmentFor(owner, named)
    : (first?.environment ?? firstEnvironment(environments));
  const other = findContradiction(named, selected);
  if (!other) return selected;
  throw new Refusal(
    'INVALID_ARGUMENT',
    `The call selects the environment ${selected.name}, but its ${other.by} names ${JSON.stringify(cut(other.name))}.`,
    'Name only one of them, or put its name into the path instead of `current`.',
  );
};

/**
 * The environment of an API token. Undefined for other bearers, since the same header carries the control token.
 * @throws Refusal 404
 */
const findByToken = (environments: Environments, authorization = ''): Environment | undefined => {
  const token = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
  if (token === undefined) return undefined;
  const fixed = findByAccessToken(environments, token);
  const id = fixed?.id ?? readEnvironmentId(token);
  if (id === undefined) return undefined;
  const environment = environments.byId.get(id);
  if (!environment) throw unknownEnvironment(environments, id, 'the access token belongs to');
  return environment;
};

const readEnvironmentId = (token: string): string | undefined => {
  try {
    return readAccessToken(token).env;
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
};

/**
 * A 404 for a name that no environment has.
 * @param where ends the sentence "There is no environment NAME, which", as in `the header X-Mock-Environment names`;
 * absent for a name in the path
 */
export const unknownEnvironment = ({ byId }: Environments, nameOrId: string, where?: string): Refusal => {
  const name = cut(nameOrId);
  const names = Array.from(byId.values(), (environment) => environment.name);
  return new Refusal(
    'NOT_FOUND',
    `There is no environment ${JSON.stringify(name)}${where === undefined ? '' : `, which ${where}`}.`,
    didYouMean(name, names).trim() ||
      `The environments are ${listNames(names)}; GET /_mock/environments lists them.`,
  );
};

/** The mode and time of an environment's clock. */
export const presentClock = (environment: Environment): ControlSchemas['Clock'] => ({
  mode: environment.current.clock.mode,
  now: toTimestamp(readNow(environment)),
});

export const presentEnvironment = (environment: Environment): ControlSchemas['Environment'] => ({
  id: environment.id,
  name: environment.name,
  scenario: environment.scenario,
  ...credentialsOf(environment),
  clock: presentClock(environment),
  settings: writeSettings(environment.current.settings),
});

/** Runs a function of the simulation on an environment. @throws Refusal as the function does */
export const simulate = <Given, Reply>(
  { environment, environments }: EnvironmentContext,
  simulation: Simulation<Given, Reply>,
  given: Given,
): Reply => runStep(environment, environments.baseUrl, (state, open) => simulation(state, given, open)).reply;

/** An operation of the contract by its name. @throws Refusal 400 for a name that no operation has */
export const requireOperation = ({ surfaces }: Environments, name: string): OperationId => {
  const known = surfaces.all().map(({ operationId }) => operationId);
  const found = known.find((operationId) => operationId === name);
  if (found !== undefined) return found;
  throw new Refusal(
    'INVALID_ARGUMENT',
    `operation is ${JSON.stringify(cut(name))}, which is not an operation of the contract.`,
    didYouMean(name, known).trim() || `The operations are ${known.join(', ')}.`,
  );
};

const LONGEST_WAIT = 5 * 60_000;

/** Reads how many milliseconds a call waits; default 0. @throws Refusal 400 above five minutes */
export const readWait = (wait = '0s'): number => {
  const ms = parseDuration(wait) ?? 0;
  if (ms <= LONGEST_WAIT) return ms;
  throw new Refusal(
    'INVALID_ARGUMENT',
    `wait is ${wait}, but may be 5m at most.`,
    'Choose a shorter wait, and call again if nothing came.',
  );
};
