/**
 * Connected accounts: how requests refer to them, what status they have, how replies show them, and how they change
 * (behaviour A1-A10).
 */
import { type FieldViolation, notFound, Refusal, refuse } from '../../engine/core/errors.ts';
import { absolute, type Instant, wireTime } from '../../engine/core/moment.ts';
import { defined } from '../../engine/core/object.ts';
import { getRow, putRow, removeRow, rowsBy, type Table } from '../../engine/core/table.ts';
import { cut } from '../../engine/core/text.ts';
import { described, TEXT } from '../../engine/scenario/schema.ts';
import type { RowReference } from '../../engine/scenario/section.ts';
import { CONNECTION, type Connector } from '../connections.ts';
import type { InputFor, Schemas } from '../contract.ts';
import { type AccountRow, type CredentialsRow, pairKey, type State } from '../state.ts';
import type { Env, ServiceChange } from '../types.ts';
import { isRefreshable, type LiveCredentials, mergeCredentials } from './credentials.ts';

/** How a request refers to an account: by id, or by connector and identifier. If an owner is sent, it must be the account's. */
export type AccountAddress = InputFor<'getConnectedAccountDetails'>['query'];

/** Reports the missing field of an incomplete address (behaviour A2). */
export const addressViolations = ({ id, connector, identifier }: AccountAddress): FieldViolation[] => {
  if (id !== undefined || (connector !== undefined && identifier !== undefined)) return [];
  if (connector !== undefined) return [missing('identifier', 'connector was sent without identifier.')];
  if (identifier !== undefined) return [missing('connector', 'identifier was sent without connector.')];
  return [missing('id', 'The request does not say which account it means.')];
};

const missing = (field: string, what: string): FieldViolation => {
  const description = `${what} Send id, or connector and identifier.`;
  return { field, constraint: 'required', rule: 'A2', description };
};

/** The account with this connector and identifier, if there is one; two cannot exist (behaviour A4). */
export const findByPair = (state: State, connector: string, identifier: string): AccountRow | undefined =>
  rowsBy(state.connected_accounts, 'pair', pairKey(connector, identifier))[0];

export const ACCOUNT: RowReference<AccountRow, State> = {
  kind: 'connected_accounts',
  noun: 'account',
  schema: described(TEXT, 'The account, by id or as connector/identifier.'),
  keyOf: ({ connector, identifier }) => `${connector}/${identifier}`,
  /** Splits `mail/ada@acme.test` at the first slash: an identifier can contain slashes, a connector cannot. */
  find: (state, text) => {
    const [connector = '', ...identifier] = text.split('/');
    const key = CONNECTION.find(state, connector)?.key_id ?? connector;
    return getRow(state.connected_accounts, text) ?? findByPair(state, key, identifier.join('/'));
  },
};

/** @throws Refusal 400 if the address is incomplete, 404 if no account matches it (behaviour A2) */
export const requireAccount = (state: State, address: AccountAddress, env: Env): AccountRow => {
  refuse(addressViolations(address));
  const { id, connector = '', identifier = '' } = address;
  const account =
    id === undefined ? findByPair(state, connector, identifier) : getRow(state.connected_accounts, id);
  const owners = (['organization_id', 'user_id'] as const).filter((name) => address[name] !== undefined);
  if (account && owners.every((name) => account[name] === address[name])) {
    if (id !== undefined) warnOfPair(account, address, env);
    return account;
  }
  const named = id ?? `${connector} of ${identifier}`;
  const isMail = identifier.includes(' ') && identifier.includes('@');
  const advice = isMail ? ' In a query, + is a space; write %2B for a +.' : '';
  throw notFound(
    `connected_account ${named}${owners.map((name) => ` with ${name} ${address[name]}`).join('')}`,
    `GET /api/v1/connected_accounts lists all accounts.${advice}`,
    'A2',
  );
};

/** Warns if a connector or identifier beside the id is not the account's, since the id alone counts (behaviour A2). */
const warnOfPair = (account: AccountRow, address: AccountAddress, env: Env): void => {
  const warn = (name: 'connector' | 'identifier', sent: string): void =>
    env.warn(
      `${name} was ignored: the request has the id ${account.id}, whose ${name} is ${JSON.stringify(account[name])}, not ${JSON.stringify(cut(sent))}.`,
    );
  const { connector = account.connector, identifier = account.identifier } = address;
  if (connector.toLowerCase() !== account.connector.toLowerCase()) warn('connector', connector);
  if (identifier !== account.identifier) warn('identifier', identifier);
};

type Status = Schemas['ConnectedAccountStatus'];

/** The account's status, ignoring verification requests. */
export const settledStatus = (row: AccountRow, env: Instant): AccountRow['stored_status'] | 'EXPIRED' =>
  row.stored_status !== 'DISCONNECTED' && env.hasEnded(row.token_expires_at) && !isRefreshable(row)
    ? 'EXPIRED'
    : row.stored_status;

/** Whether the account has an open verification request, and is therefore PENDING_VERIFICATION (behaviour V3). */
export const hasOpenRequest = (state: State, accountId: string, env: Instant): boolean => {
  const requests = state.verification_requests;
  if (requests.rows.size === 0) return false; // a shortcut, since most environments have no verification requests
  return rowsBy(requests, 'account_id', accountId).some(({ expires_at }) => !env.hasEnded(expires_at));
};

/** The account's status in replies (behaviour A8, V3). */
export const accountStatus = (state: State, row: AccountRow, env: Instant): Status =>
  hasOpenRequest(state, row.id, env) ? 'PENDING_VERIFICATION' : settledStatus(row, env);

/** The credentials that `/auth` returns; undefined unless `settledStatus` is ACTIVE (behaviour A8). */
export const liveCredentials = (row: AccountRow, env: Instant): CredentialsRow | undefined =>
  settledStatus(row, env) === 'ACTIVE' ? row.authorization_details : undefined;

/** The ten fields of an account in a list (behaviour A1). */
export const presentSummary = (state: State, row: AccountRow, env: Env) => {
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

/** An account for a reply, with all fields except the credentials (behaviour A10). */
export const presentDetails = (state: State, row: AccountRow, env: Env): Schemas['ConnectedAccountDetails'] =>
  Object.assign(presentSummary(state, row, env), { api_config: row.api_config });

/** An account for a reply, with its credentials if `settledStatus` is ACTIVE (behaviour A8). */
export const presentAccount = (state: State, row: AccountRow, env: Env): Schemas['ConnectedAccount'] => {
  const details: Schemas['ConnectedAccount'] = presentDetails(state, row, env);
  const authorization_details = presentCredentials(row, env);
  if (authorization_details) details.authorization_details = authorization_details;
  return details;
};

const presentCredentials = (row: AccountRow, env: Env): Schemas['AuthorizationDetails'] | undefined => {
  const live = liveCredentials(row, env);
  const end = row.token_expires_at && wireTime(row.token_expires_at, env);
  if (!live || end === undefined) return live;
  const { vendorb_dwd, trusted_idp, ...others } = live;
  if (vendorb_dwd) return { vendorb_dwd: { ...vendorb_dwd, token_expires_at: end } };
  return trusted_idp ? { trusted_idp: { ...trusted_idp, expiry: end } } : others;
};

/**
 * Creates an account in PENDING_AUTH, without credentials. Its organization and user need not exist (behaviour I2).
 * @throws Refusal 409 if the connector already has an account with this identifier (behaviour A4)
 */
export const openAccount = (
  state: State,
  { connection, kind }: Connector,
  { identifier, organization_id, user_id }: AccountAddress & { readonly identifier: string },
  env: Env,
): AccountRow => {
  const holder = findByPair(state, connection.key_id, identifier);
  if (holder) throw alreadyExists(holder);
  return {
    id: env.id('ca'),
    connection_id: connection.id,
    connector: connection.key_id,
    identifier,
    provider: connection.provider_key.toUpperCase(),
    authorization_type: kind.authorization_type,
    stored_status: 'PENDING_AUTH',
    refresh: 'grant',
    updated_at: absolute(env.now),
    api_config: {},
    ...defined({ organization_id, user_id }),
  };
};

const alreadyExists = ({ id, connector, identifier }: AccountRow): Refusal =>
  new Refusal(
    'RESOURCE_ALREADY_EXISTS',
    `Connector ${connector} already has an account for ${identifier}: ${id}.`,
    'Update that account, or delete it first.',
    { rule: 'A4', resource: { resource_name: `connected_account ${id}`, description: 'It already exists.' } },
  );

export const putAccount = (state: State, account: AccountRow): State => ({
  ...state,
  connected_accounts: putRow(state.connected_accounts, account),
});

/** Makes the account ACTIVE with these credentials, and lets the provider refresh them (behaviour A6-A8, V6). */
export const withCredentials = (account: AccountRow, live: LiveCredentials, env: Env): AccountRow => {
  const { token_expires_at: _ended, authorization_details: _replaced, ...kept } = account;
  return { ...kept, ...live, stored_status: 'ACTIVE', refresh: 'grant', updated_at: absolute(env.now) };
};

/** Makes the account ACTIVE with these credentials, and removes its verification requests (behaviour V6). */
export const activate = (state: State, account: AccountRow, live: LiveCredentials, env: Env): State =>
  endRequests(putAccount(state, withCredentials(account, live, env)), account.id);

/** Like `activate`, but for the tokens of a consent: other members of the old credentials, such as `domain`, stay. */
export const activateConsented = (
  state: State,
  account: AccountRow,
  { authorization_details = {}, token_expires_at }: LiveCredentials,
  env: Env,
): State => {
  const merged = mergeCredentials(account.authorization_details ?? {}, authorization_details);
  return activate(state, account, { authorization_details: merged, ...defined({ token_expires_at }) }, env);
};

/** Removes all verification requests of the account (behaviour V6). */
export const endRequests = (state: State, accountId: string): State => {
  const verification_requests = withoutRowsOf(state.verification_requests, accountId);
  return verification_requests === state.verification_requests ? state : { ...state, verification_requests };
};

const withoutRowsOf = <Row>(table: Table<Row, 'account_id'>, accountId: string): Table<Row, 'account_id'> =>
  rowsBy(table, 'account_id', accountId).reduce((left, row) => removeRow(left, table.spec.id(row)), table);

/** Removes an account with its links and verification requests. The links then answer 404 (behaviour A9). */
export const removeAccount = (state: State, id: string): State => {
  const next = endRequests(state, id);
  return {
    ...next,
    connected_accounts: removeRow(next.connected_accounts, id),
    authorization_links: withoutRowsOf(next.authorization_links, id),
  };
};

export const successUrl = ({ baseUrl }: Pick<Env, 'baseUrl'>): string => `${baseUrl}/connect/success`;

/** The effects of a step that changes an account and nothing else that observers see. */
export const accountEffects = (before: State, after: State, id: string, env: Env) => ({
  state: after,
  changes: [accountChange(before, after, id, env)],
});

/** Compares the account in two states. The result has the old and the new status only if they differ. */
export const accountChange = (before: State, after: State, id: string, env: Env): ServiceChange => {
  const [from, to] = [before, after].map((state) => {
    const row = getRow(state.connected_accounts, id);
    return row && accountStatus(state, row, env);
  });
  const event = from === undefined ? 'created' : to === undefined ? 'deleted' : 'updated';
  return {
    type: `connected_account.${event}`,
    resource: { id },
    ...(from !== to && defined({ from, to })),
  };
};
