/** Authorization links, and the requests that a user's consent opens until they are verified (behaviour V1-V6). */
import type { Moment } from '../core/moment.ts';
import type { TableSpec } from '../core/table.ts';
import type { CredentialsRow } from './account.ts';

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

export interface VerificationRequestRow {
  /** The open part of the id, without the environment's key. */
  readonly auth_request_id: string;
  readonly account_id: string;
  readonly state?: string;
  /** Absent: never expires. */
  readonly expires_at?: Moment;
  /** Set once it was verified, or ended by another that was. */
  readonly ended_at?: Moment;
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
