/** The page of an invitation: who invites whom to what, and a button that accepts the invitation (behaviour M8). */

import { html } from '../../engine/pages/html.ts';
import { questionPage } from '../../engine/pages/layout.ts';
import { noticePage } from '../../engine/pages/notices.ts';
import type { Visit, VisitAnswer } from '../../engine/pages/visit.ts';
import { invitationAccepted, NOTICES } from '../notices.ts';
import type { Env, VisitStep } from '../operation.ts';
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
  if (pageState !== 'open') return noticePage(NOTICES[`invitation-${pageState}`], environment.name);
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
