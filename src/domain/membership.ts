/**
 * Memberships of users in organizations; their status follows from `stored_status`, invite and clock (behaviour
 * M1-M6).
 */
import { notFound, Refusal } from '../core/errors.ts';
import { absolute } from '../core/moment.ts';
import { getRow, putRow, rowsBy } from '../core/table.ts';
import type { Schemas } from '../openapi/types.ts';
import { type InvitedMembership, inviteStatus } from './invite.ts';
import type { Change, Env, Now } from './operation.ts';
import type { MembershipRow } from './rows.ts';
import { membershipKey, type State } from './state.ts';
import { touchUser } from './user.ts';

/**
 * The status of a membership by the environment's clock. A revoked invite cannot be accepted, so it counts as
 * expired.
 */
export const membershipStatus = (membership: MembershipRow, env: Now): Schemas['MembershipStatus'] => {
  if (membership.stored_status !== 'INVITED') return membership.stored_status;
  return isInvited(membership) && inviteStatus(membership, env) !== 'pending'
    ? 'INVITE_EXPIRED'
    : 'PENDING_INVITE';
};

/** The inverse of `membershipStatus`: the status to store so that it shows the given one. */
export const storedMembershipStatus = (
  status: Schemas['MembershipStatus'],
): MembershipRow['stored_status'] => (status === 'ACTIVE' || status === 'INACTIVE' ? status : 'INVITED');

export const isInvited = (membership: MembershipRow): membership is InvitedMembership =>
  membership.invite !== undefined;

export const findMembership = (
  state: State,
  organizationId: string,
  userId: string,
): MembershipRow | undefined => getRow(state.memberships, membershipKey(organizationId, userId));

/** The user's membership in the organization. @throws Refusal 404 if the user is not a member */
export const requireMembership = (state: State, organizationId: string, userId: string): MembershipRow => {
  const membership = findMembership(state, organizationId, userId);
  if (membership) return membership;
  throw notFound(
    `membership of user ${userId} in organization ${organizationId}`,
    'Create it first with POST on the same path.',
  );
};

/** A user's memberships, in the order they were made. */
export const membershipsOf = (state: State, userId: string): MembershipRow[] =>
  rowsBy(state.memberships, 'user_id', userId);

/** Refuses users who are members already, whatever their status. @throws Refusal 409 (behaviour M1) */
export const requireNoMembership = (state: State, organizationId: string, userId: string, env: Env): void => {
  const membership = findMembership(state, organizationId, userId);
  if (!membership) return;
  throw new Refusal(
    'RESOURCE_ALREADY_EXISTS',
    `User ${userId} is already a member of organization ${organizationId} (${membershipStatus(membership, env)}).`,
    'Change the membership with PATCH, or DELETE it first.',
    {
      rule: 'M1',
      resource: { resource_name: `membership of user ${userId} in organization ${organizationId}` },
    },
  );
};

/** Adds or replaces a membership. Responses show it within its user, so the user counts as updated too. */
export const putMembership = (state: State, membership: MembershipRow, env: Env): State =>
  touchUser({ ...state, memberships: putRow(state.memberships, membership) }, membership.user_id, env);

/** Makes the member ACTIVE from now on, invited or not (behaviour M1, M8). */
export const asActiveMember = (membership: MembershipRow, env: Env): MembershipRow => ({
  ...membership,
  stored_status: 'ACTIVE',
  accepted_at: absolute(env.now),
  join_time: absolute(env.now),
});

/** The change of a membership that observers see, with the status before and after. */
export const membershipChange = (
  type: Change['type'],
  { organization_id, user_id }: MembershipRow,
  statuses: Pick<Change, 'from' | 'to'>,
): Change => ({ type, resource: { organization_id, user_id }, ...statuses });
