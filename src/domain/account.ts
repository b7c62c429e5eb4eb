/**
 * Connected accounts: how row, open requests and clock decide their status, and how the contract shows them
 * (behaviour A1, A5-A10).
 */
import { hasEnded, wireTime } from '../core/moment.ts';
import type { Schemas } from '../openapi/types.ts';
import { hasOpenRequest } from './authorization.ts';
import { isRefreshable, pick } from './credentials.ts';
import type { Env, Now } from './operation.ts';
import type { AccountRow, CredentialsRow } from './rows.ts';
import type { State } from './state.ts';

/** The status without regard to open requests: EXPIRED once the token has expired and cannot be refreshed. */
export const settledStatus = (row: AccountRow, env: Now): AccountRow['stored_status'] | 'EXPIRED' =>
  row.stored_status !== 'DISCONNECTED' && hasEnded(row.token_expires_at, env) && !isRefreshable(row)
    ? 'EXPIRED'
    : row.stored_status;

/** The status that every read shows (behaviour A8, V3). */
export const accountStatus = (state: State, row: AccountRow, env: Now): Schemas['ConnectedAccountStatus'] =>
  hasOpenRequest(state, row.id, env) ? 'PENDING_VERIFICATION' : settledStatus(row, env);

/**
 * The inverse of `accountStatus`: the status to store so that it shows the given one. For PENDING_VERIFICATION and EXPIRED, it depends on
 * whether the credentials are usable.
 */
export const storedAccountStatus = (
  status: Schemas['ConnectedAccountStatus'],
  isUsable: boolean,
): AccountRow['stored_status'] => {
  if (status !== 'PENDING_VERIFICATION' && status !== 'EXPIRED') return status;
  return isUsable ? 'ACTIVE' : 'PENDING_AUTH';
};

/**
 * The credentials of an account, unless it was never active, its token has expired for good, or it was disconnected
 * (behaviour A8).
 */
export const liveCredentials = (row: AccountRow, env: Now): CredentialsRow | undefined =>
  settledStatus(row, env) === 'ACTIVE' ? row.authorization_details : undefined;

/** The ten fields of an account in a list (behaviour A1). Copies only these, since lists show many accounts. */
export const presentSummary = (
  state: State,
  row: AccountRow,
  env: Env,
): Schemas['ConnectedAccountSummary'] => {
  const summary: Schemas['ConnectedAccountSummary'] = {
    id: row.id,
    connection_id: row.connection_id,
    connector: row.connector,
    identifier: row.identifier,
    provider: row.provider,
    authorization_type: row.authorization_type,
    status: accountStatus(state, row, env),
    updated_at: wireTime(row.updated_at, env),
  };
  if (row.token_expires_at !== undefined) summary.token_expires_at = wireTime(row.token_expires_at, env);
  if (row.last_used_at !== undefined) summary.last_used_at = wireTime(row.last_used_at, env);
  return summary;
};

/** Shows every member except the credentials (behaviour A10). */
export const presentDetails = (state: State, row: AccountRow, env: Env): Schemas['ConnectedAccountDetails'] =>
  Object.assign(presentSummary(state, row, env), { api_config: row.api_config });

/** Shows every member, with the credentials that `liveCredentials` gives (behaviour A8). */
export const presentAccount = (state: State, row: AccountRow, env: Env): Schemas['ConnectedAccount'] => {
  const details: Schemas['ConnectedAccount'] = presentDetails(state, row, env);
  const authorization_details = presentCredentials(row, env);
  if (authorization_details) details.authorization_details = authorization_details;
  return details;
};

/** Copies members by name, so that no other can ever be shown (behaviour A5). */
const presentCredentials = (row: AccountRow, env: Env): Schemas['AuthorizationDetails'] | undefined => {
  const { oauth_token, static_auth, vendorb_dwd, trusted_idp } = liveCredentials(row, env) ?? {};
  if (oauth_token) return { oauth_token };
  if (static_auth) return { static_auth };
  const end = row.token_expires_at && wireTime(row.token_expires_at, env);
  if (vendorb_dwd) {
    const shown = pick(vendorb_dwd, ['subject', 'access_token', 'scopes']);
    return { vendorb_dwd: { ...shown, ...(end && { token_expires_at: end }) } };
  }
  if (trusted_idp) {
    const shown = pick(trusted_idp, ['db_user', 'access_key_id']);
    return { trusted_idp: { ...shown, ...(end && { expiry: end }) } };
  }
  return undefined;
};
