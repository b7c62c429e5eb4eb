/** The contract's operations on memberships and their invitations (behaviour M1-M7). */
import { isDeepStrictEqual } from 'node:util';
import { notFound, Refusal } from '../../engine/core/errors.ts';
import { absolute } from '../../engine/core/moment.ts';
import { defined } from '../../engine/core/object.ts';
import { removeRow } from '../../engine/core/table.ts';
import type { Answer, InputFor } from '../contract.ts';
import { requireOrganization, requireUser, requireUserByExternalId, touchUser } from '../directory.ts';
import { type MembershipRow, membershipKey, type State, type UserRow } from '../state.ts';
import type { Env, Operation, ServiceEffects } from '../types.ts';
import { defaultRoleIds, resolveRoles } from './roles.ts';
import {
  asActiveMember,
  type InvitedMembership,
  invitationEmail,
  inviteStatus,
  isInvited,
  membershipChange,
  membershipStatus,
  membershipsOf,
  openInvite,
  presentInvite,
  presentUser,
  putMembership,
  remindInvite,
  renewInvite,
  requireMailDelivery,
  requireMembership,
  requireNoMembership,
} from './rules.ts';

/**
 * Invites the user; with `send_invitation_email=false`, the user is an ACTIVE member at once (behaviour M1, M2). While
 * full-stack authentication is off, no e-mail is sent.
 */
const addMember = (
  state: State,
  { path, query, body }: InputFor<'createMembership' | 'createMembershipByExternalId'>,
  env: Env,
): Answer<'createMembership'> & ServiceEffects => {
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
const changeMember = (
  state: State,
  { path, body }: InputFor<'updateMembership' | 'updateMembershipByExternalId'>,
  env: Env,
): Answer<'updateMembership'> & ServiceEffects => {
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
const removeMember = (
  state: State,
  { path }: InputFor<'deleteMembership' | 'deleteMembershipByExternalId'>,
  env: Env,
): Answer<'deleteMembership'> & ServiceEffects => {
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
  requireThat(
    status !== 'accepted',
    `The ${invite} has already been accepted, so there is nothing to send again.`,
  );
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
