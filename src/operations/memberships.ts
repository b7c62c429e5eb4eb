/** The contract's operations on memberships; they find the user by id or by external id (behaviour M1-M5). */
import { isDeepStrictEqual } from 'node:util';
import { absolute } from '../core/moment.ts';
import { defined } from '../core/object.ts';
import { removeRow } from '../core/table.ts';
import { invitationEmail, openInvite, requireMailDelivery } from '../domain/invite.ts';
import {
  asActiveMember,
  membershipChange,
  membershipStatus,
  membershipsOf,
  putMembership,
  requireMembership,
  requireNoMembership,
} from '../domain/membership.ts';
import type { Effects, Env, Operation } from '../domain/operation.ts';
import { requireOrganization } from '../domain/organization.ts';
import { defaultRoleIds, resolveRoles } from '../domain/role.ts';
import type { MembershipRow, UserRow } from '../domain/rows.ts';
import { membershipKey, type State } from '../domain/state.ts';
import { removeUser, requireUser, requireUserByExternalId, touchUser } from '../domain/user.ts';
import { presentUser } from '../domain/user-view.ts';
import type { Answer, Input } from '../openapi/types.ts';

/**
 * Invites the user, or makes an ACTIVE member at once with `send_invitation_email=false` (behaviour M1, M2). Without
 * the setting `invite_ttl` the invitation never expires; the document refuses only to resend it. While full-stack
 * authentication is off, the service mails nothing.
 * @throws Refusal 400 for roles that do not fit, 404 for an unknown organization or user, 409 for a user who is a
 * member in any status, 500 if the invitation cannot be mailed (setting `email_delivery: fail`)
 */
export const createMembership: Operation<'createMembership'> = (state, input, env) =>
  addMember(state, input, () => requireUser(state, input.path.id), env);

/** Like `createMembership`, but finds the user by external id (behaviour M5). */
export const createMembershipByExternalId: Operation<'createMembershipByExternalId'> = (state, input, env) =>
  addMember(state, input, () => requireUserByExternalId(state, input.path.external_id), env);

/**
 * Changes only what is sent; an empty `roles` array changes none (behaviour M3).
 * @throws Refusal 400 for roles that do not fit, 404 for an unknown organization, user or membership
 */
export const updateMembership: Operation<'updateMembership'> = (state, input, env) =>
  changeMember(state, input, () => requireUser(state, input.path.id), env);

/** Like `updateMembership`, but finds the user by external id (behaviour M5). */
export const updateMembershipByExternalId: Operation<'updateMembershipByExternalId'> = (state, input, env) =>
  changeMember(state, input, () => requireUserByExternalId(state, input.path.external_id), env);

/**
 * Removes the membership with its invite and groups (behaviour M4). The user stays, unless this was the last
 * membership and the setting `delete_user_with_last_membership` is on.
 * @throws Refusal 404 for an unknown organization, user or membership
 */
export const deleteMembership: Operation<'deleteMembership'> = (state, input, env) =>
  removeMember(state, input, () => requireUser(state, input.path.id), env);

/** Like `deleteMembership`, but finds the user by external id (behaviour M5). */
export const deleteMembershipByExternalId: Operation<'deleteMembershipByExternalId'> = (state, input, env) =>
  removeMember(state, input, () => requireUserByExternalId(state, input.path.external_id), env);

/** The input that operations by id and by external id share. */
type MemberInput<Id extends 'createMembership' | 'updateMembership' | 'deleteMembership'> = Omit<
  Input<Id>,
  'path'
> & { readonly path: { readonly organization_id: string } };

type FindUser = () => UserRow;

const addMember = (
  state: State,
  { path, query, body }: MemberInput<'createMembership'>,
  findUser: FindUser,
  env: Env,
): Answer<'createMembership'> & Effects => {
  const role_ids = body.roles?.length ? resolveRoles(state, body.roles) : defaultRoleIds(state);
  const organization = requireOrganization(state, path.organization_id);
  const user = findUser();
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

type Terms = Omit<MembershipRow, 'stored_status' | 'provisioning_method'>;

const provision = (terms: Terms, env: Env): MembershipRow =>
  asActiveMember({ ...terms, stored_status: 'ACTIVE', provisioning_method: 'direct_provision' }, env);

const invite = (terms: Terms, env: Env): MembershipRow => {
  if (env.settings.full_stack_authentication) requireMailDelivery(env);
  return { ...terms, stored_status: 'INVITED', provisioning_method: 'invitation', invite: openInvite(env) };
};

const changeMember = (
  state: State,
  { path, body }: MemberInput<'updateMembership'>,
  findUser: FindUser,
  env: Env,
): Answer<'updateMembership'> & Effects => {
  const role_ids = body.roles?.length ? resolveRoles(state, body.roles) : undefined;
  const membership = findMember(state, path.organization_id, findUser);
  const { user_id } = membership;
  const changed = {
    ...membership,
    ...(role_ids && { role_ids }),
    ...(body.metadata && { metadata: body.metadata }),
  };
  if (isDeepStrictEqual(changed, membership))
    return { status: 200, body: { user: presentUser(state, user_id, env) } };
  const next = putMembership(state, changed, env);
  return {
    status: 200,
    body: { user: presentUser(next, user_id, env) },
    state: next,
    changes: [membershipChange('membership.updated', changed, {})],
  };
};

const removeMember = (
  state: State,
  { path }: MemberInput<'deleteMembership'>,
  findUser: FindUser,
  env: Env,
): Answer<'deleteMembership'> & Effects => {
  const membership = findMember(state, path.organization_id, findUser);
  const { organization_id, user_id } = membership;
  const memberships = removeRow(state.memberships, membershipKey(organization_id, user_id));
  const without = { ...state, memberships };
  const isLast = membershipsOf(without, user_id).length === 0;
  const userGoes = isLast && env.settings.delete_user_with_last_membership;
  return {
    status: 200,
    body: {},
    state: userGoes ? removeUser(without, user_id) : touchUser(without, user_id, env),
    changes: [
      membershipChange('membership.deleted', membership, { from: membershipStatus(membership, env) }),
      ...(userGoes ? [{ type: 'user.deleted' as const, resource: { id: user_id } }] : []),
    ],
  };
};

const findMember = (state: State, organizationId: string, findUser: FindUser): MembershipRow => {
  requireOrganization(state, organizationId);
  return requireMembership(state, organizationId, findUser().id);
};
