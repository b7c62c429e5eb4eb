/** What an invited user can do on the invitation page: look at it, and accept (behaviour M8). */
import { wireTimes } from '../core/moment.ts';
import { defined } from '../core/object.ts';
import { rowsBy } from '../core/table.ts';
import { recordAttempt } from '../domain/auth-log.ts';
import { requireOrganization, requireUser } from '../domain/directory.ts';
import {
  asActiveMember,
  type InvitedMembership,
  inviteStatus,
  isInvited,
  membershipChange,
  membershipStatus,
  putMembership,
} from '../domain/membership.ts';
import type { Effects, Env, Simulation } from '../domain/operation.ts';
import type { State } from '../domain/state.ts';

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
export const viewInvitation: Simulation<InvitationToken, InvitationPage> = (state, given, env) => ({
  reply: pageOf(state, findInvited(state, given, env), given, env),
});

/** Accepts an open invitation: the member is ACTIVE from now on. Any other page stays as it is. */
export const acceptInvitation: Simulation<InvitationToken, InvitationPage> = (state, given, env) => {
  const membership = findInvited(state, given, env);
  const reply = pageOf(state, membership, given, env);
  if (!membership || reply.pageState !== 'open') return { reply };
  return { reply: { ...reply, pageState: 'accepted' }, ...accept(state, membership, env) };
};

/** Accepts an invitation for its page and for testers: updates the membership, and logs a sign-in of the user. */
export const accept = (state: State, membership: InvitedMembership, env: Env): Effects => {
  const { organization_id, user_id } = membership;
  const { email } = requireUser(state, user_id);
  const attempt = { email, organization_id, workflow: 'INVITATION', status: 'SUCCESS' } as const;
  const joined = putMembership(state, asActiveMember(membership, env), env);
  const login = recordAttempt(joined, attempt, env);
  const statuses = { from: membershipStatus(membership, env), to: 'ACTIVE' };
  return {
    state: login.state,
    changes: [membershipChange('invite.accepted', membership, statuses), login.change],
  };
};

/** The membership of an invitation, or of an earlier one that the invitation replaced (behaviour M7). */
const findInvited = (state: State, { token }: InvitationToken, env: Env): InvitedMembership | undefined =>
  rowsBy(state.memberships, 'invite_token', env.withoutEnvironmentKey(token)).find(isInvited);

const pageOf = (
  state: State,
  membership: InvitedMembership | undefined,
  { token }: InvitationToken,
  env: Env,
): InvitationPage => {
  if (!membership) return { pageState: 'unknown' };
  const { invite, organization_id, user_id, inviter_email } = membership;
  if (invite.token !== env.withoutEnvironmentKey(token)) return { pageState: 'replaced' };
  const status = inviteStatus(membership, env);
  if (status === 'accepted') return { pageState: 'used' };
  if (status !== 'pending') return { pageState: status };
  return {
    pageState: 'open',
    email: requireUser(state, user_id).email,
    organization: requireOrganization(state, organization_id).display_name,
    ...defined({ inviter_email }),
    ...wireTimes({ expires_at: invite.expires_at }, env),
  };
};
