/**
 * The operations on connected accounts (behaviour A1-A10), what a third party can do to an account (behaviour A8), and how
 * the console shows accounts.
 */
import { isDeepStrictEqual } from 'node:util';
import { notFound, refuse } from '../../engine/core/errors.ts';
import { absolute, instantAt, resolve } from '../../engine/core/moment.ts';
import { hasMembers } from '../../engine/core/object.ts';
import { type Page, readPage } from '../../engine/core/page.ts';
import { rowsBy, type Selection, select } from '../../engine/core/table.ts';
import {
  type Connector,
  findConnector,
  requireConnector,
  requireConnectorOf,
  requireUsable,
  unknownConnector,
  WITH_PAGE,
} from '../connections.ts';
import type { InputFor } from '../contract.ts';
import type { AccountRow, CredentialsRow, State } from '../state.ts';
import type { Env, NounView, Operation, RowAction, Told } from '../types.ts';
import {
  completeCredentials,
  isRefreshable,
  isUsableWith,
  mergeCredentials,
  readCredentials,
  renewCredentials,
  unfitCredentials,
} from './credentials.ts';
import {
  accountEffects,
  accountStatus,
  endRequests,
  liveCredentials,
  openAccount,
  presentAccount,
  presentDetails,
  presentSummary,
  putAccount,
  removeAccount,
  requireAccount,
  settledStatus,
  withCredentials,
} from './rules.ts';

/** Accounts that match all filters, oldest first (behaviour A1). */
export const listConnectedAccounts: Operation<'listConnectedAccounts'> = (state, { query }, env) => {
  const { organization_id, user_id, identifier, provider, connector, connection_names: names = [] } = query;
  const page = readPage({
    list: 'listConnectedAccounts',
    // A page token stays valid if a request sends these filters in another letter case or order (behaviour I6).
    filters: {
      organization_id,
      user_id,
      identifier,
      provider,
      connector: connector?.toLowerCase(),
      query: query.query?.toLowerCase(),
      connection_names: [...new Set(names.map((name) => name.toLowerCase()))].sort(),
    },
    violations: connector !== undefined && names.length > 0 ? [BOTH_FILTERS] : [],
    select: (filters) => selectAccounts(state, filters),
    ...query,
  });
  return { status: 200, body: presentPage(state, page, env) };
};

const BOTH_SENT =
  'connection_names and connector were both sent. Send one of them; connection_names accepts several names.';
const BOTH_FILTERS = { field: 'connection_names', constraint: 'not', rule: 'A1', description: BOTH_SENT };

/** Accounts that contain the search text, oldest first (behaviour A1). */
export const searchConnectedAccounts: Operation<'searchConnectedAccounts'> = (state, { query }, env) => {
  const page = readPage({
    list: 'searchConnectedAccounts',
    filters: { query: query.query.toLowerCase(), connection_id: query.connection_id },
    select: (filters) => selectAccounts(state, filters),
    ...query,
  });
  return { status: 200, body: presentPage(state, page, env) };
};

/** `connector`, `connection_names` and `query` ignore letter case, so their values are in lower case here. */
type Filters = { readonly [Name in keyof Query]?: Query[Name] | undefined };
type Query = InputFor<'listConnectedAccounts'>['query'] & InputFor<'searchConnectedAccounts'>['query'];

const selectAccounts = (state: State, filters: Filters): Selection<AccountRow> => {
  const { organization_id, user_id, identifier, query } = filters;
  const where = { organization_id, user_id, identifier, connection_id: connectionIds(state, filters) };
  return select(state.connected_accounts, where, query === undefined ? undefined : containsText(query));
};

/** Whether identifier, provider or connector contains the text, ignoring case. @param text in lower case */
const containsText = (text: string) => {
  const contains = (value: string): boolean => value.toLowerCase().includes(text);
  return ({ identifier, provider, connector }: AccountRow): boolean =>
    contains(identifier) || contains(provider) || contains(connector);
};

/** Ids of the connections that match all filters on connections; undefined without such filters. */
const connectionIds = (
  state: State,
  { connector, connection_names = [], provider, connection_id }: Filters,
): readonly string[] | undefined => {
  for (const name of connection_names)
    if (!findConnector(state, name))
      throw notFound(`connector ${name}`, unknownConnector(state, name).description, 'A1');
  const idsOf = (index: 'key_id' | 'provider_key', names: readonly string[]) =>
    names.flatMap((name) => rowsBy(state.connections, index, name).map(({ id }) => id));
  const matches = [
    ...(connector === undefined ? [] : [idsOf('key_id', [connector])]),
    ...(connection_names.length === 0 ? [] : [idsOf('key_id', connection_names)]),
    ...(provider === undefined ? [] : [idsOf('provider_key', [provider])]),
    ...(connection_id === undefined ? [] : [[connection_id]]),
  ];
  const [first, ...others] = matches;
  return first?.filter((id) => others.every((ids) => ids.includes(id)));
};

const presentPage = (state: State, { rows, ...page }: Page<AccountRow>, env: Env) => ({
  connected_accounts: rows.map((row) => presentSummary(state, row, env)),
  ...page,
});

export const getConnectedAccountDetails: Operation<'getConnectedAccountDetails'> = (state, input, env) => {
  const account = requireAccount(state, input.query, env);
  return { status: 200, body: { connected_account: presentDetails(state, account, env) } };
};

/** Refreshes an expired token if the provider allows this, and records the use of the credentials (behaviour A8). */
export const getConnectedAccountAuth: Operation<'getConnectedAccountAuth'> = (state, { query }, env) => {
  const found = requireAccount(state, query, env);
  const account = markUsed(refreshEnded(found, env), env);
  const body = { connected_account: presentAccount(state, account, env) };
  if (account === found) return { status: 200, body };
  return { status: 200, body, ...accountEffects(state, putAccount(state, account), account.id, env) };
};

const refreshEnded = (account: AccountRow, env: Env): AccountRow => {
  const { stored_status, authorization_details, token_expires_at } = account;
  const isDue = stored_status === 'ACTIVE' && env.hasEnded(token_expires_at) && isRefreshable(account);
  if (!isDue || !authorization_details) return account;
  return { ...account, ...renewCredentials(authorization_details, env), updated_at: absolute(env.now) };
};

const markUsed = (account: AccountRow, env: Env): AccountRow => {
  const last_used_at = absolute(env.now);
  const isSame = isDeepStrictEqual(account.last_used_at, last_used_at);
  return isSame || !liveCredentials(account, env) ? account : { ...account, last_used_at };
};

/** Creates an account, which is ACTIVE if the sent credentials are enough to use it (behaviour A3-A6). */
export const createConnectedAccount: Operation<'createConnectedAccount'> = (state, { body }, env) => {
  const connector = requireConnector(state, body.connector);
  const sent = requireFit(body, connector);
  requireUsable(connector.connection);
  const account: AccountRow = {
    ...openAccount(state, connector, body, env),
    api_config: body.connected_account?.api_config ?? {},
    ...firstCredentials(sent, connector, env),
  };
  const next = putAccount(state, account);
  return {
    status: 201,
    body: { connected_account: presentAccount(next, account, env) },
    ...accountEffects(state, next, account.id, env),
  };
};

/** The credentials in a body. @throws Refusal 400 if the connector does not accept their kind (behaviour A5) */
const requireFit = (
  { connected_account }: Pick<InputFor<'updateConnectedAccount'>['body'], 'connected_account'>,
  connector: Connector,
) => {
  const sent = readCredentials(connected_account?.authorization_details);
  refuse(
    unfitCredentials(sent, connector).map(({ name, words }) => {
      const field = `connected_account.authorization_details.${name}`;
      return { field, constraint: 'authorization_details', rule: 'A5', description: `${field} ${words}.` };
    }),
  );
  return sent;
};

/** The status and credentials that a new account gets (behaviour A6). */
const firstCredentials = (sent: CredentialsRow, connector: Connector, env: Env): Partial<AccountRow> => {
  if (isUsableWith(sent, connector))
    return { stored_status: 'ACTIVE', ...completeCredentials(sent, connector, env) };
  return hasMembers(sent) ? { authorization_details: sent } : {};
};

/** Changes only what was sent; merges the top level of `api_config` (behaviour A7). */
export const updateConnectedAccount: Operation<'updateConnectedAccount'> = (state, { body }, env) => {
  const found = requireAccount(state, body, env);
  const connector = requireConnectorOf(state, found);
  const sent = requireFit(body, connector);
  const api_config = { ...found.api_config, ...body.connected_account?.api_config };
  const isActive = accountStatus(state, found, env) === 'ACTIVE';
  const changed = withSentCredentials({ ...found, api_config }, sent, connector, isActive, env);
  const isSame = isDeepStrictEqual({ ...changed, updated_at: found.updated_at }, found);
  const account = isSame ? found : { ...changed, updated_at: absolute(env.now) };
  const put = isSame ? state : putAccount(state, account);
  const next = revives(found, sent, connector, env) ? endRequests(put, account.id) : put;
  const answer = { status: 200 as const, body: { connected_account: presentAccount(next, account, env) } };
  if (next === state) return answer;
  return { ...answer, ...accountEffects(state, next, account.id, env) };
};

/**
 * Whether the sent credentials make the account ACTIVE. Usable credentials always do; a refresh token alone does so
 * only for an EXPIRED or DISCONNECTED account (behaviour A7).
 */
const revives = (account: AccountRow, sent: CredentialsRow, connector: Connector, env: Env): boolean => {
  if (!hasMembers(sent)) return false;
  if (isUsableWith(sent, connector)) return true;
  const status = settledStatus(account, env);
  return Boolean(sent.oauth_token?.refresh_token) && (status === 'EXPIRED' || status === 'DISCONNECTED');
};

/** Adds the sent credentials. While the account is ACTIVE, the same credentials again change nothing (A7, A8). */
const withSentCredentials = (
  account: AccountRow,
  sent: CredentialsRow,
  connector: Connector,
  isActive: boolean,
  env: Env,
): AccountRow => {
  if (!hasMembers(sent)) return account;
  const stored = account.authorization_details ?? {};
  const merged = mergeCredentials(stored, sent);
  if (isActive && isDeepStrictEqual(merged, stored)) return account;
  if (isUsableWith(sent, connector))
    return withCredentials(account, completeCredentials(merged, connector, env), env);
  // If only a refresh token was sent, the access token counts as expired, so that `/auth` issues a new one.
  if (revives(account, sent, connector, env)) {
    const ended = { authorization_details: merged, token_expires_at: absolute(env.now) };
    return withCredentials(account, ended, env);
  }
  const refresh = sent.oauth_token?.refresh_token ? 'grant' : account.refresh;
  return { ...account, authorization_details: merged, refresh };
};

/** Deletes the account with its credentials, links and verification requests (behaviour A9). */
export const deleteConnectedAccount: Operation<'deleteConnectedAccount'> = (state, { body }, env) => {
  const { id } = requireAccount(state, body, env);
  return { status: 200, body: {}, ...accountEffects(state, removeAccount(state, id), id, env) };
};

/** An action without its step, and the account that it leaves. */
type Move = Told & {
  /** Whether it ends open verification requests, with which the account would stay PENDING_VERIFICATION. */
  readonly endsRequests?: true;
  moved(account: AccountRow, connector: Connector, env: Env): AccountRow;
};

/** None changes `updated_at`, the time of the last new credentials or configuration. */
const MOVES: readonly Move[] = [
  {
    name: 'expire',
    hint: 'The token ends, and refresh is denied',
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
    name: 'pend',
    label: 'Back to pending',
    hint: 'The user must authorize again',
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
    name: 'grant',
    label: 'Grant refresh',
    when: { refresh: ['deny'] },
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
    name: 'revoke',
    label: 'Revoke refresh',
    hint: 'The account ends with its token',
    when: { refresh: ['grant'] },
    moved: (account) => ({ ...account, refresh: 'deny' }),
  },
  {
    name: 'disconnect',
    hint: 'The provider ends the access',
    danger: true,
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
    return { reply: presentDetails(next, account, env), ...accountEffects(state, next, id, env) };
  },
}));

export const accountView: NounView<AccountRow> = {
  label: 'Accounts',
  group: 'Accounts',
  name: 'identifier',
  status: 'status',
  about: ['connector', 'authorization_type'],
  tones: {
    ACTIVE: 'good',
    PENDING_AUTH: 'warn',
    PENDING_VERIFICATION: 'warn',
    EXPIRED: 'bad',
    DISCONNECTED: 'bad',
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
