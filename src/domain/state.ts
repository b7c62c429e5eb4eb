/** Everything an environment holds, as one immutable value. A snapshot keeps it, a reset puts the first one back. */
import { type GeneratorState, seedGenerator } from '../core/ids.ts';
import { newTree, type Tree } from '../core/position-tree.ts';
import { createTable, type TableOf } from '../core/table.ts';
import {
  ACCOUNTS,
  AUTH_LOG,
  CLIENTS,
  CONNECTIONS,
  LINKS,
  MEMBERSHIPS,
  ORGANIZATIONS,
  PROVIDERS,
  ROLES,
  USERS,
  VERIFICATION_REQUESTS,
} from './rows.ts';

/** A set of ids that shares what it does not change with the one it grew from. */
export type IdSet = Tree<string, true>;

export interface State {
  /** Where the seeded generator stands; moves only with a write. */
  readonly generator: GeneratorState;
  /** Ids that a scenario wrote out: never drawn, even after their rows are deleted (behaviour I1). */
  readonly reserved: IdSet;
  readonly clients: TableOf<typeof CLIENTS>;
  readonly access_tokens: readonly string[];
  readonly organizations: TableOf<typeof ORGANIZATIONS>;
  readonly roles: TableOf<typeof ROLES>;
  readonly users: TableOf<typeof USERS>;
  readonly memberships: TableOf<typeof MEMBERSHIPS>;
  readonly connections: TableOf<typeof CONNECTIONS>;
  readonly connected_accounts: TableOf<typeof ACCOUNTS>;
  readonly authorization_links: TableOf<typeof LINKS>;
  readonly verification_requests: TableOf<typeof VERIFICATION_REQUESTS>;
  readonly custom_providers: TableOf<typeof PROVIDERS>;
  readonly authentication_requests: TableOf<typeof AUTH_LOG>;
}

/** A state without a single row. @param seed of the generator that draws ids */
export const emptyState = (seed: number): State => ({
  generator: seedGenerator(seed),
  reserved: newTree(),
  clients: createTable(CLIENTS),
  access_tokens: [],
  organizations: createTable(ORGANIZATIONS),
  roles: createTable(ROLES),
  users: createTable(USERS),
  memberships: createTable(MEMBERSHIPS),
  connections: createTable(CONNECTIONS),
  connected_accounts: createTable(ACCOUNTS),
  authorization_links: createTable(LINKS),
  verification_requests: createTable(VERIFICATION_REQUESTS),
  custom_providers: createTable(PROVIDERS),
  authentication_requests: createTable(AUTH_LOG),
});
