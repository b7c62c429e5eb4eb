/** Creates, activates and removes accounts; each function returns a new state and the changes for observers. */
import { absolute } from '../core/moment.ts';
import { putRow, removeRow } from '../core/table.ts';
import { accountStatus } from './account.ts';
import { type AccountAddress, requireFreePair } from './account-lookup.ts';
import { endRequests, removeLinks } from './authorization.ts';
import type { Connector } from './connection.ts';
import { type LiveCredentials, mergeCredentials } from './credentials.ts';
import type { Change, Env } from './operation.ts';
import type { AccountRow } from './rows.ts';
import type { State } from './state.ts';

export const putAccount = (state: State, account: AccountRow): State => ({
  ...state,
  connected_accounts: putRow(state.connected_accounts, account),
});

/**
 * Adds an account without credentials in PENDING_AUTH. Its organization and user are only labels (behaviour I2).
 * @throws Refusal 409 if the connector already has an account with this identifier
 */
export const openAccount = (
  state: State,
  { connection, kind }: Connector,
  { identifier, organization_id, user_id }: AccountAddress & { readonly identifier: string },
  env: Env,
): AccountRow => {
  requireFreePair(state, connection.key_id, identifier);
  return {
    id: env.id('ca'),
    connection_id: connection.id,
    connector: connection.key_id,
    identifier,
    provider: connection.provider_key.toUpperCase(),
    authorization_type: kind.authorization_type,
    ...(organization_id !== undefined && { organization_id }),
    ...(user_id !== undefined && { user_id }),
    stored_status: 'PENDING_AUTH',
    refresh: 'grant',
    updated_at: absolute(env.now),
    api_config: {},
  };
};

/** Makes the account ACTIVE with these credentials and lets it be refreshed again (behaviour A6-A8, V6). */
export const withCredentials = (account: AccountRow, live: LiveCredentials, env: Env): AccountRow => {
  const { token_expires_at: _ended, authorization_details: _replaced, ...kept } = account;
  return { ...kept, ...live, stored_status: 'ACTIVE', refresh: 'grant', updated_at: absolute(env.now) };
};

export interface AccountAndState {
  readonly state: State;
  readonly account: AccountRow;
}

/** Gives the account these credentials and ends its open requests (behaviour V6). */
export const activate = (
  state: State,
  account: AccountRow,
  live: LiveCredentials,
  env: Env,
): AccountAndState => {
  const moved = withCredentials(account, live, env);
  return { account: moved, state: endRequests(putAccount(state, moved), account.id) };
};

/**
 * Gives the account the tokens of a consent; keeps members that the consent did not give, such as `domain` (behaviour
 * V6).
 */
export const activateConsented = (
  state: State,
  account: AccountRow,
  { authorization_details, token_expires_at }: LiveCredentials,
  env: Env,
): AccountAndState => {
  const merged = mergeCredentials(account.authorization_details ?? {}, authorization_details ?? {});
  const live = {
    authorization_details: merged,
    ...(token_expires_at !== undefined && { token_expires_at }),
  };
  return activate(state, account, live, env);
};

/** Removes the account with its credentials, links and requests (behaviour A9). */
export const removeAccount = (state: State, id: string): State => {
  const next = removeLinks(endRequests(state, id), id);
  return { ...next, connected_accounts: removeRow(next.connected_accounts, id) };
};

export const accountCreated = (state: State, account: AccountRow, env: Env): Change => ({
  type: 'connected_account.created',
  resource: { id: account.id },
  to: accountStatus(state, account, env),
});

/** The change of an account that observers see, with the status before and after if it changed. */
export const accountUpdated = (before: AccountAndState, after: AccountAndState, env: Env): Change => {
  const from = accountStatus(before.state, before.account, env);
  const to = accountStatus(after.state, after.account, env);
  return {
    type: 'connected_account.updated',
    resource: { id: after.account.id },
    ...(from !== to && { from, to }),
  };
};

export const accountDeleted = (state: State, account: AccountRow, env: Env): Change => ({
  type: 'connected_account.deleted',
  resource: { id: account.id },
  from: accountStatus(state, account, env),
});
