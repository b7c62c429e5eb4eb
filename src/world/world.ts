/** All environments of a server, and finding the one a request belongs to (behaviour E1, E2, E5). */
import { ApiError } from '../core/errors.ts';
import { getRow } from '../core/table.ts';
import type { EnvironmentBlueprint, Scenario } from '../domain/blueprint.ts';
import { createEnvironment, type Environment } from './environment.ts';

export interface World {
  /** Address of this server as clients see it, without a trailing slash; set once it is known. */
  baseUrl: string;
  scenario: Scenario;
  /** By id, in the order they were made. */
  readonly environments: Map<string, Environment>;
}

export const createWorld = (scenario: Scenario, baseUrl: string): World => {
  const world: World = { baseUrl, scenario, environments: new Map() };
  for (const blueprint of scenario.environments) addEnvironment(world, blueprint);
  return world;
};

/** @throws ApiError 409 if another environment has the name, id, a client id or a bearer (behaviour E5) */
export const addEnvironment = (world: World, blueprint: EnvironmentBlueprint): Environment => {
  const taken = findTaken(world, blueprint);
  if (taken) {
    throw new ApiError('RESOURCE_ALREADY_EXISTS', `${taken} belongs to another environment. Choose one that is free.`);
  }
  const environment = createEnvironment(blueprint);
  world.environments.set(environment.id, environment);
  return environment;
};

/** The environment with this name or id. */
export const findEnvironment = (world: World, nameOrId: string): Environment | undefined =>
  world.environments.get(nameOrId) ?? firstWhere(world, ({ name }) => name === nameOrId);

export const findByClient = (world: World, clientId: string): Environment | undefined =>
  firstWhere(world, ({ current }) => getRow(current.state.clients, clientId) !== undefined);

export const findByAccessToken = (world: World, token: string): Environment | undefined =>
  firstWhere(world, ({ current }) => current.state.access_tokens.includes(token));

/** The environment whose key stands at the end of a link or invitation token (behaviour E5). */
export const findByKey = (world: World, token: string): Environment | undefined =>
  firstWhere(world, ({ key }) => token.endsWith(key));

const firstWhere = (world: World, holds: (environment: Environment) => boolean): Environment | undefined => {
  for (const environment of world.environments.values()) if (holds(environment)) return environment;
  return undefined;
};

/** What of a blueprint another environment has already, or undefined. */
const findTaken = (world: World, { id, name, state }: EnvironmentBlueprint): string | undefined => {
  if (findEnvironment(world, id)) return `Environment ${id}`;
  if (findEnvironment(world, name)) return `Environment ${name}`;
  for (const { client_id } of state.clients.rows.values()) {
    if (findByClient(world, client_id)) return `Client ${client_id}`;
  }
  return state.access_tokens.some((token) => findByAccessToken(world, token)) ? 'An access token' : undefined;
};
