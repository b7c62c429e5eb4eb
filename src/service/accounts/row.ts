/** Connected accounts and their credentials, as their table holds them. */
import type { Moment } from '../../engine/core/moment.ts';
import { createTable } from '../../engine/core/table.ts';
import type { Schemas } from '../contract.ts';

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

/** Every index slows down every write, so searches by connector or provider use the index on `connection_id`. */
export const connected_accounts = createTable({
  id: (row: AccountRow) => row.id,
  indexes: {
    organization_id: (row) => row.organization_id,
    user_id: (row) => row.user_id,
    identifier: (row) => row.identifier,
    connection_id: (row) => row.connection_id,
    pair: ({ connector, identifier }) => pairKey(connector, identifier),
  },
});
