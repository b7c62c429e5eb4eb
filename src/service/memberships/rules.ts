/**
 * Memberships of users in organizations, and the invitations by which members join (behaviour M1-M8). `presentUser` is
 * here too, because a user in a reply contains the user's memberships.
 */

import { Refusal, requireFound } from '../../engine/core/errors.ts';
import { absolute, type Instant, wireTime, wireTimes } from '../../engine/core/moment.ts';
import { defined } from '../../engine/core/object.ts';
import { getRow, putRow, rowsBy } from '../../engine/core/table.ts';
import type { EmailMessage } from '../../engine/operation.ts';
import type { Schemas } from '../contract.ts';
import { requireOrganization, requireUser, touchUser } from '../directory.ts';
import {
  type InviteRow,
  type MembershipRow,
  membershipKey,
  type State,
  type UserProfileRow,
} from '../state.ts';
import type { Env, ServiceChange } from '../types.ts';
import { effectivePermissions, rolesOf } from './roles.ts';

/** A membership with an invitation, accepted or not. */
export type InvitedMembership = MembershipRow & { readonly invite: InviteRow };

export const isInvited = (membership: MembershipRow): membership is InvitedMembership =>
  membership.invite !== undefined;

type InviteStatus = 'pending' | 'accepted' | 'expired' | 'revoked';

export const inviteStatus = (membership: InvitedMembership, env: Instant): InviteStatus => {
  if (membership.invite.is_revoked) return 'revoked';
  if (membership.stored_status === 'ACTIVE' || membership.accepted_at !== undefined) return 'accepted';
  return env.hasEnded(membership.invite.expires_at) ? 'expired' : 'pending';
};

/** The status of a membership by the environment's clock. A revoked invitation counts as expired. */
export const membershipStatus = (membership: MembershipRow, env: Instant): Schemas['MembershipStatus'] => {
  if (membership.stored_status !== 'INVITED') return membership.stored_status;
  return isInvited(membership) && inviteStatus(membership, env) !== 'pending'
    ? 'INVITE_EXPIRED'
    : 'PENDING_INVITE';
};

/** The inverse of `membershipStatus`: the status to store. */
export const storedMembershipStatus = (
  status: Schemas['MembershipStatus'],
): MembershipRow['stored_status'] => (status === 'ACTIVE' || status === 'INACTIVE' ? status : 'INVITED');

export const findMembership = (
  state: State,
  organizationId: string,
  userId: string,
): MembershipRow | undefined => getRow(state.memberships, membershipKey(organizationId, userId));

/** The user's membership in the organization. @throws Refusal 404 if the user is not a member */
export const requireMembership = (state: State, organizationId: string, userId: string): MembershipRow =>
  requireFound(
    findMembership(state, organizationId, userId),
    `membership of user ${userId} in organization ${organizationId}`,
    'Create the membership first, with POST on the same path.',
    'M3',
  );

/** Refuses users who are already members, whatever their status. @throws Refusal 409 (behaviour M1) */
export const requireNoMembership = (state: State, organizationId: string, userId: string, env: Env): void => {
  const membership = findMembership(state, organizationId, userId);
  if (!membership) return;
  throw new Refusal(
    'RESOURCE_ALREADY_EXISTS',
    `User ${userId} is already a member of organization ${organizationId} (${membershipStatus(membership, env)}).`,
    'ServiceChange the membership with PATCH, or DELETE it first.',
    {
      rule: 'M1',
      resource: { resource_name: `membership of user ${userId} in organization ${organizationId}` },
    },
  );
};

/** A user's memberships, in the order in which they were created. */
export const membershipsOf = (state: State, userId: string): MembershipRow[] =>
  rowsBy(state.memberships, 'user_id', userId);

/** Adds or replaces a membership, and sets its user's `update_time`. */
export const putMembership = (state: State, membership: MembershipRow, env: Env): State =>
  touchUser({ ...state, memberships: putRow(state.memberships, membership) }, membership.user_id, env);

/** Makes the member ACTIVE, whether invited or not (behaviour M1, M8). */
export const asActiveMember = (membership: MembershipRow, env: Env): MembershipRow => ({
  ...membership,
  stored_status: 'ACTIVE',
  accepted_at: absolute(env.now),
  join_time: absolute(env.now),
});

export const membershipChange = (
  type: ServiceChange['type'],
  { organization_id, user_id }: MembershipRow,
  statuses: Pick<ServiceChange, 'from' | 'to'>,
): ServiceChange => ({ type, resource: { organization_id, user_id }, ...statuses });

/** A new invitation. If the setting `invite_ttl` is null, the invitation never expires. */
export const openInvite = (env: Env): InviteRow => ({
  token: env.token(),
  ended_tokens: [],
  created_at: absolute(env.now),
  ...(env.settings.invite_ttl !== null && { expires_at: absolute(env.now + env.settings.invite_ttl) }),
  resent_count: 0,
  is_revoked: false,
});

/** Counts a reminder of an invitation that is still valid (behaviour M7). */
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

/** @throws Refusal 500 if the setting `email_delivery` is `fail` */
export const requireMailDelivery = ({ settings }: Env): void => {
  if (settings.email_delivery === 'ok') return;
  throw new Refusal(
    'INTERNAL_ERROR',
    'The invitation could not be mailed, and nothing was changed.',
    'Set email_delivery back to ok and try again.',
    { rule: 'M7' },
  );
};

/** The e-mail with an invitation, or a reminder of it. @param organization the organization's display name */
export const invitationEmail = (
  kind: EmailMessage['kind'],
  invite: InviteRow,
  { to, organization }: { readonly to: string; readonly organization: string },
  env: Env,
): EmailMessage => ({
  to,
  kind,
  subject: `${kind === 'reminder' ? 'Reminder: you' : 'You'} are invited to join ${organization}`,
  link: `${env.baseUrl}/invitations/${env.withEnvironmentKey(invite.token)}`,
});

export const presentInvite = (membership: InvitedMembership, env: Env): Schemas['Invite'] => {
  const { invite, inviter_email, organization_id, user_id } = membership;
  const { created_at, expires_at, resent_at, resent_count } = invite;
  return {
    organization_id,
    user_id,
    status: inviteStatus(membership, env),
    resent_count,
    created_at: wireTime(created_at, env),
    ...wireTimes({ expires_at, resent_at }, env),
    ...defined({ inviter_email }),
  };
};

export const presentUser = (state: State, userId: string, env: Env): Schemas['User'] => {
  const { id, email, external_id, metadata, user_profile, ...user } = requireUser(state, userId);
  const { create_time, update_time, last_login_time } = user;
  const memberships = membershipsOf(state, id);
  return {
    id,
    email,
    ...defined({ external_id }),
    ...wireTimes({ create_time, update_time, last_login_time }, env),
    metadata,
    memberships: memberships.map((membership) => presentMembership(state, membership, env)),
    ...(user_profile && { user_profile: presentProfile(user_profile, memberships, env) }),
  };
};

/** A membership as an item of a user's `memberships` in a reply. */
export const presentMembership = (state: State, row: MembershipRow, env: Env): Schemas['Membership'] => {
  const { organization_id, accepted_at, created_at, join_time, inviter_email, invite } = row;
  const { name, display_name } = requireOrganization(state, organization_id);
  const roles = rolesOf(state, row.role_ids);
  return {
    organization_id,
    name,
    display_name,
    membership_status: membershipStatus(row, env),
    provisioning_method: row.provisioning_method,
    roles: roles.map((role) => ({ id: role.id, name: role.name, display_name: role.display_name })),
    permissions: effectivePermissions(state, row.role_ids),
    metadata: row.metadata,
    ...wireTimes({ created_at, accepted_at, join_time, expires_at: invite?.expires_at }, env),
    ...defined({ inviter_email }),
  };
};

/** Whether the user was a member at some time, so that the e-mail address must be right (behaviour M8). */
const hasJoined = ({ stored_status }: MembershipRow): boolean => stored_status !== 'INVITED';

/** The profile for a reply. Its `groups` include the groups of all memberships (behaviour M4). */
const presentProfile = (
  { external_identities, groups = [], ...profile }: UserProfileRow,
  memberships: readonly MembershipRow[],
  env: Env,
): Schemas['UserProfile'] => ({
  ...profile,
  email_verified: profile.email_verified ?? memberships.some(hasJoined),
  groups: [...new Set([...groups, ...memberships.flatMap((membership) => membership.groups)])],
  ...(external_identities && {
    external_identities: external_identities.map(
      ({ created_time, last_login_time, last_synced_time, ...identity }) => ({
        ...identity,
        ...wireTimes({ created_time, last_login_time, last_synced_time }, env),
      }),
    ),
  }),
});
