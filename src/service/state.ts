/** All data of an environment, as one immutable value. Snapshots store this value; a reset restores the initial one. */
import { sortable } from '../engine/core/moment.ts';
import { createTable } from '../engine/core/table.ts';
import { type EngineState, emptyStateOf } from '../engine/state.ts';
import type {
  AccountRow,
  AuthLogRow,
  ConnectionRow,
  LinkRow,
  MembershipRow,
  OrganizationRow,
  ProviderRow,
  RoleRow,
  UserRow,
  VerificationRequestRow,
} from './rows.ts';

/** The id of a membership row: its organization and user. */
export const membershipKey = (organizationId: string, userId: string): string =>
  `${organizationId}/${userId}`;

/** A key that only one account can have (behaviour A4). It ignores the case of the connector (behaviour I6). */
export const pairKey = (connector: string, identifier: string): string =>
  `${connector.toLowerCase()}/${identifier}`;

/** All tables, still without rows. Each `createTable` sets the id, the indexes and any special order of the rows. */
const TABLES = {
  organizations: createTable({ id: (row: OrganizationRow) => row.id, indexes: { name: (row) => row.name } }),
  roles: createTable({
    id: (row: RoleRow) => row.id,
    indexes: {
      name: (row) => row.name,
      display_name: (row) => row.display_name,
      default: (row) => String(row.default),
    },
  }),
  users: createTable({
    id: (row: UserRow) => row.id,
    indexes: { email: (row) => row.email.toLowerCase(), external_id: (row) => row.external_id },
  }),
  memberships: createTable({
    id: (row: MembershipRow) => membershipKey(row.organization_id, row.user_id),
    indexes: {
      user_id: (row) => row.user_id,
      invite_token: (row) => (row.invite ? [row.invite.token, ...row.invite.ended_tokens] : undefined),
    },
  }),
  connections: createTable({
    id: (row: ConnectionRow) => row.id,
    indexes: {
      key_id: (row) => row.key_id.toLowerCase(),
      organization_id: (row) => row.organization_id,
      domain: (row) => row.domains.map((domain) => domain.toLowerCase()),
      provider_key: (row) => row.provider_key.toUpperCase(),
    },
  }),
  /** Every index slows down every write, so searches by connector or provider use the index on `connection_id`. */
  connected_accounts: createTable({
    id: (row: AccountRow) => row.id,
    indexes: {
      organization_id: (row) => row.organization_id,
      user_id: (row) => row.user_id,
      identifier: (row) => row.identifier,
      connection_id: (row) => row.connection_id,
      pair: ({ connector, identifier }) => pairKey(connector, identifier),
    },
  }),
  authorization_links: createTable({
    id: (row: LinkRow) => row.token,
    indexes: { account_id: (row) => row.account_id },
  }),
  verification_requests: createTable({
    id: (row: VerificationRequestRow) => row.auth_request_id,
    indexes: { account_id: (row) => row.account_id },
  }),
  custom_providers: createTable({
    id: (row: ProviderRow) => row.id,
    indexes: {
      identifier: (row) => row.identifier,
      /** The part of the identifier before the colon. */
      slug: (row) => row.identifier.replace(/:.*/s, ''),
      display_name: (row) => row.display_name.toLowerCase(),
    },
  }),
  /** Sorted by time, not by the order of logging; all absolute times stand before all relative ones. */
  authentication_requests: createTable({
    id: (row: AuthLogRow) => row.auth_request_id,
    position: (row, sequence) => `${sortable(row.timestamp)}.${String(sequence).padStart(12, '0')}`,
    indexes: {
      email: (row) => row.email?.toLowerCase(),
      status: (row) => row.status,
      resource_id: (row) => row.resource_id,
      client_id: (row) => row.client_id,
    },
  }),
};

export type Tables = typeof TABLES;
export interface State extends EngineState, Readonly<Tables> {}

export const emptyState = (seed: number): State => emptyStateOf(TABLES, seed);
