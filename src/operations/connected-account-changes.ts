/** Changing connected accounts: create, update, delete (behaviour A3-A7, A9). */
import { isDeepStrictEqual } from 'node:util';
import { refuse } from '../core/errors.ts';
import { absolute } from '../core/moment.ts';
import { presentAccount, settledStatus } from '../domain/account.ts';
import {
  accountCreated,
  accountDeleted,
  accountUpdated,
  openAccount,
  putAccount,
  removeAccount,
  withCredentials,
} from '../domain/account-changes.ts';
import { requireAccount } from '../domain/account-lookup.ts';
import { endRequests } from '../domain/authorization.ts';
import { type Connector, requireConnector, requireConnectorOf, requireUsable } from '../domain/connection.ts';
import {
  completeCredentials,
  credentialViolations,
  hasMembers,
  isSameAccount,
  isUsableWith,
  mergeCredentials,
  readCredentials,
} from '../domain/credentials.ts';
import type { Env, Operation } from '../domain/operation.ts';
import type { AccountRow, CredentialsRow } from '../domain/rows.ts';
import type { Input } from '../openapi/types.ts';

/**
 * Behaviour A3-A6: an account of a connector, ACTIVE if what was sent makes it usable.
 * @throws Refusal 400 for an unknown connector or credentials that do not fit it, 403 for a connection that is not
 *   enabled, 409 if the pair has an account
 */
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
    changes: [accountCreated(next, account, env)],
  };
};

/** The credentials that count. @throws Refusal 400 for those that do not fit the connector (behaviour A5) */
const requireFit = (
  { connected_account }: Pick<Input<'updateConnectedAccount'>['body'], 'connected_account'>,
  connector: Connector,
): CredentialsRow => {
  const sent = readCredentials(connected_account?.authorization_details);
  refuse(credentialViolations(sent, connector));
  return sent;
};

/** Behaviour A6: the first status follows from what was sent. */
const firstCredentials = (sent: CredentialsRow, connector: Connector, env: Env): Partial<AccountRow> => {
  if (isUsableWith(sent, connector))
    return { stored_status: 'ACTIVE', ...completeCredentials(sent, connector, env) };
  return hasMembers(sent) ? { authorization_details: sent } : {};
};

/**
 * Behaviour A7: only what is sent changes, and usable credentials make the account ACTIVE from any state.
 * @throws Refusal 400 if the body names no account or has credentials that do not fit, 404 for an unknown account
 */
export const updateConnectedAccount: Operation<'updateConnectedAccount'> = (state, { body }, env) => {
  const found = requireAccount(state, body);
  const connector = requireConnectorOf(state, found);
  const sent = requireFit(body, connector);
  const changed = withSentCredentials(withSentConfig(found, body), sent, connector, env);
  const account = isSameAccount(changed, found) ? found : { ...changed, updated_at: absolute(env.now) };
  const put = account === found ? state : putAccount(state, account);
  const next = revives(found, sent, connector, env) ? endRequests(put, account.id) : put;
  const answer = { status: 200 as const, body: { connected_account: presentAccount(next, account, env) } };
  if (next === state) return answer;
  const change = accountUpdated({ state, account: found }, { state: next, account }, env);
  return { ...answer, state: next, changes: [change] };
};

/** Behaviour A7: `api_config` merges member by member at its top level. */
const withSentConfig = (
  account: AccountRow,
  { connected_account: sent }: Input<'updateConnectedAccount'>['body'],
): AccountRow =>
  sent?.api_config ? { ...account, api_config: { ...account.api_config, ...sent.api_config } } : account;

/**
 * Behaviour A7: usable credentials make an account ACTIVE whatever it was; a refresh token alone does so for an account
 * that was ACTIVE before.
 */
const revives = (account: AccountRow, sent: CredentialsRow, connector: Connector, env: Env): boolean => {
  if (!hasMembers(sent)) return false;
  if (isUsableWith(sent, connector)) return true;
  const status = settledStatus(account, env);
  return Boolean(sent.oauth_token?.refresh_token) && (status === 'EXPIRED' || status === 'DISCONNECTED');
};

/** The same credentials again change nothing (behaviour A7). Those that do not revive the account are added to its own. */
const withSentCredentials = (
  account: AccountRow,
  sent: CredentialsRow,
  connector: Connector,
  env: Env,
): AccountRow => {
  if (!hasMembers(sent)) return account;
  const stored = account.authorization_details ?? {};
  const merged = mergeCredentials(stored, sent);
  const isLive = account.refresh === 'grant' && settledStatus(account, env) === 'ACTIVE';
  if (isLive && isDeepStrictEqual(merged, stored)) return account;
  if (isUsableWith(sent, connector))
    return withCredentials(account, completeCredentials(merged, connector, env), env);
  // An access token that has ended is what makes `/auth` get the next one.
  if (revives(account, sent, connector, env)) {
    const ended = { authorization_details: merged, token_expires_at: absolute(env.now) };
    return withCredentials(account, ended, env);
  }
  const refresh = sent.oauth_token?.refresh_token ? 'grant' : account.refresh;
  return { ...account, authorization_details: merged, refresh };
};

/**
 * Behaviour A9: the account goes with its credentials, links and requests; the pair is free again.
 * @throws Refusal 400 if the body names no account, 404 for an unknown account
 */
export const deleteConnectedAccount: Operation<'deleteConnectedAccount'> = (state, { body }, env) => {
  const account = requireAccount(state, body);
  return {
    status: 200,
    body: {},
    state: removeAccount(state, account.id),
    changes: [accountDeleted(state, account, env)],
  };
};
