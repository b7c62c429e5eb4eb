/**
 * The operations on memberships and their invitations, and the rules by which members join (behaviour M1-M8).
 * `presentUser` is here too, because a user in a reply contains the user's memberships.
 */
import { isDeepStrictEqual } from 'node:util';
import { notFound, Refusal, requireFound } from '../../engine/core/errors.ts';
import { absolute, type Instant, wireTime, wireTimes } from '../../engine/core/moment.ts';
import { defined } from '../../engine/core/object.ts';
import { getRow, putRow, removeRow, rowsBy } from '../../engine/core/table.ts';
import type { EmailMessage } from '../../engine/operation.ts';
import type { Answer, InputFor, Schemas } from '../contract.ts';
import { requireOrganization, requireUser, requireUserByExternalId, touchUser } from '../directory.ts';
import {
  type InviteRow,
  type MembershipRow,
  membershipKey,
  type State,
  type UserProfileRow,
  type UserRow,
} from '../state.ts';
import type { Env, Operation, ServiceChange, ServiceEffects } from '../types.ts';
import { defaultRoleIds, effectivePermissions, resolveRoles, rolesOf } from './roles.ts';

/** An operation on a user who is named by id or by external id (behaviour M5). */
type ForEitherId<Verb extends 'create' | 'update' | 'delete'> = (
  state: State,
  input: InputFor<`${Verb}Membership` | `${Verb}MembershipByExternalId`>,
  env: Env,
) => Answer<`${Verb}Membership`> & ServiceEffects;

/**
 * Invites the user; with `send_invitation_email=false`, the user is an ACTIVE member at once (behaviour M1, M2). While
 * full-stack authentication is off, no e-mail is sent.
 */
const addMember: ForEitherId<'create'> = (state, { path, query, body }, env) => {
  const role_ids = body.roles?.length ? resolveRoles(state, body.roles) : defaultRoleIds(state);
  const organization = requireOrganization(state, path.organization_id);
  const user = requireNamedUser(state, path);
  requireNoMembership(state, organization.id, user.id, env);
  const terms = {
    organization_id: organization.id,
    user_id: user.id,
    created_at: absolute(env.now),
    metadata: body.metadata ?? {},
    role_ids,
    groups: [],
    ...defined({ inviter_email: body.inviter_email }),
  };
  const membership = query.send_invitation_email === false ? provision(terms, env) : invite(terms, env);
  const next = putMembership(state, membership, env);
  const address = { to: user.email, organization: organization.display_name };
  return {
    status: 201,
    body: { user: presentUser(next, user.id, env) },
    state: next,
    changes: [membershipChange('membership.created', membership, { to: membershipStatus(membership, env) })],
    emails:
      membership.invite && env.settings.full_stack_authentication
        ? [invitationEmail('invitation', membership.invite, address, env)]
        : [],
  };
};

/** The user whose id or external id is in the path (behaviour M5). */
const requireNamedUser = (state: State, path: { id: string } | { external_id: string }): UserRow =>
  'id' in path ? requireUser(state, path.id) : requireUserByExternalId(state, path.external_id);

type Terms = Omit<MembershipRow, 'stored_status' | 'provisioning_method'>;

const provision = (terms: Terms, env: Env): MembershipRow =>
  asActiveMember({ ...terms, stored_status: 'ACTIVE', provisioning_method: 'direct_provision' }, env);

const invite = (terms: Terms, env: Env): MembershipRow => {
  if (env.settings.full_stack_authentication) requireMailDelivery(env);
  return { ...terms, stored_status: 'INVITED', provisioning_method: 'invitation', invite: openInvite(env) };
};

/** Changes only what was sent. An empty `roles` array leaves the roles as they are (behaviour M3). */
const changeMember: ForEitherId<'update'> = (state, { path, body }, env) => {
  const role_ids = body.roles?.length ? resolveRoles(state, body.roles) : undefined;
  const membership = requireMember(state, path);
  const changed = {
    ...membership,
    ...(role_ids && { role_ids }),
    ...(body.metadata && { metadata: body.metadata }),
  };
  const isSame = isDeepStrictEqual(changed, membership);
  const next = isSame ? state : putMembership(state, changed, env);
  const answer = { status: 200 as const, body: { user: presentUser(next, membership.user_id, env) } };
  if (isSame) return answer;
  return { ...answer, state: next, changes: [membershipChange('membership.updated', changed, {})] };
};

/**
 * Removes the membership with its invitation and groups (behaviour M4). If it was the user's last one and the setting
 * `delete_user_with_last_membership` is on, also removes the user.
 */
const removeMember: ForEitherId<'delete'> = (state, { path }, env) => {
  const membership = requireMember(state, path);
  const { organization_id, user_id } = membership;
  const memberships = removeRow(state.memberships, membershipKey(organization_id, user_id));
  const without = { ...state, memberships };
  const isLast = membershipsOf(without, user_id).length === 0;
  const userGoes = isLast && env.settings.delete_user_with_last_membership;
  return {
    status: 200,
    body: {},
    // Accounts with this `user_id` stay, since an account's user need not exist (behaviour I2).
    state: userGoes
      ? { ...without, users: removeRow(state.users, user_id) }
      : touchUser(without, user_id, env),
    changes: [
      membershipChange('membership.deleted', membership, { from: membershipStatus(membership, env) }),
      ...(userGoes ? [{ type: 'user.deleted' as const, resource: { id: user_id } }] : []),
    ],
  };
};

const requireMember = (
  state: State,
  path: InputFor<'deleteMembership' | 'deleteMembershipByExternalId'>['path'],
): MembershipRow => {
  requireOrganization(state, path.organization_id);
  return requireMembership(state, path.organization_id, requireNamedUser(state, path).id);
};

export const createMembership: Operation<'createMembership'> = addMember;
export const createMembershipByExternalId: Operation<'createMembershipByExternalId'> = addMember;
export const updateMembership: Operation<'updateMembership'> = changeMember;
export const updateMembershipByExternalId: Operation<'updateMembershipByExternalId'> = changeMember;
export const deleteMembership: Operation<'deleteMembership'> = removeMember;
export const deleteMembershipByExternalId: Operation<'deleteMembershipByExternalId'> = removeMember;

/** Sends an open invitation again, or replaces an expired one (behaviour M7). */
export const resendInvite: Operation<'resendInvite'> = (state, { path }, env) => {
  const user = requireUser(state, path.id);
  const organization = requireOrganization(state, path.organization_id);
  const membership = requireMembership(state, organization.id, user.id);
  const invited = requireResendable(membership, user, env);
  const isReminder = inviteStatus(invited, env) === 'pending';
  const resent: InvitedMembership = isReminder
    ? { ...invited, invite: remindInvite(invited.invite, env) }
    : { ...invited, stored_status: 'INVITED', invite: renewInvite(invited.invite, env) };
  const statuses = { from: membershipStatus(membership, env), to: membershipStatus(resent, env) };
  const address = { to: user.email, organization: organization.display_name };
  return {
    status: 200,
    body: { invite: presentInvite(resent, env) },
    state: putMembership(state, resent, env),
    changes: [membershipChange('invite.resent', resent, statuses)],
    emails: [invitationEmail(isReminder ? 'reminder' : 'invitation', resent.invite, address, env)],
  };
};

/** @throws Refusal if the invitation cannot be sent again. The checks follow the order in behaviour M7. */
const requireResendable = (membership: MembershipRow, user: UserRow, env: Env): InvitedMembership => {
  const { full_stack_authentication, invite_ttl } = env.settings;
  requireThat(
    full_stack_authentication,
    'Full-stack authentication is off in this environment, so no invitations are sent. Turn the setting full_stack_authentication on.',
  );
  requireThat(
    user.user_profile !== undefined,
    `User ${user.id} has no user_profile, so no invitation can be sent. Give the user a profile first.`,
  );
  const invite = `invitation of user ${user.id} to organization ${membership.organization_id}`;
  if (!isInvited(membership)) throw notFound(invite, 'This member was never invited.', 'M7');
  const status = inviteStatus(membership, env);
  const again = 'DELETE the membership and create it again to invite the user again.';
  if (status === 'revoked') throw notFound(invite, `The invitation was revoked. ${again}`, 'M7');
  const done = `The ${invite} has already been accepted, so there is nothing to send again.`;
  requireThat(status !== 'accepted', done);
  requireThat(
    invite_ttl !== null,
    'The expiry time of invitations is missing in the user management settings. Set invite_ttl, for example to 15d.',
  );
  requireMailDelivery(env);
  return membership;
};

/** @throws Refusal 400 FAILED_PRECONDITION with the message, if the condition does not hold */
const requireThat = (condition: boolean, message: string): void => {
  if (!condition) throw new Refusal('FAILED_PRECONDITION', message, '', { rule: 'M7' });
};

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

const membershipName = (organizationId: string, userId: string): string =>
  `membership of user ${userId} in organization ${organizationId}`;

/** The user's membership in the organization. @throws Refusal 404 if the user is not a member */
export const requireMembership = (state: State, organizationId: string, userId: string): MembershipRow =>
  requireFound(
    findMembership(state, organizationId, userId),
    membershipName(organizationId, userId),
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
    'Change the membership with PATCH, or DELETE it first.',
    { rule: 'M1', resource: { resource_name: membershipName(organizationId, userId) } },
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
