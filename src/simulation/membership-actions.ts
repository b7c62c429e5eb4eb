/** What a tester can do to a membership from outside the API (`memberships/.../{action}` of the control plane). */

import { Refusal } from '../core/errors.ts';
import { absolute } from '../core/moment.ts';
import { requireOrganization, requireUser } from '../domain/directory.ts';
import {
  asActiveMember,
  type InvitedMembership,
  inviteStatus,
  isInvited,
  membershipChange,
  membershipStatus,
  openInvite,
  putMembership,
  renewInvite,
  requireMembership,
} from '../domain/membership.ts';
import type { Effects, Env, Simulation } from '../domain/operation.ts';
import type { MembershipRow } from '../domain/rows.ts';
import type { State } from '../domain/state.ts';
import { presentMembership } from '../domain/user-view.ts';
import type { Schemas } from '../openapi/types.ts';
import { accept } from './acceptance.ts';

export interface MembershipMove {
  readonly organization_id: string;
  readonly user_id: string;
  readonly action: keyof typeof MOVES;
}

/**
 * Moves a membership. `accept` accepts as on the invitation page, `expire` ends a pending invitation now,
 * `deactivate` suspends a member (and revokes an open invitation), `activate` makes the member ACTIVE, `invite` makes
 * a member invited again, without an e-mail. A move to the current status changes nothing.
 * @returns the membership as the contract shows it
 * @throws Refusal 404 for an unknown organization, user or membership; 400 for a move that the current status does
 * not allow
 */
export const moveMembership: Simulation<MembershipMove, Schemas['Membership']> = (
  state,
  { organization_id, user_id, action },
  env,
) => {
  requireOrganization(state, organization_id);
  requireUser(state, user_id);
  const effects = MOVES[action](state, requireMembership(state, organization_id, user_id), env);
  const next = effects.state ?? state;
  const moved = requireMembership(next, organization_id, user_id);
  return { reply: presentMembership(next, moved, env), ...effects };
};

const MOVES = {
  accept: (state, membership, env) => accept(state, requirePending(membership, 'accept', env), env),

  expire: (state, membership, env) => {
    if (membershipStatus(membership, env) === 'INVITE_EXPIRED') return {};
    const { invite, ...pending } = requirePending(membership, 'expire', env);
    const expired = { ...pending, invite: { ...invite, expires_at: absolute(env.now) } };
    return replace(state, membership, expired, env);
  },

  deactivate: (state, membership, env) => {
    const { stored_status, invite } = membership;
    if (stored_status === 'INACTIVE') return {};
    const revoked = stored_status === 'INVITED' && invite && { invite: { ...invite, is_revoked: true } };
    return replace(state, membership, { ...membership, stored_status: 'INACTIVE', ...revoked }, env);
  },

  activate: (state, membership, env) => {
    if (membership.stored_status === 'ACTIVE') return {};
    // Somebody who was a member before keeps the first join time.
    const active: MembershipRow =
      membership.join_time === undefined
        ? asActiveMember(membership, env)
        : { ...membership, stored_status: 'ACTIVE' };
    return replace(state, membership, active, env);
  },

  invite: (state, membership, env) => {
    if (membershipStatus(membership, env) === 'PENDING_INVITE') return {};
    const { accepted_at: _accepted, join_time: _joined, ...kept } = membership;
    const invite = kept.invite ? renewInvite(kept.invite, env) : openInvite(env);
    return replace(state, membership, { ...kept, stored_status: 'INVITED', invite }, env);
  },
} as const satisfies Readonly<Record<string, (state: State, membership: MembershipRow, env: Env) => Effects>>;

const replace = (state: State, before: MembershipRow, after: MembershipRow, env: Env): Effects => ({
  state: putMembership(state, after, env),
  changes: [
    membershipChange('membership.updated', after, {
      from: membershipStatus(before, env),
      to: membershipStatus(after, env),
    }),
  ],
});

const requirePending = (membership: MembershipRow, action: string, env: Env): InvitedMembership => {
  if (isInvited(membership) && inviteStatus(membership, env) === 'pending') return membership;
  const { user_id, organization_id } = membership;
  throw new Refusal(
    'FAILED_PRECONDITION',
    `${action} needs an invitation that is pending, and user ${user_id} in organization ${organization_id} has none (${membershipStatus(membership, env)}).`,
    'Resend the invitation, or use activate.',
  );
};
