/** Statuses of accounts follow from dates, credentials and open requests; one that is written must agree with them. */
import type { Moment } from '../../core/moment.ts';
import { isRefreshable } from '../../domain/credentials.ts';
import type { AccountRow } from '../../domain/rows.ts';
import { type Draft, isKnown, isWritten } from '../draft.ts';
import type { AccountForm } from '../written.ts';
import type { WrittenAccount } from './accounts.ts';
import { isOpen, type WrittenRequest } from './authorizations.ts';
import { type Build, fault } from './build.ts';

/** Adds a fault for each account that would show another status than the one written (behaviour A8, V3). */
export const checkStatuses = (
  build: Build,
  accounts: readonly WrittenAccount[],
  requests: readonly WrittenRequest[],
): void => {
  const waiting = requests.filter((request) => isOpen(build, request) !== false);
  const open = new Map(waiting.map((request) => [request.row.account_id, isOpen(build, request)]));
  for (const { draft, account } of accounts) {
    if (draft.form.status === undefined || !isWritten(draft, 'status') || !isKnown(draft, ...DECIDING))
      continue;
    if (!open.has(account.id)) checkSettled(build, draft, account);
    else if (open.get(account.id)) checkWaiting(build, draft);
  }
};

const DECIDING = ['status', 'standing', 'token_expires_at', 'refresh', 'authorization_details'];

/** Where it says PENDING_VERIFICATION and no request is open, one is made. */
const checkWaiting = (build: Build, draft: Draft<AccountForm>): void => {
  const { status } = draft.form;
  if (status === 'PENDING_VERIFICATION') return;
  const message = `a verification request of the account is open, so it is PENDING_VERIFICATION and not ${status}; write that, or remove the request`;
  fault(build, draft, 'status', message);
};

const checkSettled = (build: Build, draft: Draft<AccountForm>, account: AccountRow): void => {
  const { status } = draft.form;
  if (status === 'EXPIRED') checkExpired(build, draft, account);
  if (status === 'ACTIVE' || status === 'PENDING_AUTH') checkLive(build, draft, account);
};

const hasPassed = ({ clock }: Build, end: Moment | undefined): boolean | undefined =>
  end === undefined ? false : clock.hasPassed(end);

const checkExpired = (build: Build, draft: Draft<AccountForm>, account: AccountRow): void => {
  const { stored_status: standing, token_expires_at: end } = account;
  if (end === undefined || hasPassed(build, end) === false)
    fault(build, draft, 'token_expires_at', 'EXPIRED needs a token_expires_at that has passed');
  else if (standing === 'DISCONNECTED')
    fault(build, draft, 'standing', 'an account that is DISCONNECTED expires no more');
  else if (isRefreshable(account))
    fault(build, draft, 'refresh', 'EXPIRED needs refresh: deny, since these credentials would be refreshed');
};

const checkLive = (build: Build, draft: Draft<AccountForm>, account: AccountRow): void => {
  const isOver = hasPassed(build, account.token_expires_at) === true && !isRefreshable(account);
  const message = `${draft.form.status} needs a token_expires_at that is still ahead, or never`;
  if (isOver) fault(build, draft, 'token_expires_at', message);
};
