/** Accounts as the contract shows them: in lists, without credentials, and with those that are live (behaviour A1, A10). */

import type { Schemas } from '../openapi/types.ts';
import { accountStatus, liveCredentials } from './account.ts';
import { pick } from './credentials.ts';
import type { Env } from './operation.ts';
import type { AccountRow } from './rows.ts';
import type { State } from './state.ts';
import { wireTime } from './wire.ts';

/** The document's ten fields (behaviour A1). Every list shows many of them, so nothing is copied that is not shown. */
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

/** Every member but the credentials (behaviour A10). */
export const presentDetails = (state: State, row: AccountRow, env: Env): Schemas['ConnectedAccountDetails'] =>
  Object.assign(presentSummary(state, row, env), { api_config: row.api_config });

/** Every member, with the credentials that are live (behaviour A8). */
export const presentAccount = (state: State, row: AccountRow, env: Env): Schemas['ConnectedAccount'] => {
  const details: Schemas['ConnectedAccount'] = presentDetails(state, row, env);
  const authorization_details = presentCredentials(row, env);
  if (authorization_details) details.authorization_details = authorization_details;
  return details;
};

/** Lists the members of minted credentials by name, so that nothing else can ever come out (behaviour A5). */
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
