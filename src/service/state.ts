/**
 * All data of an environment as one immutable value, and its rows. Snapshots store this value; a reset restores the
 * initial one.
 *
 * Rows have the member names of the API, and do not store what can be computed from other rows or the clock. Tokens, and
 * ids of verification requests, are stored without the environment's key, which is added whenever clients see them. A row
 * without `expires_at` never expires.
 */
import { type Moment, sortable } from '../engine/core/moment.ts';
import { createTable } from '../engine/core/table.ts';
import { type EngineState, emptyStateOf } from '../engine/state.ts';
import type { Schemas } from './contract.ts';

export interface OrganizationRow {
  readonly id: string;
  readonly name: string;
  readonly display_name: string;
}

type ExternalIdentityTime = 'created_time' | 'last_login_time' | 'last_synced_time';

export type ExternalIdentityRow = Omit<Schemas['ExternalIdentity'], ExternalIdentityTime> & {
  readonly [Time in ExternalIdentityTime]?: Moment;
};

export type UserProfileRow = Omit<Schemas['UserProfile'], 'external_identities'> & {
  readonly external_identities?: readonly ExternalIdentityRow[];
};

export interface UserRow {
  readonly id: string;
  readonly email: string;
  readonly external_id?: string;
  readonly create_time: Moment;
  readonly update_time: Moment;
  readonly last_login_time?: Moment;
  readonly metadata: Schemas['Metadata'];
  /** If absent, invitations cannot be sent again ("user profile missing" in the API's description). */
  readonly user_profile?: UserProfileRow;
}

export interface RoleRow extends Readonly<Required<Schemas['Role']>> {
  readonly permissions: readonly string[];
  /** Ids of the roles whose permissions this role also has. */
  readonly extends: readonly string[];
  /** Whether a new member gets this role if the request that adds the member sends no roles. */
  readonly default: boolean;
}

/** The invitation by which a member joins (behaviour M6-M8). */
export interface InviteRow {
  readonly token: string;
  /** Tokens of earlier invitations that this invitation replaced; their pages answer 410 (behaviour M7). */
  readonly ended_tokens: readonly string[];
  readonly created_at: Moment;
  readonly expires_at?: Moment;
  readonly resent_at?: Moment;
  readonly resent_count: number;
  readonly is_revoked: boolean;
}

export interface MembershipRow {
  readonly organization_id: string;
  readonly user_id: string;
  /** The clock decides whether replies show `INVITED` as PENDING_INVITE or INVITE_EXPIRED (behaviour M6). */
  readonly stored_status: 'ACTIVE' | 'INACTIVE' | 'INVITED';
  readonly created_at: Moment;
  readonly accepted_at?: Moment;
  readonly join_time?: Moment;
  /** The e-mail address of the person who added the user, with or without an invitation. */
  readonly inviter_email?: string;
  readonly metadata: Schemas['Metadata'];
  readonly role_ids: readonly string[];
  readonly provisioning_method: Schemas['ProvisioningMethod'];
  /** The user's groups in this organization; they are removed with the membership (behaviour M4). */
  readonly groups: readonly string[];
  readonly invite?: InviteRow;
}

/** The id of a membership row: its organization and user. */
export const membershipKey = (organizationId: string, userId: string): string =>
  `${organizationId}/${userId}`;

export type ProviderRow = Schemas['CustomProvider'] & {
  readonly id: string;
  readonly identifier: string;
  readonly display_name: string;
};

/** What every connection has. */
type Certain = 'key_id' | 'enabled' | 'status' | 'type' | 'provider' | 'provider_key' | 'domains';

/** Either a connector, which has accounts, or a connection through which an organization's users sign in. */
export interface ConnectionRow
  extends Omit<Schemas['Connection'], 'organization_name' | Certain>,
    Readonly<Required<Pick<Schemas['Connection'], Certain>>> {
  /** Whether a TRUSTED_IDP connection needs no `db_user` (behaviour A6). */
  readonly serverless: boolean;
  /** Scopes that a consent page asks for. */
  readonly scopes: readonly string[];
}

/**
 * The credentials of an account, of at most one kind (behaviour A5). The account's `token_expires_at` says when they
 * expire. The secret parts of temporary database keys are never stored.
 */
export interface CredentialsRow {
  readonly oauth_token?: Schemas['OAuthToken'];
  readonly static_auth?: Schemas['StaticAuth'];
  readonly vendorb_dwd?: Omit<Schemas['VendorbDwd'], 'token_expires_at'>;
  readonly trusted_idp?: Omit<Schemas['TrustedIdp'], 'expiry'>;
}

export interface AccountRow {
  readonly id: string;
  readonly connection_id: string;
  /** The connection's `key_id`, with its letter case unchanged (behaviour I6). */
  readonly connector: string;
  readonly identifier: string;
  /** The connection's `provider_key` in upper case (behaviour A10). */
  readonly provider: string;
  readonly authorization_type: Schemas['AuthorizationType'];
  readonly organization_id?: string;
  readonly user_id?: string;
  /** The account's status, unless a verification request is open or the token has expired. */
  readonly stored_status: 'ACTIVE' | 'PENDING_AUTH' | 'DISCONNECTED';
  readonly token_expires_at?: Moment;
  /** Whether the provider would refresh the token (behaviour A8). */
  readonly refresh: 'grant' | 'deny';
  readonly last_used_at?: Moment;
  readonly updated_at: Moment;
  readonly api_config: Readonly<Record<string, unknown>>;
  readonly authorization_details?: CredentialsRow;
}

/** A key that only one account can have (behaviour A4). It ignores the case of the connector (behaviour I6). */
export const pairKey = (connector: string, identifier: string): string =>
  `${connector.toLowerCase()}/${identifier}`;

/** A one-time authorization link (behaviour V1). */
export interface LinkRow {
  readonly token: string;
  readonly account_id: string;
  readonly state?: string;
  readonly user_verify_url?: string;
  readonly expires_at?: Moment;
  readonly used_at?: Moment;
  /** Id of the verification request that was opened when a user approved the link (behaviour V3). */
  readonly auth_request_id?: string;
}

/** A consent that awaits verification. Verifying the user removes all such rows of the account (behaviour V6). */
export interface VerificationRequestRow {
  readonly auth_request_id: string;
  readonly account_id: string;
  readonly state?: string;
  readonly expires_at?: Moment;
  /** The account gets these tokens when the user is verified; nobody can read them until then (behaviour V3). */
  readonly authorization_details: CredentialsRow;
  readonly token_expires_at?: Moment;
}

/** An entry of the authentication request log (behaviour L1). */
export type AuthLogRow = Omit<Schemas['AuthenticationRequest'], 'timestamp' | 'environment_id'> & {
  readonly auth_request_id: string;
  readonly status: Schemas['AuthenticationRequestStatus'];
  readonly timestamp: Moment;
};

/** All tables, still without rows. */
const TABLES = {
  organizations: createTable({
    id: (row: OrganizationRow) => row.id,
    indexes: { name: (row) => row.name },
  }),
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
