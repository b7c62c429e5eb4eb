/** The page of an invitation: who invites whom to what, and a button that accepts the invitation (behaviour M8). */

import { html } from '../../engine/pages/html.ts';
import { questionPage } from '../../engine/pages/layout.ts';
import { type Notice, noticePage } from '../../engine/pages/notices.ts';
import type { Visit, VisitAnswer } from '../../engine/pages/visit.ts';
import type { Env, VisitStep } from '../types.ts';
import { acceptInvitation, type Invitation, type InvitationPage, viewInvitation } from './actions.ts';

/** Handles a visit to an invitation: POST accepts the invitation, and any other method only shows it. */
export const visitInvitation =
  ({ method, token }: Visit): VisitStep =>
  (state, env) => {
    const simulation = method === 'POST' ? acceptInvitation : viewInvitation;
    const { reply, ...effects } = simulation(state, { token }, env);
    return { answer: toAnswer(reply, env), ...effects };
  };

const toAnswer = (invitation: InvitationPage, { environment, settings }: Env): VisitAnswer => {
  const { pageState } = invitation;
  const login = settings.initiate_login_url;
  if (pageState === 'accepted' && login !== null) return { location: login };
  if (pageState === 'accepted')
    return noticePage(invitationAccepted(invitation.organization), environment.name);
  if (pageState !== 'open') return noticePage(INVITATION_NOTICES[pageState], environment.name);
  const page = invitationPage(invitation, environment.name);
  // Chromium also checks where the answer to a post redirects.
  const formAction = login === null ? "'self'" : `'self' ${new URL(login).origin}`;
  return { status: 200, page, formAction };
};

const invitationPage = (invitation: Invitation, environment: string): string =>
  questionPage({
    name: 'invitation',
    environment,
    title: `Join ${invitation.organization}`,
    subject: invitation.organization,
    lead: 'You are invited to become a member.',
    facts: [
      ['Organization', 'organization', invitation.organization],
      ['Invited', 'email', invitation.email],
      ['Invited by', 'inviter', invitation.inviter_email],
    ],
    outcomes: [
      ['Accept', 'You become a member at once.'],
      [
        'Ignore',
        'If the invitation is not for you, or you want to decide later, close this page. Nothing changes.',
      ],
    ],
    buttons: html`<button data-testid="accept">Accept invitation</button>`,
    endNote: 'The invitation is valid until',
    end: invitation.expires_at,
  });

const NEW_INVITATION = 'ask the person who invited you to send the invitation again.';

/** Accepted, expired and withdrawn invitations answer 410 (behaviour M7, M8). */
export const INVITATION_NOTICES = {
  used: {
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
