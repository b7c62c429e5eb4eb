/** Everything an environment holds, as one immutable value. A snapshot keeps it, a reset puts the first one back. */
import { type GeneratorState, seedGenerator } from '../core/ids.ts';
import { newTree, type Tree } from '../core/position-tree.ts';
import { createTable, type Table } from '../core/table.ts';
import { ACCOUNTS, type AccountIndex, type AccountRow } from './account.ts';
import { AUTH_LOG, type AuthLogRow } from './auth-log.ts';
import { LINKS, type LinkRow, VERIFICATION_REQUESTS, type VerificationRequestRow } from './authorization.ts';
import { CLIENTS, type ClientRow } from './client.ts';
import { CONNECTIONS, type ConnectionRow } from './connection.ts';
import { MEMBERSHIPS, type MembershipRow } from './membership.ts';
import { ORGANIZATIONS, type OrganizationRow } from './organization.ts';
import { PROVIDERS, type ProviderRow } from './provider.ts';
import { ROLES, type RoleRow } from './role.ts';
import { USERS, type UserRow } from './user.ts';

/** A set of ids that shares what it does not change with the one it grew from. */
export type IdSet = Tree<string, true>;

export interface State {
  /** Where the seeded generator stands; moves only with a write. */
  readonly generator: GeneratorState;
  /** Ids that a scenario wrote out: never drawn, even after their rows are deleted (behaviour I1). */
  readonly reserved: IdSet;
  readonly clients: Table<ClientRow>;
  readonly access_tokens: readonly string[];
  readonly organizations: Table<OrganizationRow, 'name'>;
  readonly roles: Table<RoleRow, 'name'>;
  readonly users: Table<UserRow, 'email' | 'external_id'>;
  readonly memberships: Table<MembershipRow, 'user_id' | 'invite_token'>;
  readonly connections: Table<ConnectionRow, 'key_id' | 'organization_id' | 'domain' | 'provider_key'>;
  readonly connected_accounts: Table<AccountRow, AccountIndex>;
  readonly authorization_links: Table<LinkRow, 'account_id'>;
  readonly verification_requests: Table<VerificationRequestRow, 'account_id'>;
  readonly custom_providers: Table<ProviderRow, 'identifier' | 'display_name'>;
  readonly authentication_requests: Table<AuthLogRow, 'email' | 'status' | 'resource_id' | 'client_id'>;
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
