/** What a tester can do to a membership from outside the API (`memberships/.../{action}` of the control plane). */

import { Refusal } from '../core/errors.ts';
import { absolute } from '../core/moment.ts';
import { type InvitedMembership, inviteStatus, openInvite, renewInvite } from '../domain/invite.ts';
import {
  asActiveMember,
  isInvited,
  membershipChange,
  membershipStatus,
  putMembership,
  requireMembership,
} from '../domain/membership.ts';
import type { Effects, Env, Simulation } from '../domain/operation.ts';
import { requireOrganization } from '../domain/organization.ts';
import type { MembershipRow } from '../domain/rows.ts';
import type { State } from '../domain/state.ts';
import { requireUser } from '../domain/user.ts';
import { presentMembership } from '../domain/user-view.ts';
import type { Schemas } from '../openapi/types.ts';
import { accept } from './acceptance.ts';

export type MembershipAction = 'accept' | 'expire' | 'deactivate' | 'activate' | 'invite';

export interface MembershipActionGiven {
  readonly organization_id: string;
  readonly user_id: string;
  readonly action: MembershipAction;
}

/**
 * Moves a membership. `accept` accepts as on the invitation page, `expire` ends a pending invitation now,
 * `deactivate` suspends a member (and revokes an open invitation), `activate` makes the member ACTIVE, `invite` makes
 * a member invited again, without an e-mail. A move to the current status changes nothing.
 * @returns the membership as the contract shows it
 * @throws Refusal 404 for an unknown organization, user or membership; 400 for a move that the current status does
 * not allow
 */
export const moveMembership: Simulation<MembershipActionGiven, Schemas['Membership']> = (
  state,
  given,
  env,
) => {
  requireOrganization(state, given.organization_id);
  requireUser(state, given.user_id);
  const membership = requireMembership(state, given.organization_id, given.user_id);
  const effects = MOVES[given.action](state, membership, env);
  const next = effects.state ?? state;
  const moved = requireMembership(next, given.organization_id, given.user_id);
  return { reply: presentMembership(next, moved, env), ...effects };
};

type MembershipMove = (state: State, membership: MembershipRow, env: Env) => Effects;

const MOVES: Readonly<Record<MembershipAction, MembershipMove>> = {
  accept: (state, membership, env) => accept(state, requirePending(membership, 'accept', env), env),

  expire: (state, membership, env) => {
    if (membershipStatus(membership, env) === 'INVITE_EXPIRED') return {};
    const { invite, ...pending } = requirePending(membership, 'expire', env);
    return replace(
      state,
      membership,
      { ...pending, invite: { ...invite, expires_at: absolute(env.now) } },
      env,
    );
  },

  deactivate: (state, membership, env) =>
    membership.stored_status === 'INACTIVE' ? {} : replace(state, membership, deactivated(membership), env),

  activate: (state, membership, env) =>
    membership.stored_status === 'ACTIVE' ? {} : replace(state, membership, activated(membership, env), env),

  invite: (state, membership, env) =>
    membershipStatus(membership, env) === 'PENDING_INVITE'
      ? {}
      : replace(state, membership, invited(membership, env), env),
};

const invited = ({ accepted_at: _accepted, join_time: _joined, ...kept }: MembershipRow, env: Env) => ({
  ...kept,
  stored_status: 'INVITED' as const,
  invite: kept.invite ? renewInvite(kept.invite, env) : openInvite(env),
});

const deactivated = (membership: MembershipRow): MembershipRow => ({
  ...membership,
  stored_status: 'INACTIVE',
  ...(membership.stored_status === 'INVITED' &&
    membership.invite && { invite: { ...membership.invite, is_revoked: true } }),
});

/** Keeps the first join time of somebody who was a member before. */
const activated = (membership: MembershipRow, env: Env): MembershipRow =>
  membership.join_time === undefined
    ? asActiveMember(membership, env)
    : { ...membership, stored_status: 'ACTIVE' };

const replace = (state: State, before: MembershipRow, after: MembershipRow, env: Env): Effects => ({
  state: putMembership(state, after, env),
  changes: [
    membershipChange('membership.updated', after, {
      from: membershipStatus(before, env),
      to: membershipStatus(after, env),
    }),
  ],
});

const requirePending = (membership: MembershipRow, action: MembershipAction, env: Env): InvitedMembership => {
  if (isInvited(membership) && inviteStatus(membership, env) === 'pending') return membership;
  const { user_id, organization_id } = membership;
  throw new Refusal(
    'FAILED_PRECONDITION',
    `${action} needs an invitation that is pending, and user ${user_id} in organization ${organization_id} has none (${membershipStatus(membership, env)}).`,
    'Resend the invitation, or use activate.',
  );
};
