/** What a third party can do to an account: let tokens expire, cut off access, or restore it (behaviour A8). */

import { absolute } from '../../engine/core/moment.ts';
import { type Connector, requireConnectorOf } from '../connections/rules.ts';
import type { Schemas } from '../contract.ts';
import type { Env, Simulation } from '../operation.ts';
import type { AccountRow } from '../rows.ts';
import { isUsableWith } from './credentials.ts';
import { accountChange, endRequests, presentDetails, putAccount, requireAccount } from './rules.ts';

type AccountMove = (account: AccountRow, connector: Connector, env: Env) => AccountRow;

/** The actions by name. None changes `updated_at`, the time of the last new credentials or configuration. */
const MOVES = {
  /** Makes any account EXPIRED, even a disconnected one, until `grant` runs or new credentials are sent. */
  expire: (account, connector, env) => ({
    ...account,
    stored_status: connectedStatus(account, connector),
    token_expires_at: absolute(env.now),
    refresh: 'deny',
  }),
  disconnect: (account) => ({ ...account, stored_status: 'DISCONNECTED' }),
  /** Takes the account back to PENDING_AUTH, without credentials. */
  pend: ({ authorization_details: _gone, token_expires_at: _end, ...account }) => ({
    ...account,
    stored_status: 'PENDING_AUTH',
    refresh: 'grant',
  }),
  /** Stops the provider from refreshing the token, which stays valid until it expires. */
  revoke: (account) => ({ ...account, refresh: 'deny' }),
  /** Lets the provider refresh the token. If the connector has no refresh, undoes `expire` and `disconnect`. */
  grant: (account, connector, env) => {
    const granted = { ...account, refresh: 'grant' as const };
    if (hasRefresh(connector)) return granted;
    const { token_expires_at: end, ...lasting } = granted;
    const stored_status = connectedStatus(account, connector);
    return env.hasEnded(end) ? { ...lasting, stored_status } : { ...granted, stored_status };
  },
} as const satisfies Readonly<Record<string, AccountMove>>;

/** The actions that end open verification requests, with which the account would stay PENDING_VERIFICATION. */
const ENDING: ReadonlySet<keyof typeof MOVES> = new Set(['expire', 'disconnect', 'pend']);

const hasRefresh = ({ kind }: Connector): boolean =>
  kind.credentials !== undefined && kind.credentials !== 'static_auth';

/** The stored status. If the account is disconnected, the status that its credentials allow instead. */
const connectedStatus = (account: AccountRow, connector: Connector): AccountRow['stored_status'] => {
  if (account.stored_status !== 'DISCONNECTED') return account.stored_status;
  return isUsableWith(account.authorization_details ?? {}, connector) ? 'ACTIVE' : 'PENDING_AUTH';
};

/** @throws Refusal 404 for an unknown id */
export const actOnAccount: Simulation<
  { readonly id: string; readonly action: keyof typeof MOVES },
  Schemas['ConnectedAccountDetails']
> = (state, { id, action }, env) => {
  const found = requireAccount(state, { id }, env);
  const move: AccountMove = MOVES[action];
  const account = move(found, requireConnectorOf(state, found), env);
  const put = putAccount(state, account);
  const next = ENDING.has(action) ? endRequests(put, account.id) : put;
  return {
    reply: presentDetails(next, account, env),
    state: next,
    changes: [accountChange(state, next, id, env)],
  };
};
