/**
 * What happens to memberships outside the API (behaviour M7, M8): actions, and the page of an invitation, which says who
 * invites whom to what and has a button that accepts; and how the console shows memberships, roles and e-mails.
 */
import { Refusal } from '../../engine/core/errors.ts';
import { absolute, wireTimes } from '../../engine/core/moment.ts';
import { getRow, rowsBy } from '../../engine/core/table.ts';
import type { PageAnswer, Visit, VisitAnswer } from '../../engine/operation.ts';
import { html, type Notice, noticePage, questionPage } from '../../engine/pages/layout.ts';
import { putUser, requireOrganization, requireUser } from '../directory.ts';
import { recordAttempt } from '../logs.ts';
import { type MembershipRow, membershipKey, type RoleRow, type State } from '../state.ts';
import { asReply, type Env, type NounView, type RowAction, type Told, type VisitStep } from '../types.ts';
import {
  asActiveMember,
  createMembership,
  type InvitedMembership,
  inviteStatus,
  isInvited,
  membershipChange,
  membershipStatus,
  openInvite,
  presentMembership,
  putMembership,
  renewInvite,
  requireMembership,
  resendInvite,
} from './operations.ts';

/** Accepts an invitation: makes the member ACTIVE and the e-mail address verified, and logs a sign-in of the user. */
export const accept = (state: State, membership: InvitedMembership, env: Env) => {
  const { organization_id, user_id } = membership;
  const { email } = requireUser(state, user_id);
  const attempt = { email, organization_id, workflow: 'INVITATION', status: 'SUCCESS' } as const;
  const joined = putMembership(verifyEmail(state, user_id), asActiveMember(membership, env), env);
  const login = recordAttempt(joined, attempt, env);
  const statuses = { from: membershipStatus(membership, env), to: 'ACTIVE' };
  return {
    state: login.state,
    changes: [membershipChange('invite.accepted', membership, statuses), login.change],
  };
};

const verifyEmail = (state: State, userId: string): State => {
  const { user_profile, ...user } = requireUser(state, userId);
  return user_profile
    ? putUser(state, { ...user, user_profile: { ...user_profile, email_verified: true } })
    : state;
};

/** An action without its step, and the membership that it leaves; undefined if nothing changes. */
type Move = Told & {
  moved(membership: MembershipRow, env: Env): MembershipRow | undefined;
};

const MOVES: readonly Move[] = [
  {
    name: 'expire',
    when: { membership_status: ['PENDING_INVITE'] },
    /** Ends a pending invitation now. */
    moved: (membership, env) => {
      if (membershipStatus(membership, env) === 'INVITE_EXPIRED') return undefined;
      const { invite, ...pending } = requirePending(membership, 'expire', env);
      return { ...pending, invite: { ...invite, expires_at: absolute(env.now) } };
    },
  },
  {
    name: 'activate',
    when: { membership_status: ['INACTIVE', 'INVITE_EXPIRED'] },
    moved: (membership, env) => {
      if (membership.stored_status === 'ACTIVE') return undefined;
      // A member who was active before keeps the first join time.
      return membership.join_time === undefined
        ? asActiveMember(membership, env)
        : { ...membership, stored_status: 'ACTIVE' };
    },
  },
  {
    name: 'invite',
    label: 'Back to pending',
    hint: 'With a new invitation, but without an e-mail',
    when: { membership_status: ['ACTIVE', 'INACTIVE', 'INVITE_EXPIRED'] },
    moved: (membership, env) => {
      if (membershipStatus(membership, env) === 'PENDING_INVITE') return undefined;
      const { accepted_at: _accepted, join_time: _joined, ...kept } = membership;
      const invite = kept.invite ? renewInvite(kept.invite, env) : openInvite(env);
      return { ...kept, stored_status: 'INVITED', invite };
    },
  },
  {
    name: 'deactivate',
    danger: true,
    when: { membership_status: ['ACTIVE', 'PENDING_INVITE', 'INVITE_EXPIRED'] },
    /** Suspends the member, and revokes a pending invitation. */
    moved: (membership) => {
      const { stored_status, invite } = membership;
      if (stored_status === 'INACTIVE') return undefined;
      const revoked = stored_status === 'INVITED' && invite && { invite: { ...invite, is_revoked: true } };
      return { ...membership, stored_status: 'INACTIVE', ...revoked };
    },
  },
];

const requirePending = (membership: MembershipRow, action: string, env: Env): InvitedMembership => {
  if (isInvited(membership) && inviteStatus(membership, env) === 'pending') return membership;
  const { user_id, organization_id } = membership;
  throw new Refusal(
    'FAILED_PRECONDITION',
    `${action} needs a pending invitation, but user ${user_id} has none in organization ${organization_id}; the membership is ${membershipStatus(membership, env)}.`,
    'Resend the invitation, or use the action "activate" instead.',
    { rule: 'M7' },
  );
};

/** The organization and the user of a membership's id. */
const partsOf = (id: string): { readonly organization_id: string; readonly user_id: string } => {
  const [organization_id = '', user_id = ''] = id.split(/\/(.*)/s);
  return { organization_id, user_id };
};

const requireById = (state: State, id: string): MembershipRow => {
  const { organization_id, user_id } = partsOf(id);
  requireOrganization(state, organization_id);
  requireUser(state, user_id);
  return requireMembership(state, organization_id, user_id);
};

export const membershipActions: readonly RowAction[] = [
  {
    name: 'resend',
    label: 'Send again',
    when: { membership_status: ['PENDING_INVITE', 'INVITE_EXPIRED'] },
    step: (state, { id }, env) => {
      const { organization_id, user_id } = partsOf(id);
      const path = { organization_id, id: user_id };
      return asReply(resendInvite(state, { path, query: {}, body: {} }, env));
    },
  },
  {
    name: 'accept',
    when: { membership_status: ['PENDING_INVITE'] },
    step: (state, { id }, env) => {
      const effects = accept(state, requirePending(requireById(state, id), 'accept', env), env);
      return { reply: presentMembership(effects.state, requireById(effects.state, id), env), ...effects };
    },
  },
  ...MOVES.map(
    ({ moved, ...told }): RowAction => ({
      ...told,
      step: (state, { id }, env) => {
        const before = requireById(state, id);
        const after = moved(before, env);
        if (!after) return { reply: presentMembership(state, before, env) };
        const next = putMembership(state, after, env);
        const statuses = { from: membershipStatus(before, env), to: membershipStatus(after, env) };
        return {
          reply: presentMembership(next, after, env),
          state: next,
          changes: [membershipChange('membership.updated', after, statuses)],
        };
      },
    }),
  ),
];

export const membershipView: NounView<MembershipRow> = {
  label: 'Memberships',
  name: 'user',
  status: 'membership_status',
  about: ['organization_id', 'roles'],
  columns: ['membership_status', 'created_at', 'expires_at'],
  tones: { ACTIVE: 'good', PENDING_INVITE: 'warn', INVITE_EXPIRED: 'bad', INACTIVE: 'quiet' },
  fields: [
    { name: 'user_id', label: 'User', pick: 'users', required: true, onlyNew: true },
    { name: 'organization_id', label: 'Organization', pick: 'organizations', required: true, onlyNew: true },
    { name: 'roles', pick: 'roles', many: true },
    {
      name: 'send_invitation_email',
      label: 'Invitation by e-mail',
      pick: ['true', 'false'],
      onlyNew: true,
    },
  ],
  more: ({ users }, { user_id }) => ({ user: getRow(users, user_id)?.email, user_id }),
  page: ({ invite, stored_status }) =>
    invite && stored_status === 'INVITED' ? `/invitations/${invite.token}` : undefined,
  end: ({ users }, { invite, stored_status, user_id }) =>
    invite?.expires_at === undefined || stored_status !== 'INVITED' || invite.is_revoked
      ? undefined
      : { what: 'invitation', of: getRow(users, user_id)?.email ?? '', at: invite.expires_at },
  create: (state, { user_id, organization_id, roles, send_invitation_email, ...rest }, env) => {
    const path = { organization_id: String(organization_id), id: String(user_id) };
    const body = { ...rest, roles: [roles ?? []].flat().map((id) => ({ id: String(id) })) };
    const query = typeof send_invitation_email === 'boolean' ? { send_invitation_email } : {};
    const made = asReply(createMembership(state, { path, query, body }, env));
    return { ...made, reply: { id: membershipKey(path.organization_id, path.id) } };
  },
};

export const roleView: NounView<RoleRow> = {
  group: 'People',
  about: ['display_name'],
  columns: ['permissions', 'default', 'extends'],
  fields: [
    { name: 'name', required: true },
    { name: 'permissions', many: true },
    { name: 'extends', pick: 'roles', many: true },
    { name: 'default' },
  ],
  shows: ['memberships'],
};

export const emailView: NounView<object> = {
  label: 'E-mails',
  one: 'e-mail',
  group: 'People',
  name: 'subject',
  about: ['to'],
  columns: ['kind', 'time'],
};

/** Handles a visit to an invitation: POST accepts the invitation, and any other method only shows it. */
export const visitInvitation =
  ({ method, token }: Visit): VisitStep =>
  (state, env) => {
    const own = env.withoutEnvironmentKey(token);
    const membership = rowsBy(state.memberships, 'invite_token', own).find(isInvited);
    const tells = (why: keyof typeof INVITATION_NOTICES) => ({
      answer: noticePage(INVITATION_NOTICES[why], env.environment.name),
    });
    if (!membership) return tells('unknown');
    if (membership.invite.token !== own) return tells('replaced');
    const status = inviteStatus(membership, env);
    const accepts = method === 'POST';
    if (status === 'pending' && !accepts) return { answer: invitationPage(state, membership, env) };
    const answer = welcome(state, membership, env);
    if (status === 'pending') return { answer, ...accept(state, membership, env) };
    const isRepeated = accepts && status === 'accepted' && membership.stored_status === 'ACTIVE';
    return isRepeated ? { answer } : tells(status); // a double click shows the same again
  };

const organizationOf = (state: State, { organization_id }: InvitedMembership): string =>
  requireOrganization(state, organization_id).display_name;

const welcome = (state: State, membership: InvitedMembership, env: Env): VisitAnswer => {
  const { initiate_login_url: location } = env.settings;
  const notice = invitationAccepted(organizationOf(state, membership));
  return location === null ? noticePage(notice, env.environment.name) : { location };
};

const invitationPage = (state: State, membership: InvitedMembership, env: Env): PageAnswer => {
  const { invite, user_id, inviter_email } = membership;
  const login = env.settings.initiate_login_url;
  const organization = organizationOf(state, membership);
  const ignore = 'If the invitation is not for you, or you want to decide later, close this page.';
  const page = questionPage({
    name: 'invitation',
    environment: env.environment.name,
    title: `Join ${organization}`,
    subject: organization,
    lead: 'You are invited to become a member.',
    facts: [
      ['Organization', 'organization', organization],
      ['Invited', 'email', requireUser(state, user_id).email],
      ['Invited by', 'inviter', inviter_email],
    ],
    outcomes: [
      ['Accept', 'You become a member at once.'],
      ['Ignore', `${ignore} Nothing changes.`],
    ],
    buttons: html`<button data-testid="accept">Accept invitation</button>`,
    endNote: 'The invitation is valid until',
    end: wireTimes({ expires_at: invite.expires_at }, env).expires_at,
  });
  // Chromium also checks where the answer to a post redirects.
  return { status: 200, page, formAction: login === null ? "'self'" : `'self' ${new URL(login).origin}` };
};

const NEW_INVITATION = 'ask the person who invited you to send the invitation again.';

/** Accepted, expired and withdrawn invitations answer 410 (behaviour M7, M8). */
export const INVITATION_NOTICES = {
  accepted: {
    name: 'invitation-used',
    status: 410,
    icon: 'check',
    title: 'This invitation was already accepted',
    explanation: 'An invitation works only once.',
    next: 'You are already a member of the organization. Sign in to the application.',
  },
  expired: {
    name: 'invitation-expired',
    status: 410,
    icon: 'clock',
    title: 'This invitation has expired',
    explanation: 'The invitation was not accepted in time. Nothing changed.',
    next: `To join, ${NEW_INVITATION}`,
  },
  replaced: {
    name: 'invitation-replaced',
    status: 410,
    icon: 'clock',
    title: 'There is a newer invitation',
    explanation: 'This invitation stopped working when a newer one was sent.',
    next: 'Open the link of the newest invitation in your mailbox.',
  },
  revoked: {
    name: 'invitation-revoked',
    status: 410,
    title: 'This invitation was withdrawn',
    explanation: 'The invitation can no longer be accepted. Nothing changed.',
    next: 'If that is a mistake, ask the person who invited you.',
  },
  unknown: {
    name: 'invitation-unknown',
    status: 404,
    icon: 'question',
    title: 'This invitation is unknown',
    explanation: 'The address may be incomplete, or the membership may have been deleted.',
    next: `Check that the whole address was copied. If it was, ${NEW_INVITATION}`,
  },
} as const satisfies Record<string, Notice>;

const invitationAccepted = (organization: string): Notice => ({
  name: 'invitation-accepted',
  status: 200,
  icon: 'people',
  title: `Welcome to ${organization}`,
  explanation: 'You accepted the invitation and are now a member.',
  next: 'You can close this page and sign in to the application.',
});
