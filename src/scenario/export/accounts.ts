/** Connected accounts, links and verification requests as a scenario writes them, credentials included. */
import { defined } from '../../core/defined.ts';
import { accountStatus } from '../../domain/account.ts';
import type { AccountRow, LinkRow, VerificationRequestRow } from '../../domain/rows.ts';
import type { State } from '../../domain/state.ts';
import { formatEnd, formatOptional, formatTime } from '../times.ts';
import type { AccountForm, LinkForm, VerificationRequestForm } from '../written.ts';
import type { Now } from './environment.ts';

export const exportAccount = (state: State, row: AccountRow, now: Now): AccountForm => {
  const {
    stored_status: standing,
    token_expires_at,
    last_used_at,
    updated_at,
    authorization_details,
    ...rest
  } = row;
  const status = accountStatus(state, row, now);
  return {
    ...rest,
    status,
    ...(status !== standing && { standing }),
    token_expires_at: formatEnd(token_expires_at),
    ...defined({ last_used_at: formatOptional(last_used_at) }),
    updated_at: formatTime(updated_at),
    authorization_details: authorization_details ?? {},
  };
};

export const exportLink = ({ account_id, expires_at, used_at, ...row }: LinkRow): LinkForm => ({
  ...row,
  account: account_id,
  expires_at: formatEnd(expires_at),
  ...defined({ used_at: formatOptional(used_at) }),
});

export const exportVerificationRequest = ({
  account_id,
  expires_at,
  token_expires_at,
  ...row
}: VerificationRequestRow): VerificationRequestForm => ({
  ...row,
  account: account_id,
  expires_at: formatEnd(expires_at),
  token_expires_at: formatEnd(token_expires_at),
});
