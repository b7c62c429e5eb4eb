/** Authorization links, and the requests that a user's consent opens until they are verified (behaviour V1-V6). */
import { hasEnded, type Moment } from '../core/moment.ts';
import { getRow, putRow, removeRow, rowsBy, type TableSpec } from '../core/table.ts';
import type { AccountRow, CredentialsRow } from './account.ts';
import type { Env } from './operation.ts';
import type { State } from './state.ts';

export interface LinkRow {
  /** The open part of the link, without the environment's key. */
  readonly token: string;
  readonly account_id: string;
  readonly state?: string;
  readonly user_verify_url?: string;
  /** Absent: never expires. */
  readonly expires_at?: Moment;
  readonly used_at?: Moment;
}

/** One that was verified, or ended by another that was, has no row any more. */
export interface VerificationRequestRow {
  /** The open part of the id, without the environment's key. */
  readonly auth_request_id: string;
  readonly account_id: string;
  readonly state?: string;
  /** Absent: never expires. */
  readonly expires_at?: Moment;
  /** Tokens that become the account's when the user is verified; readable nowhere until then (behaviour V3). */
  readonly authorization_details: CredentialsRow;
  readonly token_expires_at?: Moment;
}

export const LINKS: TableSpec<LinkRow, 'account_id'> = {
  id: (row) => row.token,
  indexes: { account_id: (row) => row.account_id },
};

export const VERIFICATION_REQUESTS: TableSpec<VerificationRequestRow, 'account_id'> = {
  id: (row) => row.auth_request_id,
  indexes: { account_id: (row) => row.account_id },
};

type Now = Pick<Env, 'now' | 'start'>;

/** Behaviour V3: while such a request exists, the account reads PENDING_VERIFICATION. */
export const hasOpenRequest = (state: State, accountId: string, env: Now): boolean => {
  const requests = state.verification_requests;
  if (requests.rows.size === 0) return false; // the rule for almost every row of a list
  return rowsBy(requests, 'account_id', accountId).some(({ expires_at }) => !hasEnded(expires_at, env));
};

/** Behaviour V6: every request of the account ends. */
export const endRequests = (state: State, accountId: string): State => {
  const requests = rowsBy(state.verification_requests, 'account_id', accountId);
  if (requests.length === 0) return state;
  return {
    ...state,
    verification_requests: requests.reduce(
      (table, { auth_request_id }) => removeRow(table, auth_request_id),
      state.verification_requests,
    ),
  };
};

/** Behaviour A9: the links of an account go with it, so that their pages answer 404. */
export const removeLinks = (state: State, accountId: string): State => ({
  ...state,
  authorization_links: rowsBy(state.authorization_links, 'account_id', accountId).reduce(
    (table, { token }) => removeRow(table, token),
    state.authorization_links,
  ),
});

/** What a link is at this moment: one page for each (behaviour V2: expired and used 410, unknown 404). */
export type FoundLink =
  | { readonly standing: 'open'; readonly link: LinkRow; readonly account: AccountRow }
  | { readonly standing: 'expired' | 'used' | 'unknown' };

/** @param sealed the token as it stands in the link's address */
export const findLink = (state: State, sealed: string, env: Env): FoundLink => {
  const link = getRow(state.authorization_links, env.unseal(sealed));
  const account = link && getRow(state.connected_accounts, link.account_id);
  if (!link || !account) return { standing: 'unknown' };
  if (link.used_at !== undefined) return { standing: 'used' };
  if (hasEnded(link.expires_at, env)) return { standing: 'expired' };
  return { standing: 'open', link, account };
};

/** The link was decided on and works no more (behaviour V1). */
export const useLink = (state: State, link: LinkRow, used_at: Moment): State => ({
  ...state,
  authorization_links: putRow(state.authorization_links, { ...link, used_at }),
});

/** The page that tells the user of a success. */
export const successUrl = ({ baseUrl }: Pick<Env, 'baseUrl'>): string => `${baseUrl}/connect/success`;
