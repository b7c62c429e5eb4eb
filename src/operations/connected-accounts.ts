/** Reads connected accounts: list, search, details and credentials (behaviour A1, A2, A8, A10). */
import { type FieldViolation, Refusal } from '../core/errors.ts';
import { absolute, hasEnded } from '../core/moment.ts';
import { isSequence, isText, isTexts, type Page, readPage, type TokenShape } from '../core/page.ts';
import { type Selection, select } from '../core/selection.ts';
import { rowsBy } from '../core/table.ts';
import { liveCredentials, presentAccount, presentDetails, presentSummary } from '../domain/account.ts';
import { accountUpdated, putAccount } from '../domain/account-changes.ts';
import { containsText, requireAccount } from '../domain/account-lookup.ts';
import { findConnector, unknownConnector } from '../domain/connection.ts';
import { isRefreshable, renewCredentials } from '../domain/credentials.ts';
import type { Env, Operation } from '../domain/operation.ts';
import type { AccountRow } from '../domain/rows.ts';
import type { State } from '../domain/state.ts';
import type { Input, Schemas } from '../openapi/types.ts';

/** The page size of the list if the query has none (behaviour I3). */
const DEFAULT_PAGE_SIZE = 10;

/** Values that are compared ignoring case are in lower case. */
type SearchFilters = { readonly [Name in 'query' | 'connection_id']: string | undefined };
type ListFilters = {
  readonly [Name in 'organization_id' | 'user_id' | 'connector' | 'identifier' | 'provider' | 'query']:
    | string
    | undefined;
} & { readonly connection_names: readonly string[] | undefined };
type AccountFilters = Partial<ListFilters & SearchFilters>;

const LIST: TokenShape<ListFilters> = {
  list: 'listConnectedAccounts',
  filters: {
    organization_id: isText,
    user_id: isText,
    connector: isText,
    connection_names: isTexts,
    identifier: isText,
    provider: isText,
    query: isText,
  },
  isPosition: isSequence,
};

const SEARCH: TokenShape<SearchFilters> = {
  list: 'searchConnectedAccounts',
  filters: { query: isText, connection_id: isText },
  isPosition: isSequence,
};

/**
 * Accounts that meet all filters, oldest first (behaviour A1).
 * @throws Refusal 400 for `connection_names` together with `connector`, or a page token made for other filters; 404
 * for an unknown name in `connection_names`
 */
export const listConnectedAccounts: Operation<'listConnectedAccounts'> = (state, { query }, env) => {
  const page = readPage({
    shape: LIST,
    filters: listFilters(query),
    violations:
      query.connector !== undefined && query.connection_names?.length ? [BOTH_CONNECTOR_FILTERS] : [],
    page_size: query.page_size || DEFAULT_PAGE_SIZE,
    page_token: query.page_token,
    select: (filters) => selectAccounts(state, filters),
  });
  return { status: 200, body: presentPage(state, page, env) };
};

/**
 * Accounts that contain a text, oldest first (behaviour A1).
 * @throws Refusal 400 for a page token made for other filters
 */
export const searchConnectedAccounts: Operation<'searchConnectedAccounts'> = (state, { query }, env) => {
  const page = readPage({
    shape: SEARCH,
    filters: searchFilters(query),
    page_size: query.page_size || DEFAULT_PAGE_SIZE,
    page_token: query.page_token,
    select: (filters) => selectAccounts(state, filters),
  });
  return { status: 200, body: presentPage(state, page, env) };
};

const listFilters = ({
  organization_id,
  user_id,
  identifier,
  provider,
  ...sent
}: Input<'listConnectedAccounts'>['query']): ListFilters => ({
  organization_id,
  user_id,
  identifier,
  provider,
  connector: sent.connector?.toLowerCase(),
  query: sent.query?.toLowerCase(),
  connection_names: readNames(sent.connection_names),
});

const searchFilters = ({
  query,
  connection_id,
}: Input<'searchConnectedAccounts'>['query']): SearchFilters => ({
  query: query.toLowerCase(),
  connection_id,
});

/** Connector names in a normal form, so that a page token fits every spelling and order of them (behaviour I6). */
const readNames = (names: readonly string[] | undefined): readonly string[] | undefined =>
  names?.length ? [...new Set(names.map((name) => name.toLowerCase()))].sort() : undefined;

const selectAccounts = (state: State, filters: AccountFilters): Selection<AccountRow> => {
  const { query } = filters;
  return select(
    state.connected_accounts,
    {
      organization_id: filters.organization_id,
      user_id: filters.user_id,
      identifier: filters.identifier,
      connection_id: connectionsMeant(state, filters),
    },
    query === undefined ? undefined : containsText(query),
  );
};

/**
 * Ids of the connections that match every filter on connections. Accounts are filtered by them, since an account shows
 * the names of its connection (behaviour A10).
 */
const connectionsMeant = (
  state: State,
  { connector, connection_names, provider, connection_id }: AccountFilters,
): readonly string[] | undefined => {
  for (const name of connection_names ?? []) requireConnectorName(state, name);
  const named = (index: 'key_id' | 'provider_key', names: string | readonly string[]) =>
    [names].flat().flatMap((name) => rowsBy(state.connections, index, name).map(({ id }) => id));
  const byConnector = connector ?? connection_names;
  const meant = [
    ...(byConnector === undefined ? [] : [named('key_id', byConnector)]),
    ...(provider === undefined ? [] : [named('provider_key', provider)]),
    ...(connection_id === undefined ? [] : [[connection_id]]),
  ];
  return meant.length === 0
    ? undefined
    : meant.reduce((left, right) => left.filter((id) => right.includes(id)));
};

const requireConnectorName = (state: State, name: string): void => {
  if (findConnector(state, name)) return;
  throw new Refusal('NOT_FOUND', unknownConnector(state, name).description, '', {
    resource: { resource_name: `connection ${name}` },
    rule: 'A1',
  });
};

const BOTH_CONNECTOR_FILTERS: FieldViolation = {
  field: 'connection_names',
  constraint: 'not',
  description:
    'connection_names and connector were both sent. Send one of them; connection_names takes several names.',
};

const presentPage = (
  state: State,
  { rows, next_page_token, prev_page_token, total_size }: Page<AccountRow>,
  env: Env,
): Schemas['ConnectedAccountList'] => ({
  connected_accounts: rows.map((row) => presentSummary(state, row, env)),
  next_page_token,
  prev_page_token,
  total_size,
});

/**
 * The details of an account.
 * @throws Refusal 400 if the query names no account, 404 for an unknown account (behaviour A2)
 */
export const getConnectedAccountDetails: Operation<'getConnectedAccountDetails'> = (
  state,
  { query },
  env,
) => ({
  status: 200,
  body: { connected_account: presentDetails(state, requireAccount(state, query), env) },
});

/**
 * Refreshes an expired token, if the provider allows it, and sets `last_used_at` if the reply has credentials
 * (behaviour A8).
 * @throws Refusal 400 if the query names no account, 404 for an unknown account (behaviour A2)
 */
export const getConnectedAccountAuth: Operation<'getConnectedAccountAuth'> = (state, { query }, env) => {
  const found = requireAccount(state, query);
  const account = markUsed(refreshEnded(found, env), env);
  const body = { connected_account: presentAccount(state, account, env) };
  if (account === found) return { status: 200, body };
  const next = putAccount(state, account);
  const change = accountUpdated({ state, account: found }, { state: next, account }, env);
  return { status: 200, body, state: next, changes: [change] };
};

const refreshEnded = (account: AccountRow, env: Env): AccountRow => {
  const { stored_status, authorization_details, token_expires_at } = account;
  const isDue = stored_status === 'ACTIVE' && hasEnded(token_expires_at, env) && isRefreshable(account);
  if (!isDue || !authorization_details) return account;
  return { ...account, ...renewCredentials(authorization_details, env), updated_at: absolute(env.now) };
};

const markUsed = (account: AccountRow, env: Env): AccountRow => {
  const last_used_at = absolute(env.now);
  if (!liveCredentials(account, env) || account.last_used_at === last_used_at) return account;
  return { ...account, last_used_at };
};
