/** The status of a membership follows from its invite and from dates; one that is written must agree with them. */
import type { InviteRow } from '../../domain/rows.ts';
import { type Draft, isKnown, isWritten } from '../draft.ts';
import { NEVER } from '../times.ts';
import type { MembershipForm } from '../written.ts';
import { type Build, fault } from './build.ts';

const INVITE_STATUS = {
  ACTIVE: 'accepted',
  INACTIVE: 'accepted',
  PENDING_INVITE: 'pending',
  INVITE_EXPIRED: 'expired',
} as const;

type Status = keyof typeof INVITE_STATUS;

/** Adds a fault where a membership would show another status than the one written (behaviour M6). */
export const checkMembershipStatus = (
  build: Build,
  draft: Draft<MembershipForm>,
  invite: InviteRow | undefined,
): void => {
  if (!isKnown(draft, 'membership_status', 'invite', 'expires_at', 'created_at')) return;
  const { membership_status: status = 'ACTIVE', invite: form } = draft.form;
  if (form?.status !== undefined && form.status !== 'revoked' && form.status !== INVITE_STATUS[status]) {
    const message = `its status is ${INVITE_STATUS[status]} while membership_status is ${status}`;
    fault(build, draft, 'invite', message);
  }
  if (status === 'PENDING_INVITE' || status === 'INVITE_EXPIRED') {
    checkNotJoined(build, draft, status);
    if (isWritten(draft, 'membership_status')) checkInvited(build, draft, status, invite);
  } else if (status === 'INACTIVE') checkShutOut(build, draft, invite);
};

/** Whoever accepted reads ACTIVE or INACTIVE, however long ago the invitation ended. */
const checkNotJoined = (build: Build, draft: Draft<MembershipForm>, status: Status): void => {
  for (const member of ['accepted_at', 'join_time'] as const) {
    if ((draft.form[member] ?? NEVER) === NEVER || !isKnown(draft, member)) continue;
    const message = `${status} has no ${member}, since nobody has joined yet; write never, or membership_status ACTIVE or INACTIVE`;
    fault(build, draft, member, message);
  }
};

const checkInvited = (
  build: Build,
  draft: Draft<MembershipForm>,
  status: Status,
  invite: InviteRow | undefined,
): void => {
  if (invite && !invite.is_revoked) {
    checkEnd(build, draft, status, invite);
    return;
  }
  const fits = invite ? 'INVITE_EXPIRED' : 'PENDING_INVITE';
  const message = `${status} ${invite ? 'with a revoked' : 'without an'} invite reads ${fits}`;
  if (status !== fits) fault(build, draft, 'invite', message);
};

const checkEnd = (
  build: Build,
  draft: Draft<MembershipForm>,
  status: Status,
  { expires_at }: InviteRow,
): void => {
  const isDerived = draft.form.expires_at === undefined && draft.form.invite?.expires_at === undefined;
  if (isDerived && !build.isInviteTtlKnown) return;
  const hasEnded = expires_at === undefined ? false : build.clock.hasPassed(expires_at);
  if (status === 'PENDING_INVITE' && hasEnded === true)
    fault(build, draft, 'expires_at', 'PENDING_INVITE needs an expires_at that is still ahead');
  if (status === 'INVITE_EXPIRED' && hasEnded === false)
    fault(build, draft, 'expires_at', 'INVITE_EXPIRED needs an expires_at that has passed');
};

/** A member who is shut out before accepting leaves an invite that is revoked, not one that waits. */
const checkShutOut = (build: Build, draft: Draft<MembershipForm>, invite: InviteRow | undefined): void => {
  if (!invite || invite.is_revoked || draft.form.accepted_at !== NEVER) return;
  const message =
    'INACTIVE without having accepted goes with an invite that is revoked; write invite: { status: revoked }';
  fault(build, draft, 'accepted_at', message);
};
