/** Authorization links and verification requests, as their tables hold them. */
import type { Moment } from '../../engine/core/moment.ts';
import { createTable } from '../../engine/core/table.ts';
import type { CredentialsRow } from '../accounts/row.ts';

/** A one-time authorization link (behaviour V1). */
export interface LinkRow {
  readonly token: string;
  readonly account_id: string;
  readonly state?: string;
  readonly user_verify_url?: string;
  readonly expires_at?: Moment;
  readonly used_at?: Moment;
  /** Id of the verification request that was opened when a user approved the link (behaviour V3). */
  readonly auth_request_id?: string;
}

/** A consent that awaits verification. Verifying the user removes all such rows of the account (behaviour V6). */
export interface VerificationRequestRow {
  readonly auth_request_id: string;
  readonly account_id: string;
  readonly state?: string;
  readonly expires_at?: Moment;
  /** The account gets these tokens when the user is verified; nobody can read them until then (behaviour V3). */
  readonly authorization_details: CredentialsRow;
  readonly token_expires_at?: Moment;
}

export const authorization_links = createTable({
  id: (row: LinkRow) => row.token,
  indexes: { account_id: (row) => row.account_id },
});

export const verification_requests = createTable({
  id: (row: VerificationRequestRow) => row.auth_request_id,
  indexes: { account_id: (row) => row.account_id },
});
