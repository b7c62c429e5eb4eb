/** All environments of a server, and finding the one a request belongs to (behaviour E1, E2, E5). */

import { ApiError } from '../core/errors.ts';
import { type Draw, drawFrom, seedGenerator } from '../core/ids.ts';
import type { EnvironmentBlueprint, Scenario } from '../domain/blueprint.ts';
import type { Surfaces } from '../openapi/surface.ts';
import type { Condition } from './condition.ts';
import { type Coverage, createCoverage } from './coverage.ts';
import {
  createDirectory,
  type Directory,
  enterCredentials,
  enterEnvironment,
  findTaken,
  findTakenCredential,
  leaveCredentials,
  leaveEnvironment,
} from './directory.ts';
import { closeEnvironment, createEnvironment, type Environment, type Origin } from './environment.ts';
import { createRoster, type Roster } from './roster.ts';

export interface World {
  /** Address of this server as clients see it, without a trailing slash; set once it is known. */
  baseUrl: string;
  scenario: Scenario;
  /** What of the contract coverage counts. */
  readonly surfaces: Surfaces;
  /** By id, in the order they were made. */
  readonly environments: Map<string, Environment>;
  readonly directory: Directory;
  /** Draws ids and credentials of environments made at runtime. */
  readonly draw: Draw;
  /** How many environments were made, deleted ones included; numbers those without a name. */
  made: number;
  /** What deleted environments had seen of the contract. */
  readonly pastCoverage: Coverage;
  readonly roster: Roster;
  /** Replies so far that broke the contract, sent or not. */
  replyViolations: number;
}

/** @throws ApiError 409 if two environments of the scenario share a name, id, client id or bearer */
export const createWorld = (scenario: Scenario, baseUrl: string, surfaces: Surfaces): World => {
  const world: World = {
    baseUrl,
    scenario,
    surfaces,
    environments: new Map(),
    directory: createDirectory(),
    draw: drawFrom(seedGenerator(scenario.seed)),
    made: 0,
    pastCoverage: createCoverage(surfaces),
    roster: createRoster(),
    replyViolations: 0,
  };
  for (const blueprint of scenario.environments) addEnvironment(world, blueprint);
  return world;
};

/**
 * @param origin default: the world's own scenario
 * @throws ApiError 409 if another environment has the name, id, a client id or a bearer (behaviour E5)
 */
export const addEnvironment = (
  world: World,
  blueprint: EnvironmentBlueprint,
  origin: Origin = { scenario: world.scenario.name, isRuntime: false },
): Environment => {
  const taken = findTaken(world.directory, world.environments, blueprint);
  if (taken) throw ownedByAnother(taken);
  const environment = createEnvironment(blueprint, world.surfaces, origin);
  world.environments.set(environment.id, environment);
  world.made += 1;
  enterEnvironment(world.directory, environment);
  world.roster.announce();
  return environment;
};

/** Drops an environment with all it holds; what its calls have covered still counts in the total. */
export const removeEnvironment = (world: World, environment: Environment): void => {
  world.environments.delete(environment.id);
  leaveEnvironment(world.directory, environment);
  world.pastCoverage.add(environment.coverage);
  world.roster.announce(); // also to those who follow this one, before they are let go
  closeEnvironment(environment);
};

/**
 * Puts an environment into another condition: the only way to change its clients and bearers.
 * @throws ApiError 409 if one of them belongs to another environment (behaviour E5); then nothing has changed
 */
export const changeCondition = (world: World, environment: Environment, condition: Condition): void => {
  const before = environment.current.state;
  const after = condition.state;
  if (before.clients !== after.clients || before.access_tokens !== after.access_tokens) {
    const taken = findTakenCredential(world.directory, after, environment);
    if (taken) throw ownedByAnother(taken);
    leaveCredentials(world.directory, before);
    enterCredentials(world.directory, environment, after);
  }
  environment.current = condition;
};

/** Ends all streams and waits, so that the server can close. */
export const closeWorld = ({ environments }: World): void => {
  for (const environment of environments.values()) closeEnvironment(environment);
};

/** The environment with this name or id. */
export const findEnvironment = (world: World, nameOrId: string): Environment | undefined =>
  world.environments.get(nameOrId) ?? world.directory.byName.get(nameOrId);

/** The one that is meant where none is named. @throws ApiError 404 if all were deleted */
export const firstEnvironment = (world: World): Environment => {
  for (const environment of world.environments.values()) return environment;
  throw new ApiError('NOT_FOUND', 'There is no environment left. Make one with POST /_mock/environments.');
};

export const findByClient = (world: World, clientId: string): Environment | undefined =>
  world.directory.byClient.get(clientId);

export const findByAccessToken = (world: World, token: string): Environment | undefined =>
  world.directory.byAccessToken.get(token);

/** Length of the key at the end of a sealed token. */
const KEY_LENGTH = 11;

/** The environment whose key stands at the end of a link or invitation token (behaviour E5). */
export const findByKey = (world: World, token: string): Environment | undefined =>
  world.directory.byKey.get(token.slice(-KEY_LENGTH));

/** What all environments have covered, deleted ones included. */
export const totalCoverage = ({ environments, pastCoverage, surfaces }: World): Coverage => {
  const total = createCoverage(surfaces);
  total.add(pastCoverage);
  for (const { coverage } of environments.values()) total.add(coverage);
  return total;
};

/** Starts counting anew, in every environment. */
export const clearCoverage = ({ environments, pastCoverage }: World): void => {
  pastCoverage.clear();
  for (const { coverage } of environments.values()) coverage.clear();
};

const ownedByAnother = (taken: string): ApiError =>
  new ApiError(
    'RESOURCE_ALREADY_EXISTS',
    `${taken} belongs to another environment. Choose one that is free.`,
  );
