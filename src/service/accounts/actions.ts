/**
 * What a third party can do to an account: let tokens expire, cut off access, or restore it (behaviour A8); and how the
 * console shows accounts.
 */
import { absolute, instantAt, resolve } from '../../engine/core/moment.ts';
import { type Connector, requireConnectorOf, WITH_PAGE } from '../connections.ts';
import type { AccountRow } from '../state.ts';
import type { Env, NounView, RowAction, Told } from '../types.ts';
import { isUsableWith } from './credentials.ts';
import {
  accountChange,
  accountStatus,
  endRequests,
  presentDetails,
  putAccount,
  requireAccount,
  settledStatus,
} from './rules.ts';

/** An action without its step, and the account that it leaves. */
type Move = Told & {
  /** Whether it ends open verification requests, with which the account would stay PENDING_VERIFICATION. */
  readonly endsRequests?: true;
  moved(account: AccountRow, connector: Connector, env: Env): AccountRow;
};

/** None changes `updated_at`, the time of the last new credentials or configuration. */
const MOVES: readonly Move[] = [
  {
    ...{ name: 'expire', label: 'Expire', hint: 'The token ends, and refresh is denied' },
    when: { status: ['ACTIVE', 'PENDING_AUTH', 'PENDING_VERIFICATION', 'DISCONNECTED'] },
    endsRequests: true,
    /** Makes any account EXPIRED, even a disconnected one, until `grant` runs or new credentials are sent. */
    moved: (account, connector, env) => ({
      ...account,
      stored_status: connectedStatus(account, connector),
      token_expires_at: absolute(env.now),
      refresh: 'deny',
    }),
  },
  {
    ...{ name: 'pend', label: 'Back to pending', hint: 'The user must authorize again' },
    when: {
      authorization_type: WITH_PAGE,
      status: ['ACTIVE', 'PENDING_VERIFICATION', 'EXPIRED', 'DISCONNECTED'],
    },
    endsRequests: true,
    moved: ({ authorization_details: _gone, token_expires_at: _end, ...account }) => ({
      ...account,
      stored_status: 'PENDING_AUTH',
      refresh: 'grant',
    }),
  },
  {
    ...{ name: 'grant', label: 'Grant refresh', when: { refresh: ['deny'] } },
    /** If the connector has no refresh, undoes `expire` and `disconnect`. */
    moved: (account, connector, env) => {
      const granted = { ...account, refresh: 'grant' as const };
      if (hasRefresh(connector)) return granted;
      const { token_expires_at: end, ...lasting } = granted;
      const stored_status = connectedStatus(account, connector);
      return env.hasEnded(end) ? { ...lasting, stored_status } : { ...granted, stored_status };
    },
  },
  {
    ...{ name: 'revoke', label: 'Revoke refresh', hint: 'The account ends with its token' },
    when: { refresh: ['grant'] },
    moved: (account) => ({ ...account, refresh: 'deny' }),
  },
  {
    ...{ name: 'disconnect', label: 'Disconnect', hint: 'The provider ends the access', danger: true },
    when: { status: ['ACTIVE', 'PENDING_AUTH', 'PENDING_VERIFICATION', 'EXPIRED'] },
    endsRequests: true,
    moved: (account) => ({ ...account, stored_status: 'DISCONNECTED' }),
  },
];

const hasRefresh = ({ kind }: Connector): boolean =>
  kind.credentials !== undefined && kind.credentials !== 'static_auth';

/** The stored status. If the account is disconnected, the status that its credentials allow instead. */
const connectedStatus = (account: AccountRow, connector: Connector): AccountRow['stored_status'] => {
  if (account.stored_status !== 'DISCONNECTED') return account.stored_status;
  return isUsableWith(account.authorization_details ?? {}, connector) ? 'ACTIVE' : 'PENDING_AUTH';
};

export const accountActions: readonly RowAction[] = MOVES.map(({ moved, endsRequests, ...told }) => ({
  ...told,
  step: (state, { id }, env) => {
    const found = requireAccount(state, { id }, env);
    const account = moved(found, requireConnectorOf(state, found), env);
    const put = putAccount(state, account);
    const next = endsRequests ? endRequests(put, id) : put;
    return {
      reply: presentDetails(next, account, env),
      state: next,
      changes: [accountChange(state, next, id, env)],
    };
  },
}));

export const accountView: NounView<AccountRow> = {
  ...{ label: 'Accounts', group: 'Accounts', name: 'identifier', status: 'status' },
  about: ['connector', 'authorization_type'],
  tones: {
    ...{ ACTIVE: 'good', PENDING_AUTH: 'warn', PENDING_VERIFICATION: 'warn' },
    ...{ EXPIRED: 'bad', DISCONNECTED: 'bad' },
  },
  columns: ['status', 'user_id', 'organization_id', 'token_expires_at', 'last_used_at'],
  fields: [
    { name: 'connector', pick: 'connections', required: true },
    { name: 'identifier', pick: 'users', required: true },
    { name: 'organization_id', label: 'Organization', pick: 'organizations' },
    { name: 'user_id', label: 'User', pick: 'users' },
  ],
  shows: ['authorization_links', 'verification_requests'],
  more: (state, row, at) => ({ status: accountStatus(state, row, at) }),
  end: (_, row, { start }) => {
    const { token_expires_at: at, identifier: of } = row;
    if (at === undefined || row.stored_status !== 'ACTIVE') return undefined;
    const isRefreshed = settledStatus(row, instantAt(resolve(at, start), start)) !== 'EXPIRED';
    return { what: 'token', of, at, isRefreshed };
  },
  present: presentDetails,
};
