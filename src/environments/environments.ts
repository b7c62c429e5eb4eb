/** All environments of a server. Finds the environment that a request belongs to (behaviour E1, E2, E5). */

import { withLabel, withoutLabel } from '../core/addresses.ts';
import { Refusal } from '../core/errors.ts';
import { type Draw, drawFrom, environmentKey, randomSeed, seedGenerator } from '../core/ids.ts';
import type { InitialEnvironment, Scenario } from '../domain/scenario.ts';
import type { State } from '../domain/state.ts';
import type { Surfaces } from '../openapi/members.ts';
import type { OperationId } from '../openapi/types.ts';
import { type Coverage, createCoverage } from './coverage.ts';
import {
  closeEnvironment,
  createEnvironment,
  type Environment,
  type EnvironmentOrigin,
} from './environment.ts';
import type { EnvironmentState } from './environment-state.ts';
import { createUsage, type Usage } from './used.ts';

export interface Environments {
  /** Address of this server as clients see it, without a trailing slash; set once it is known. */
  baseUrl: string;
  /** The server's address with `{env}` in place of the environment's name, if each environment has its own host. */
  readonly urlForm: string;
  scenario: Scenario;
  /** The parts of the contract that coverage counts. */
  readonly surfaces: Surfaces;
  /** Environments by id, in the order in which they were made. */
  readonly byId: Map<string, Environment>;
  /** Environments by each of their handles; see `handlesOf`. */
  readonly byHandle: Map<string, Environment>;
  /** Draws names, ids and credentials of environments made at runtime, so that no two servers use the same ones. */
  readonly draw: Draw;
  /** Coverage of deleted environments. */
  readonly pastCoverage: Coverage;
  /** Usage of deleted environments. */
  readonly pastUsage: Usage;
  /** Called after an environment was made or dropped. */
  readonly listeners: Set<() => void>;
  /** How many replies broke the contract so far, whether or not they were sent. */
  replyViolations: number;
  /** Set if gRPC is served. */
  writeGrpcCall?: WriteGrpcCall;
}

/** Writes a call of the API as a gRPC call; undefined if no gRPC method can express it. */
type WriteGrpcCall = (
  operation: OperationId,
  parameters: object,
  body: object,
) => { readonly method: string; readonly message: Record<string, unknown> } | undefined;

/**
 * Makes the environments of a scenario.
 * @param urlForm address of the server, with or without `{env}`
 * @throws Refusal 409 if two environments of the scenario share a name, id, client id or bearer
 */
export const createEnvironments = (scenario: Scenario, urlForm: string, surfaces: Surfaces): Environments => {
  const environments: Environments = {
    baseUrl: withoutLabel(urlForm),
    urlForm,
    scenario,
    surfaces,
    byId: new Map(),
    byHandle: new Map(),
    draw: drawFrom(seedGenerator(randomSeed())),
    pastCoverage: createCoverage(surfaces),
    pastUsage: createUsage(surfaces),
    listeners: new Set(),
    replyViolations: 0,
  };
  for (const initial of scenario.environments) addEnvironment(environments, initial);
  return environments;
};

/**
 * Adds an environment.
 * @param origin default: the server's scenario
 * @throws Refusal 409 if another environment has the name, id, a client id or a bearer (behaviour E5)
 */
export const addEnvironment = (
  environments: Environments,
  initial: InitialEnvironment,
  origin: EnvironmentOrigin = { scenario: environments.scenario.name, isRuntime: false },
): Environment => {
  requireFree(environments, handlesOf(initial, initial.state), () => false);
  const { surfaces, urlForm } = environments;
  const ownUrl = withLabel(urlForm, initial.name);
  const environment = createEnvironment(initial, surfaces, origin, ownUrl === urlForm ? undefined : ownUrl);
  environments.draw.reserve(environment.id);
  environments.byId.set(environment.id, environment);
  register(environments, environment);
  announce(environments);
  return environment;
};

/** Drops an environment with everything in it. Its coverage still counts in the total. */
export const removeEnvironment = (environments: Environments, environment: Environment): void => {
  environments.byId.delete(environment.id);
  unregister(environments, environment);
  environments.pastCoverage.add(environment.coverage);
  environments.pastUsage.add(environment.used);
  // A call that is still running counts when it ends: it goes straight into the total.
  environment.coverage = environments.pastCoverage;
  environment.used = environments.pastUsage;
  announce(environments); // before its streams end, so that its own followers are told too
  closeEnvironment(environment);
};

/**
 * Replaces the state of an environment. No other function changes its clients and bearers.
 * @throws Refusal 409 if a client or bearer belongs to another environment (behaviour E5); then nothing has changed
 */
export const changeState = (
  environments: Environments,
  environment: Environment,
  state: EnvironmentState,
): void => {
  const before = environment.current.data;
  const after = state.data;
  if (before.clients === after.clients && before.access_tokens === after.access_tokens) {
    environment.current = state;
    return;
  }
  requireFree(environments, handlesOf(environment, after), (owner) => owner === environment);
  unregister(environments, environment);
  environment.current = state;
  register(environments, environment);
};

/** Ends all streams and all waits, so that the server can close. */
export const closeEnvironments = ({ byId }: Environments): void => {
  for (const environment of byId.values()) closeEnvironment(environment);
};

/** Calls the listener for every environment made or dropped, until the returned function is called. */
export const followEnvironments = ({ listeners }: Environments, listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The environment with this name or id. */
export const findEnvironment = ({ byHandle }: Environments, nameOrId: string): Environment | undefined =>
  byHandle.get(`name ${nameOrId}`);

/** The environment for calls that do not name one. @throws Refusal 404 if all were deleted */
export const firstEnvironment = ({ byId }: Environments): Environment => {
  for (const environment of byId.values()) return environment;
  throw new Refusal('NOT_FOUND', 'There is no environment left.', 'Make one with POST /_mock/environments.');
};

export const findByClient = ({ byHandle }: Environments, clientId: string): Environment | undefined =>
  byHandle.get(`client ${clientId}`);

export const findByAccessToken = ({ byHandle }: Environments, token: string): Environment | undefined =>
  byHandle.get(`bearer ${token}`);

/** Length of the key at the end of a link or invitation token. */
const KEY_LENGTH = 11;

/** The environment whose key is at the end of a link or invitation token (behaviour E5). */
export const findByKey = ({ byHandle }: Environments, token: string): Environment | undefined =>
  byHandle.get(`key ${token.slice(-KEY_LENGTH)}`);

/** Coverage of all environments, including deleted ones. */
export const totalCoverage = ({ byId, pastCoverage, surfaces }: Environments): Coverage => {
  const total = createCoverage(surfaces);
  total.add(pastCoverage);
  for (const { coverage } of byId.values()) total.add(coverage);
  return total;
};

/** Usage of all environments, including deleted ones. */
export const totalUsage = ({ byId, pastUsage, surfaces }: Environments): Usage => {
  const total = createUsage(surfaces);
  total.add(pastUsage);
  for (const { used } of byId.values()) total.add(used);
  return total;
};

/** Resets the counts of every environment to zero. */
export const clearCoverage = ({ byId, pastCoverage }: Environments): void => {
  pastCoverage.clear();
  for (const { coverage } of byId.values()) coverage.clear();
};

const announce = ({ listeners }: Environments): void => {
  for (const listener of listeners) listener();
};

/**
 * Everything that identifies an environment: name, id, key of its tokens, clients, bearers. Environments never share a
 * handle (behaviour E5).
 */
export const handlesOf = (
  { id, name }: Pick<Environment, 'id' | 'name'>,
  { clients, access_tokens }: Pick<State, 'clients' | 'access_tokens'>,
): readonly string[] => [
  `name ${id}`,
  `name ${name}`,
  `key ${environmentKey(id)}`,
  ...Array.from(clients.positions.keys(), (client) => `client ${client}`),
  ...access_tokens.map((token) => `bearer ${token}`),
];

export const register = ({ byHandle }: Environments, environment: Environment): void => {
  for (const handle of handlesOf(environment, environment.current.data)) byHandle.set(handle, environment);
};

/** Frees the environment's handles, except for handles that another environment has taken over. */
export const unregister = ({ byHandle }: Environments, environment: Environment): void => {
  for (const handle of handlesOf(environment, environment.current.data))
    if (byHandle.get(handle) === environment) byHandle.delete(handle);
};

/**
 * Refuses handles that other environments have.
 * @param mayShare whether the owner of a handle may share it
 * @throws Refusal 409 that names the handle and its owner, but never shows a bearer (behaviour E5)
 */
export const requireFree = (
  { byHandle }: Environments,
  handles: readonly string[],
  mayShare: (owner: Environment) => boolean,
): void => {
  for (const handle of handles) {
    const owner = byHandle.get(handle);
    if (!owner || mayShare(owner)) continue;
    const taken = handle.startsWith('bearer ') ? 'An entry of access_tokens' : `The ${handle}`;
    throw new Refusal(
      'RESOURCE_ALREADY_EXISTS',
      `${taken} belongs to another environment: ${owner.name}${owner.isRuntime ? ', made at runtime' : ''}.`,
      'Choose another one, or delete that environment first.',
    );
  }
};
