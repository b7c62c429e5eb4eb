/** Authorization links, and the requests that a user's consent opens until they are verified (behaviour V1-V6). */

import { hasEnded } from '../core/moment.ts';
import { removeRow, rowsBy } from '../core/table.ts';
import type { Env, Now } from './operation.ts';
import type { State } from './state.ts';

/** While an open request exists, the account shows PENDING_VERIFICATION (behaviour V3). */
export const hasOpenRequest = (state: State, accountId: string, env: Now): boolean => {
  const requests = state.verification_requests;
  if (requests.rows.size === 0) return false; // most environments have no requests, so this is faster
  return rowsBy(requests, 'account_id', accountId).some(({ expires_at }) => !hasEnded(expires_at, env));
};

/** Removes all verification requests of the account (behaviour V6). */
export const endRequests = (state: State, accountId: string): State => {
  const requests = rowsBy(state.verification_requests, 'account_id', accountId);
  if (requests.length === 0) return state;
  const verification_requests = requests.reduce(
    (table, { auth_request_id }) => removeRow(table, auth_request_id),
    state.verification_requests,
  );
  return { ...state, verification_requests };
};

/** Removes the links of a deleted account, so that their pages answer 404 (behaviour A9). */
export const removeLinks = (state: State, accountId: string): State => {
  const links = rowsBy(state.authorization_links, 'account_id', accountId);
  const authorization_links = links.reduce(
    (table, { token }) => removeRow(table, token),
    state.authorization_links,
  );
  return { ...state, authorization_links };
};

/** The page shown after a success. */
export const successUrl = ({ baseUrl }: Pick<Env, 'baseUrl'>): string => `${baseUrl}/connect/success`;
