/** Connected accounts: the status that follows from row, open requests and clock (behaviour A5-A8). */

import { hasEnded } from '../core/moment.ts';
import type { Schemas } from '../openapi/types.ts';
import { hasOpenRequest } from './authorization.ts';
import { isRefreshable } from './credentials.ts';
import type { Now } from './operation.ts';
import type { AccountRow, CredentialsRow } from './rows.ts';
import type { State } from './state.ts';

/** The status apart from open requests: a token that ended for good makes the account EXPIRED. */
export const settledStatus = (row: AccountRow, env: Now): AccountRow['stored_status'] | 'EXPIRED' =>
  row.stored_status !== 'DISCONNECTED' && hasEnded(row.token_expires_at, env) && !isRefreshable(row)
    ? 'EXPIRED'
    : row.stored_status;

/** The status that every read shows (behaviour A8, V3). */
export const accountStatus = (state: State, row: AccountRow, env: Now): Schemas['ConnectedAccountStatus'] =>
  hasOpenRequest(state, row.id, env) ? 'PENDING_VERIFICATION' : settledStatus(row, env);

/**
 * The inverse: what an account is stored as that reads this status. What is beneath a request or an ended token follows
 * from whether the credentials can be used.
 */
export const storedAccountStatus = (
  status: Schemas['ConnectedAccountStatus'],
  isUsable: boolean,
): AccountRow['stored_status'] => {
  if (status !== 'PENDING_VERIFICATION' && status !== 'EXPIRED') return status;
  return isUsable ? 'ACTIVE' : 'PENDING_AUTH';
};

/** Behaviour A8: an account hands out its credentials once it is ACTIVE, until their token ends for good or it is cut off. */
export const liveCredentials = (row: AccountRow, env: Now): CredentialsRow | undefined =>
  settledStatus(row, env) === 'ACTIVE' ? row.authorization_details : undefined;
