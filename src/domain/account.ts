/** Connected accounts: their rows, and the status that follows from row, open requests and clock (behaviour A5-A8). */

import { hasEnded, type Moment } from '../core/moment.ts';
import type { TableSpec } from '../core/table.ts';
import type { Schemas } from '../openapi/types.ts';
import { hasOpenRequest } from './authorization.ts';
import { isRefreshable } from './credentials.ts';
import type { Env } from './operation.ts';
import type { State } from './state.ts';

/**
 * The kinds of credentials; an account holds at most one (behaviour A5). When those that the server mints end is the
 * account's `token_expires_at` alone. The secret parts of temporary database keys do not exist here at all.
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
  /** The connection's key_id, as written there (behaviour I6). */
  readonly connector: string;
  readonly identifier: string;
  /** The connection's provider_key in upper case (behaviour A10). */
  readonly provider: string;
  readonly authorization_type: Schemas['AuthorizationType'];
  readonly organization_id?: string;
  readonly user_id?: string;
  /** What the account is when no request is open and no token has ended; the clock decides the rest. */
  readonly standing: 'ACTIVE' | 'PENDING_AUTH' | 'DISCONNECTED';
  readonly token_expires_at?: Moment;
  /** Whether the provider would still refresh (behaviour A8). */
  readonly refresh: 'grant' | 'deny';
  readonly last_used_at?: Moment;
  readonly updated_at: Moment;
  readonly api_config: Readonly<Record<string, unknown>>;
  readonly authorization_details?: CredentialsRow;
}

export type AccountIndex = 'organization_id' | 'user_id' | 'identifier' | 'connection_id';

/** Every index is paid for by every write, so what another one leads to has none: connector, provider, pair. */
export const ACCOUNTS: TableSpec<AccountRow, AccountIndex> = {
  id: (row) => row.id,
  indexes: {
    organization_id: (row) => row.organization_id,
    user_id: (row) => row.user_id,
    identifier: (row) => row.identifier,
    connection_id: (row) => row.connection_id,
  },
};

type Now = Pick<Env, 'now' | 'start'>;

/** What the account is, whatever request is open beside it: a token that ended for good makes it EXPIRED. */
export const settledStatus = (row: AccountRow, env: Now): AccountRow['standing'] | 'EXPIRED' =>
  row.standing !== 'DISCONNECTED' && hasEnded(row.token_expires_at, env) && !isRefreshable(row)
    ? 'EXPIRED'
    : row.standing;

/** The status that every read shows (behaviour A8, V3). */
export const accountStatus = (state: State, row: AccountRow, env: Now): Schemas['ConnectedAccountStatus'] =>
  hasOpenRequest(state, row.id, env) ? 'PENDING_VERIFICATION' : settledStatus(row, env);

/** Behaviour A8: credentials are handed out until their token ends for good or the account is cut off. */
export const liveCredentials = (row: AccountRow, env: Now): CredentialsRow | undefined => {
  const status = settledStatus(row, env);
  return status === 'EXPIRED' || status === 'DISCONNECTED' ? undefined : row.authorization_details;
};
