/** Who owns which name, client id, bearer string and key: one look-up each, however many environments there are. */
import type { EnvironmentBlueprint } from '../domain/blueprint.ts';
import type { State } from '../domain/state.ts';
import type { Environment } from './environment.ts';

export interface Directory {
  readonly byName: Map<string, Environment>;
  readonly byKey: Map<string, Environment>;
  readonly byClient: Map<string, Environment>;
  readonly byAccessToken: Map<string, Environment>;
}

export const createDirectory = (): Directory => ({
  byName: new Map(),
  byKey: new Map(),
  byClient: new Map(),
  byAccessToken: new Map(),
});

/** The part of a state that belongs in the directory. */
type Credentials = Pick<State, 'clients' | 'access_tokens'>;

export const enterEnvironment = (directory: Directory, environment: Environment): void => {
  directory.byName.set(environment.name, environment);
  directory.byKey.set(environment.key, environment);
  enterCredentials(directory, environment, environment.current.state);
};

export const leaveEnvironment = (directory: Directory, environment: Environment): void => {
  directory.byName.delete(environment.name);
  directory.byKey.delete(environment.key);
  leaveCredentials(directory, environment.current.state);
};

export const enterCredentials = (
  directory: Directory,
  environment: Environment,
  { clients, access_tokens }: Credentials,
): void => {
  for (const id of clients.positions.keys()) directory.byClient.set(id, environment);
  for (const token of access_tokens) directory.byAccessToken.set(token, environment);
};

export const leaveCredentials = (directory: Directory, { clients, access_tokens }: Credentials): void => {
  for (const id of clients.positions.keys()) directory.byClient.delete(id);
  for (const token of access_tokens) directory.byAccessToken.delete(token);
};

/** What of these credentials another environment has, or undefined (behaviour E5). Never the bearer itself. */
export const findTakenCredential = (
  directory: Directory,
  { clients, access_tokens }: Credentials,
  own?: Environment,
): string | undefined => {
  const isTaken = (owner: Environment | undefined): boolean => owner !== undefined && owner !== own;
  for (const id of clients.positions.keys())
    if (isTaken(directory.byClient.get(id))) return `The client ${id}`;
  return access_tokens.some((token) => isTaken(directory.byAccessToken.get(token)))
    ? 'A string of access_tokens'
    : undefined;
};

/** What of a new environment another one has, or undefined (behaviour E5). @param ids of all environments */
export const findTaken = (
  directory: Directory,
  ids: ReadonlyMap<string, Environment>,
  { id, name, state }: EnvironmentBlueprint,
): string | undefined => {
  if (ids.has(id) || directory.byName.has(id)) return `The id ${id}`;
  if (ids.has(name) || directory.byName.has(name)) return `The name ${name}`;
  return findTakenCredential(directory, state);
};
