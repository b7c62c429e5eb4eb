/** Creates, updates and deletes connected accounts (behaviour A3-A7, A9). */
import { isDeepStrictEqual } from 'node:util';
import { refuse } from '../../engine/core/errors.ts';
import { absolute } from '../../engine/core/moment.ts';
import { hasMembers } from '../../engine/core/object.ts';
import { type Connector, requireConnector, requireConnectorOf, requireUsable } from '../connections/rules.ts';
import type { InputFor } from '../contract.ts';
import type { Env, Operation } from '../operation.ts';
import {
  completeCredentials,
  isUsableWith,
  mergeCredentials,
  readCredentials,
  unfitCredentials,
} from './credentials.ts';
import type { AccountRow, CredentialsRow } from './row.ts';
import {
  accountChange,
  accountStatus,
  endRequests,
  openAccount,
  presentAccount,
  putAccount,
  removeAccount,
  requireAccount,
  settledStatus,
  withCredentials,
} from './rules.ts';

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
    state: next,
    changes: [accountChange(state, next, account.id, env)],
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
  return { ...answer, state: next, changes: [accountChange(state, next, account.id, env)] };
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
  const next = removeAccount(state, id);
  return { status: 200, body: {}, state: next, changes: [accountChange(state, next, id, env)] };
};
