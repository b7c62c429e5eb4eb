/** Invitations: the link by which a member joins, while it is valid (behaviour M6-M8). */
import { Refusal } from '../core/errors.ts';
import { absolute, hasEnded, wireTime, wireTimes } from '../core/moment.ts';
import { defined } from '../core/object.ts';
import type { Schemas } from '../openapi/types.ts';
import type { Email, Env, Now } from './operation.ts';
import type { InviteRow, MembershipRow } from './rows.ts';

/** A membership with an invitation, whether or not it was accepted. */
export type InvitedMembership = MembershipRow & { readonly invite: InviteRow };

export type InviteStatus = 'pending' | 'accepted' | 'expired' | 'revoked';

/** The status of an invite by the environment's clock; it is not stored. */
export const inviteStatus = (membership: InvitedMembership, env: Now): InviteStatus => {
  if (membership.invite.is_revoked) return 'revoked';
  if (membership.stored_status === 'ACTIVE' || membership.accepted_at !== undefined) return 'accepted';
  return hasEnded(membership.invite.expires_at, env) ? 'expired' : 'pending';
};

/** A first invitation, valid from now; without the setting `invite_ttl` it never expires. */
export const openInvite = (env: Env): InviteRow => ({
  token: env.token(),
  ended_tokens: [],
  created_at: absolute(env.now),
  ...expiry(env),
  resent_count: 0,
  is_revoked: false,
});

/** Counts one more reminder of an invitation that is still valid (behaviour M7). */
export const remindInvite = (invite: InviteRow, env: Env): InviteRow => ({
  ...invite,
  resent_at: absolute(env.now),
  resent_count: invite.resent_count + 1,
});

/** Replaces an expired invitation: the old link stops working, and the count of reminders continues (behaviour M7). */
export const renewInvite = (invite: InviteRow, env: Env): InviteRow => ({
  ...openInvite(env),
  ended_tokens: [...invite.ended_tokens, invite.token],
  resent_at: absolute(env.now),
  resent_count: invite.resent_count + 1,
});

const expiry = ({ now, settings }: Env): Pick<InviteRow, 'expires_at'> =>
  settings.invite_ttl === null ? {} : { expires_at: absolute(now + settings.invite_ttl) };

/** The address of the page that accepts this invitation (behaviour M8). */
const invitationLink = (invite: InviteRow, env: Env): string =>
  `${env.baseUrl}/invitations/${env.withEnvironmentKey(invite.token)}`;

/**
 * Refuses to invite while the setting `email_delivery` is `fail`: nothing is mailed, so nothing may change.
 * @throws Refusal 500
 */
export const requireMailDelivery = ({ settings }: Env): void => {
  if (settings.email_delivery === 'ok') return;
  throw new Refusal(
    'INTERNAL_ERROR',
    'The invitation could not be mailed, and nothing was changed.',
    'Set email_delivery back to ok and try again.',
    { rule: 'M7' },
  );
};

/**
 * The e-mail with an invitation, or a reminder of it.
 * @param organization its display name
 */
export const invitationEmail = (
  kind: Email['kind'],
  invite: InviteRow,
  { to, organization }: { readonly to: string; readonly organization: string },
  env: Env,
): Email => ({
  to,
  kind,
  subject: `${kind === 'reminder' ? 'Reminder: you' : 'You'} are invited to join ${organization}`,
  link: invitationLink(invite, env),
});

/** An invite as the contract shows it. */
export const presentInvite = (membership: InvitedMembership, env: Env): Schemas['Invite'] => {
  const { invite, inviter_email, organization_id, user_id } = membership;
  const { created_at, expires_at, resent_at } = invite;
  return {
    organization_id,
    user_id,
    status: inviteStatus(membership, env),
    resent_count: invite.resent_count,
    created_at: wireTime(created_at, env),
    ...wireTimes({ expires_at, resent_at }, env),
    ...defined({ inviter_email }),
  };
};
