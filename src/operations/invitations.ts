/** The contract's operation on invitations (behaviour M7). */

import { notFound, Refusal } from '../core/errors.ts';
import {
  type InvitedMembership,
  invitationEmail,
  inviteStatus,
  presentInvite,
  remindInvite,
  renewInvite,
  requireMailDelivery,
} from '../domain/invite.ts';
import {
  isInvited,
  membershipChange,
  membershipStatus,
  putMembership,
  requireMembership,
} from '../domain/membership.ts';
import type { Env, Operation } from '../domain/operation.ts';
import { requireOrganization } from '../domain/organization.ts';
import type { MembershipRow, UserRow } from '../domain/rows.ts';
import { requireUser } from '../domain/user.ts';

/**
 * Sends an open invitation again, or replaces an expired one; checks in the order of the rule (behaviour M7).
 * @throws Refusal 404 for an unknown user, organization, membership or invite; 400 with full-stack authentication
 * off, without a user profile, for an accepted invite, or without the setting `invite_ttl`; 500 if mail fails
 */
export const resendInvite: Operation<'resendInvite'> = (state, { path }, env) => {
  const user = requireUser(state, path.id);
  const organization = requireOrganization(state, path.organization_id);
  const membership = requireMembership(state, organization.id, user.id);
  requireFullStackAuthentication(env);
  requireProfile(user);
  const invited = requireUnansweredInvite(membership, env);
  requireInviteTtl(env);
  requireMailDelivery(env);
  const isReminder = inviteStatus(invited, env) === 'pending';
  const resent = isReminder ? remind(invited, env) : renew(invited, env);
  const address = { to: user.email, organization: organization.display_name };
  return {
    status: 200,
    body: { invite: presentInvite(resent, env) },
    state: putMembership(state, resent, env),
    changes: [
      membershipChange('invite.resent', resent, {
        from: membershipStatus(membership, env),
        to: membershipStatus(resent, env),
      }),
    ],
    emails: [invitationEmail(isReminder ? 'reminder' : 'invitation', resent.invite, address, env)],
  };
};

/** Sends a reminder of a valid invitation; membership and link stay as they are. */
const remind = (membership: InvitedMembership, env: Env): InvitedMembership => ({
  ...membership,
  invite: remindInvite(membership.invite, env),
});

/** Invites the member again after the invitation expired. */
const renew = (membership: InvitedMembership, env: Env): InvitedMembership => ({
  ...membership,
  stored_status: 'INVITED',
  invite: renewInvite(membership.invite, env),
});

const requireFullStackAuthentication = ({ settings }: Env): void => {
  if (settings.full_stack_authentication) return;
  throw failedPrecondition(
    'Full-stack authentication is off in this environment, so it sends no invitations. Turn the setting full_stack_authentication on.',
  );
};

const requireProfile = (user: UserRow): void => {
  if (user.user_profile) return;
  throw failedPrecondition(
    `User ${user.id} has no user_profile, so no invitation can be written. Give the user a profile first.`,
  );
};

/** An invite that is pending or expired. A revoked invite counts as missing. */
const requireUnansweredInvite = (membership: MembershipRow, env: Env): InvitedMembership => {
  const { organization_id, user_id } = membership;
  const invite = `invitation of user ${user_id} to organization ${organization_id}`;
  if (!isInvited(membership)) throw notFound(invite, 'This member was never invited.', 'M7');
  const status = inviteStatus(membership, env);
  if (status === 'revoked')
    throw notFound(
      invite,
      'It was revoked. DELETE the membership and create it again to invite the user again.',
      'M7',
    );
  if (status === 'accepted')
    throw failedPrecondition(`The ${invite} was accepted already, so there is nothing to send again.`);
  return membership;
};

const requireInviteTtl = ({ settings }: Env): void => {
  if (settings.invite_ttl !== null) return;
  throw failedPrecondition(
    'The expiry time of invitations is missing in the user management settings. Set invite_ttl, such as 15d.',
  );
};

const failedPrecondition = (message: string): Refusal => new Refusal('FAILED_PRECONDITION', message);
