/** All environments of a server, and finding the one a request belongs to (behaviour E1, E2, E5). */
import { ApiError } from '../core/errors.ts';
import { withLabel, withoutLabel } from '../core/host-label.ts';
import { type Draw, drawFrom, randomSeed, seedGenerator } from '../core/ids.ts';
import type { InitialEnvironment, Scenario } from '../domain/scenario.ts';
import type { State } from '../domain/state.ts';
import type { Surfaces } from '../openapi/surface.ts';
import { type Coverage, createCoverage } from './coverage.ts';
import { closeEnvironment, createEnvironment, type Environment, type Origin } from './environment.ts';
import type { EnvironmentState } from './environment-state.ts';

export interface Environments {
  /** Address of this server as clients see it, without a trailing slash; set once it is known. */
  baseUrl: string;
  /** The same with a place for the name of an environment, if each has a host of its own. */
  readonly urlForm: string;
  scenario: Scenario;
  /** What of the contract coverage counts. */
  readonly surfaces: Surfaces;
  /** In the order they were made. */
  readonly byId: Map<string, Environment>;
  readonly byName: Map<string, Environment>;
  /** By the key at the end of their tokens. */
  readonly byKey: Map<string, Environment>;
  readonly byClient: Map<string, Environment>;
  readonly byAccessToken: Map<string, Environment>;
  /** Draws names, ids and credentials of environments made at runtime: two servers give out none twice. */
  readonly draw: Draw;
  /** What deleted environments had seen of the contract. */
  readonly pastCoverage: Coverage;
  /** Called whenever an environment was made or dropped. */
  readonly listeners: Set<() => void>;
  /** Replies so far that broke the contract, sent or not. */
  replyViolations: number;
}

/**
 * @param urlForm address of the server, with or without a place for the name of an environment
 * @throws ApiError 409 if two environments of the scenario share a name, id, client id or bearer
 */
export const createEnvironments = (scenario: Scenario, urlForm: string, surfaces: Surfaces): Environments => {
  const environments: Environments = {
    baseUrl: withoutLabel(urlForm),
    urlForm,
    scenario,
    surfaces,
    byId: new Map(),
    byName: new Map(),
    byKey: new Map(),
    byClient: new Map(),
    byAccessToken: new Map(),
    draw: drawFrom(seedGenerator(randomSeed())),
    pastCoverage: createCoverage(surfaces),
    listeners: new Set(),
    replyViolations: 0,
  };
  for (const initial of scenario.environments) addEnvironment(environments, initial);
  return environments;
};

/**
 * @param origin default: the scenario that the server was started with
 * @throws ApiError 409 if another environment has the name, id, a client id or a bearer (behaviour E5)
 */
export const addEnvironment = (
  environments: Environments,
  initial: InitialEnvironment,
  origin: Origin = { scenario: environments.scenario.name, isRuntime: false },
): Environment => {
  const taken = findTaken(environments, initial);
  if (taken) throw ownedByAnother(taken);
  const { surfaces, urlForm } = environments;
  const ownUrl = withLabel(urlForm, initial.name);
  const environment = createEnvironment(initial, surfaces, {
    ...origin,
    ...(ownUrl !== urlForm && { ownUrl }),
  });
  environments.byId.set(environment.id, environment);
  environments.byName.set(environment.name, environment);
  environments.byKey.set(environment.key, environment);
  registerCredentials(environments, environment, environment.current.data);
  announce(environments);
  return environment;
};

/** Drops an environment with everything in it; what its calls have covered still counts in the total. */
export const removeEnvironment = (environments: Environments, environment: Environment): void => {
  environments.byId.delete(environment.id);
  environments.byName.delete(environment.name);
  environments.byKey.delete(environment.key);
  unregisterCredentials(environments, environment.current.data);
  environments.pastCoverage.add(environment.coverage);
  announce(environments); // also to those who follow this one, before their streams end
  closeEnvironment(environment);
};

/**
 * Gives an environment another state: the only way to change its clients and bearers.
 * @throws ApiError 409 if one of them belongs to another environment (behaviour E5); then nothing has changed
 */
export const changeState = (
  environments: Environments,
  environment: Environment,
  state: EnvironmentState,
): void => {
  const before = environment.current.data;
  const after = state.data;
  if (before.clients !== after.clients || before.access_tokens !== after.access_tokens) {
    const taken = findTakenCredential(environments, after, environment);
    if (taken) throw ownedByAnother(taken);
    unregisterCredentials(environments, before);
    registerCredentials(environments, environment, after);
  }
  environment.current = state;
};

/** Ends all streams and waits, so that the server can close. */
export const closeEnvironments = ({ byId }: Environments): void => {
  for (const environment of byId.values()) closeEnvironment(environment);
};

/** Calls the listener at every environment made or dropped, until the returned function is called. */
export const followEnvironments = ({ listeners }: Environments, listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The environment with this name or id. */
export const findEnvironment = ({ byId, byName }: Environments, nameOrId: string): Environment | undefined =>
  byId.get(nameOrId) ?? byName.get(nameOrId);

/** The one that is meant where none is named. @throws ApiError 404 if all were deleted */
export const firstEnvironment = ({ byId }: Environments): Environment => {
  for (const environment of byId.values()) return environment;
  throw new ApiError('NOT_FOUND', 'There is no environment left. Make one with POST /_mock/environments.');
};

export const findByClient = ({ byClient }: Environments, clientId: string): Environment | undefined =>
  byClient.get(clientId);

export const findByAccessToken = ({ byAccessToken }: Environments, token: string): Environment | undefined =>
  byAccessToken.get(token);

/** Length of the key at the end of a link or invitation token. */
const KEY_LENGTH = 11;

/** The environment whose key is at the end of a link or invitation token (behaviour E5). */
export const findByKey = ({ byKey }: Environments, token: string): Environment | undefined =>
  byKey.get(token.slice(-KEY_LENGTH));

/** What all environments have covered, deleted ones included. */
export const totalCoverage = ({ byId, pastCoverage, surfaces }: Environments): Coverage => {
  const total = createCoverage(surfaces);
  total.add(pastCoverage);
  for (const { coverage } of byId.values()) total.add(coverage);
  return total;
};

/** Counts from zero again, in every environment. */
export const clearCoverage = ({ byId, pastCoverage }: Environments): void => {
  pastCoverage.clear();
  for (const { coverage } of byId.values()) coverage.clear();
};

const announce = ({ listeners }: Environments): void => {
  for (const listener of listeners) listener();
};

type Credentials = Pick<State, 'clients' | 'access_tokens'>;

const registerCredentials = (
  { byClient, byAccessToken }: Environments,
  environment: Environment,
  { clients, access_tokens }: Credentials,
): void => {
  for (const id of clients.positions.keys()) byClient.set(id, environment);
  for (const token of access_tokens) byAccessToken.set(token, environment);
};

const unregisterCredentials = (
  { byClient, byAccessToken }: Environments,
  { clients, access_tokens }: Credentials,
): void => {
  for (const id of clients.positions.keys()) byClient.delete(id);
  for (const token of access_tokens) byAccessToken.delete(token);
};

/** What of a new environment another one has, or undefined (behaviour E5). */
const findTaken = (
  environments: Environments,
  { id, name, state }: InitialEnvironment,
): string | undefined => {
  if (findEnvironment(environments, id)) return `The id ${id}`;
  if (findEnvironment(environments, name)) return `The name ${name}`;
  return findTakenCredential(environments, state);
};

/** What of these credentials another environment has, or undefined (behaviour E5). Never the bearer itself. */
const findTakenCredential = (
  { byClient, byAccessToken }: Environments,
  { clients, access_tokens }: Credentials,
  own?: Environment,
): string | undefined => {
  const isTaken = (owner: Environment | undefined): boolean => owner !== undefined && owner !== own;
  for (const id of clients.positions.keys()) if (isTaken(byClient.get(id))) return `The client ${id}`;
  return access_tokens.some((token) => isTaken(byAccessToken.get(token)))
    ? 'A string of access_tokens'
    : undefined;
};

const ownedByAnother = (taken: string): ApiError =>
  new ApiError(
    'RESOURCE_ALREADY_EXISTS',
    `${taken} belongs to another environment. Choose one that is free.`,
  );
