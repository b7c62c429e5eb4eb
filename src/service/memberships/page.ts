/** The page of an invitation: who invites whom to what, and a button that accepts the invitation (behaviour M8). */

import { wireTimes } from '../../engine/core/moment.ts';
import { rowsBy } from '../../engine/core/table.ts';
import { html } from '../../engine/pages/html.ts';
import { questionPage } from '../../engine/pages/layout.ts';
import { type Notice, noticePage } from '../../engine/pages/notices.ts';
import type { PageAnswer, Visit, VisitAnswer } from '../../engine/pages/visit.ts';
import { requireOrganization, requireUser } from '../directory.ts';
import type { State } from '../state.ts';
import type { Env, VisitStep } from '../types.ts';
import { accept } from './actions.ts';
import { type InvitedMembership, inviteStatus, isInvited } from './rules.ts';

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
