/** Invitations of a scenario (behaviour M1, M7). */
import { defined } from '../../core/defined.ts';
import type { Moment } from '../../core/moment.ts';
import type { InviteRow } from '../../domain/rows.ts';
import type { Draft } from '../draft.ts';
import { endOr, momentOr, shift } from '../times.ts';
import type { MembershipForm } from '../written.ts';
import { type Build, tokenOr } from './build.ts';

/** The invite, and when the membership was made: each follows from the other where only one is written. */
export const invitation = (
  build: Build,
  draft: Draft<MembershipForm>,
  isInvited: boolean,
): { readonly created_at: Moment; readonly invite?: InviteRow } => {
  const { form } = draft;
  const { invite_ttl: lifetime } = build.settings;
  const end = form.invite?.expires_at ?? form.expires_at;
  const isExpired = form.membership_status === 'INVITE_EXPIRED' && form.invite?.status !== 'revoked';
  const ended = endOr(end, build.clock.now);
  const created_at = momentOr(
    form.created_at,
    isExpired && ended !== undefined ? shift(ended, -(lifetime ?? 0)) : build.clock.now,
  );
  const hasInvite = form.invite !== null && (isInvited || form.invite !== undefined || end !== undefined);
  if (!hasInvite) return { created_at };
  const made = momentOr(form.invite?.created_at, created_at);
  const expires_at = endOr(
    end,
    isExpired ? build.clock.now : lifetime === null ? undefined : shift(made, lifetime),
  );
  const { token, ended_tokens = [], resent_at, resent_count = 0, status } = form.invite ?? {};
  const invite = {
    token: tokenOr(build, token),
    ended_tokens,
    created_at: made,
    ...defined({ expires_at, resent_at: endOr(resent_at) }),
    resent_count,
    is_revoked: status === 'revoked',
  };
  return { created_at, invite };
};
