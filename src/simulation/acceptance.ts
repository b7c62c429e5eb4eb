/** What an invited user can do on the invitation page: look at it, and accept (behaviour M8). */

import { wireTimes } from '../core/moment.ts';
import { defined } from '../core/object.ts';
import { rowsBy } from '../core/table.ts';
import { recordAttempt } from '../domain/auth-log.ts';
import { type InvitedMembership, inviteStatus } from '../domain/invite.ts';
import {
  asActiveMember,
  isInvited,
  membershipChange,
  membershipStatus,
  putMembership,
} from '../domain/membership.ts';
import type { Change, Env, Simulation } from '../domain/operation.ts';
import { requireOrganization } from '../domain/organization.ts';
import type { State } from '../domain/state.ts';
import { requireUser } from '../domain/user.ts';

/** The page that a token opens: the invitation, if it can be accepted or just was; else the reason why it cannot. */
export type InvitationPage =
  | ({ readonly pageState: 'open' | 'accepted' } & Invitation)
  | { readonly pageState: 'used' | 'expired' | 'replaced' | 'revoked' | 'unknown' };

/** The content of the invitation page. */
export interface Invitation {
  readonly email: string;
  /** The organization's display name. */
  readonly organization: string;
  readonly inviter_email?: string;
  /** When the invitation expires. Absent: never. */
  readonly expires_at?: string;
}

/** The token as it stands in the link, with the environment's key. */
interface InvitationToken {
  readonly token: string;
}

/** Shows the page; changes nothing. */
export const viewInvitation: Simulation<InvitationToken, InvitationPage> = (state, { token }, env) => ({
  reply: pageOf(state, findInvited(state, env.withoutEnvironmentKey(token)), env),
});

/** Accepts an open invitation: the member is ACTIVE from now on. Any other page stays as it is. */
export const acceptInvitation: Simulation<InvitationToken, InvitationPage> = (state, { token }, env) => {
  const found = findInvited(state, env.withoutEnvironmentKey(token));
  const reply = pageOf(state, found, env);
  if (!found || reply.pageState !== 'open') return { reply };
  return { reply: { ...reply, pageState: 'accepted' }, ...accept(state, found.membership, env) };
};

/** Accepts an invitation for its page and for testers: updates the membership, and logs a sign-in of the user. */
export const accept = (
  state: State,
  membership: InvitedMembership,
  env: Env,
): { readonly state: State; readonly changes: readonly Change[] } => {
  const from = membershipStatus(membership, env);
  const member = asActiveMember(membership, env);
  const { email } = requireUser(state, membership.user_id);
  const { organization_id } = membership;
  const attempt = { email, organization_id, workflow: 'INVITATION', status: 'SUCCESS' } as const;
  const login = recordAttempt(putMembership(state, member, env), attempt, env);
  return {
    state: login.state,
    changes: [membershipChange('invite.accepted', member, { from, to: 'ACTIVE' }), login.change],
  };
};

interface FoundInvite {
  readonly membership: InvitedMembership;
  /** Whether a newer invitation replaced the invitation of this token (behaviour M7). */
  readonly isReplaced: boolean;
}

const findInvited = (state: State, token: string): FoundInvite | undefined => {
  const membership = rowsBy(state.memberships, 'invite_token', token)[0];
  return membership && isInvited(membership)
    ? { membership, isReplaced: membership.invite.token !== token }
    : undefined;
};

const pageOf = (state: State, found: FoundInvite | undefined, env: Env): InvitationPage => {
  if (!found) return { pageState: 'unknown' };
  const { membership, isReplaced } = found;
  if (isReplaced) return { pageState: 'replaced' };
  const status = inviteStatus(membership, env);
  if (status !== 'pending') return { pageState: status === 'accepted' ? 'used' : status };
  return { pageState: 'open', ...describe(state, membership, env) };
};

const describe = (state: State, membership: InvitedMembership, env: Env): Invitation => ({
  email: requireUser(state, membership.user_id).email,
  organization: requireOrganization(state, membership.organization_id).display_name,
  ...defined({ inviter_email: membership.inviter_email }),
  ...wireTimes({ expires_at: membership.invite.expires_at }, env),
});
