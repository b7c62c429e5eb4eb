/** A user's place in an organization, and the status that follows from standing, invite and clock (behaviour M1-M6). */
import type { Schemas } from '../contract/types.ts';
import { notFound } from '../core/errors.ts';
import type { Moment } from '../core/moment.ts';
import { getRow, rowsBy, type TableSpec } from '../core/table.ts';
import { type InvitedMembership, type InviteRow, inviteStatus } from './invite.ts';
import type { Env } from './operation.ts';
import type { State } from './state.ts';

export interface MembershipRow {
  readonly organization_id: string;
  readonly user_id: string;
  /** `INVITED` reads PENDING_INVITE or INVITE_EXPIRED by the clock (behaviour M6). */
  readonly standing: 'ACTIVE' | 'INACTIVE' | 'INVITED';
  readonly created_at: Moment;
  readonly accepted_at?: Moment;
  readonly join_time?: Moment;
  /** Who asked for the membership, with or without an invitation. */
  readonly inviter_email?: string;
  readonly metadata: Schemas['Metadata'];
  readonly role_ids: readonly string[];
  readonly provisioning_method: Schemas['ProvisioningMethod'];
  /** Groups the user is in through this organization; they go when the membership goes (behaviour M4). */
  readonly groups: readonly string[];
  readonly invite?: InviteRow;
}

/** The id of a membership row: the pair it stands for. */
export const membershipKey = (organizationId: string, userId: string): string =>
  `${organizationId}/${userId}`;

export const MEMBERSHIPS: TableSpec<MembershipRow, 'user_id' | 'invite_token'> = {
  id: (row) => membershipKey(row.organization_id, row.user_id),
  indexes: {
    user_id: (row) => row.user_id,
    invite_token: (row) => (row.invite ? [row.invite.token, ...row.invite.ended_tokens] : undefined),
  },
};

/** What a membership is at this instant of the environment's clock; a revoked invite can be accepted no more than an expired one. */
export const membershipStatus = (
  membership: MembershipRow,
  env: Pick<Env, 'now' | 'start'>,
): Schemas['MembershipStatus'] => {
  if (membership.standing !== 'INVITED') return membership.standing;
  return isInvited(membership) && inviteStatus(membership, env) !== 'pending'
    ? 'INVITE_EXPIRED'
    : 'PENDING_INVITE';
};

export const isInvited = (membership: MembershipRow): membership is InvitedMembership =>
  membership.invite !== undefined;

export const findMembership = (
  state: State,
  organizationId: string,
  userId: string,
): MembershipRow | undefined => getRow(state.memberships, membershipKey(organizationId, userId));

/** @throws ApiError 404 if the user is no member of the organization */
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
