/** What a third party does to an account by itself: tokens expire, access is cut off or given back (behaviour A8). */

import { absolute } from '../core/moment.ts';
import { accountUpdated, putAccount } from '../domain/account-changes.ts';
import { requireAccount } from '../domain/account-lookup.ts';
import { presentDetails } from '../domain/account-view.ts';
import { type Connector, requireConnectorOf } from '../domain/connector.ts';
import { isUsableWith } from '../domain/credentials.ts';
import type { Env, Simulation } from '../domain/operation.ts';
import type { AccountRow } from '../domain/rows.ts';
import type { Schemas } from '../openapi/types.ts';

type Move = (account: AccountRow, connector: Connector, env: Env) => AccountRow;

/** The actions by name. None of them touches `updated_at`, which is for credentials and configuration. */
const MOVES = {
  /**
   * EXPIRED now, whatever the kind, until refresh is granted again or credentials come. A disconnected account is
   * connected first. While an authorization request is open, PENDING_VERIFICATION still covers it (behaviour V3).
   */
  expire: (account, connector, env) => ({
    ...account,
    stored_status:
      account.stored_status === 'DISCONNECTED' ? reconnected(account, connector) : account.stored_status,
    token_expires_at: absolute(env.now),
    refresh: 'deny',
  }),
  disconnect: (account) => ({ ...account, stored_status: 'DISCONNECTED' }),
  /** The provider will refresh no more; the token lasts to its end. */
  revoke: (account) => ({ ...account, refresh: 'deny' }),
  grant: (account) => ({ ...account, refresh: 'grant' }),
} as const satisfies Readonly<Record<string, Move>>;

const reconnected = (account: AccountRow, connector: Connector): AccountRow['stored_status'] =>
  isUsableWith(account.authorization_details ?? {}, connector) ? 'ACTIVE' : 'PENDING_AUTH';

export type AccountAction = keyof typeof MOVES;

export const ACCOUNT_ACTIONS = Object.keys(MOVES) as readonly AccountAction[]; // the keys of a literal are known

/**
 * Does one of the actions to an account; answers it without its credentials.
 * @throws ApiError 404 for an unknown id
 */
export const actOnAccount: Simulation<
  { readonly id: string; readonly action: AccountAction },
  Schemas['ConnectedAccountDetails']
> = (state, { id, action }, env) => {
  const found = requireAccount(state, { id });
  const move: Move = MOVES[action];
  const account = move(found, requireConnectorOf(state, found), env);
  const next = putAccount(state, account);
  return {
    reply: presentDetails(next, account, env),
    state: next,
    changes: [accountUpdated({ state, account: found }, { state: next, account }, env)],
  };
};
