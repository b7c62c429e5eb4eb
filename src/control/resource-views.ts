/** Rows as a tester sees them: as the API shows them, with what the state knows besides. */
import { defined } from '../core/defined.ts';
import { hasEnded } from '../core/moment.ts';
import { type Selection, select } from '../core/selection.ts';
import { getRow } from '../core/table.ts';
import { accountStatus } from '../domain/account.ts';
import { containsText } from '../domain/account-lookup.ts';
import { presentAccount } from '../domain/account-view.ts';
import { presentInvite } from '../domain/invite.ts';
import { isInvited, membershipStatus } from '../domain/membership.ts';
import type { Env } from '../domain/operation.ts';
import type { AccountRow, LinkRow, MembershipRow, VerificationRequestRow } from '../domain/rows.ts';
import type { State } from '../domain/state.ts';
import { presentMembership } from '../domain/user-view.ts';
import { wireTimes } from '../domain/wire.ts';

export type Shown = Record<string, unknown>;

/** Accounts by text, by id, or by the whole name of a status. */
export const selectAccounts = (state: State, query: string | undefined, env: Env): Selection<AccountRow> => {
  const accounts = state.connected_accounts;
  if (query === undefined) return select(accounts, {});
  const named = getRow(accounts, query);
  if (named) {
    return select(accounts, { identifier: [named.identifier] }, ({ id }) => id === query);
  }
  return STATUSES.has(query.toUpperCase())
    ? select(accounts, {}, (row) => accountStatus(state, row, env) === query.toUpperCase())
    : select(accounts, {}, containsText(query));
};

const STATUSES = new Set(['ACTIVE', 'EXPIRED', 'PENDING_AUTH', 'PENDING_VERIFICATION', 'DISCONNECTED']);

/** As `/auth` shows an account, with its owner and whether its provider would refresh. */
export const showAccount = (row: AccountRow, state: State, env: Env): Shown => ({
  ...presentAccount(state, row, env),
  ...defined({ organization_id: row.organization_id, user_id: row.user_id }),
  refresh: row.refresh,
});

export const membershipTexts = (row: MembershipRow, state: State, env: Env): (string | undefined)[] => [
  getRow(state.users, row.user_id)?.email,
  getRow(state.organizations, row.organization_id)?.display_name,
  membershipStatus(row, env),
];

export const showMembership = (row: MembershipRow, state: State, env: Env): Shown => ({
  user_id: row.user_id,
  ...defined({ email: getRow(state.users, row.user_id)?.email }),
  ...presentMembership(state, row, env),
  ...(isInvited(row) && {
    invite: {
      ...presentInvite(row, env),
      link: `${env.baseUrl}/invitations/${env.withEnvironmentKey(row.invite.token)}`,
    },
  }),
});

export const showLink = (row: LinkRow, state: State, env: Env): Shown => {
  const { token, account_id, state: passedOn, user_verify_url, expires_at, used_at } = row;
  return {
    token: env.withEnvironmentKey(token),
    status: used_at !== undefined ? 'USED' : hasEnded(expires_at, env) ? 'EXPIRED' : 'OPEN',
    link: `${env.baseUrl}/magicLink/${env.withEnvironmentKey(token)}`,
    connected_account_id: account_id,
    ...accountName(state, account_id),
    ...defined({ user_verify_url, state: passedOn }),
    ...wireTimes({ expires_at, used_at }, env),
  };
};

/** Its tokens are readable nowhere until the user is verified (behaviour V3). */
export const showVerificationRequest = (row: VerificationRequestRow, state: State, env: Env): Shown => ({
  auth_request_id: env.withEnvironmentKey(row.auth_request_id),
  status: hasEnded(row.expires_at, env) ? 'EXPIRED' : 'OPEN',
  connected_account_id: row.account_id,
  ...accountName(state, row.account_id),
  ...defined({ state: row.state }),
  ...wireTimes({ expires_at: row.expires_at }, env),
});

const accountName = (state: State, id: string): Shown => {
  const account = getRow(state.connected_accounts, id);
  return account ? { connector: account.connector, identifier: account.identifier } : {};
};
