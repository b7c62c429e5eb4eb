/** Visits of an invitation: who invites whom to what, and one button that accepts it (behaviour M8). */
import { rowsBy } from '../core/table.ts';
import type { Env } from '../domain/operation.ts';
import type { State } from '../domain/state.ts';
import type { PageVisit } from '../environments/environment.ts';
import {
  acceptInvitation,
  type Invitation,
  type InvitationPage,
  viewInvitation,
} from '../simulation/acceptance.ts';
import { html } from './html.ts';
import { endNote, facts, hero, layout, monogram } from './layout.ts';
import { invitationAccepted, noticeOf, noticePage } from './notices.ts';
import type { PageAnswer, Step, Visit } from './visit.ts';

/** The ids of the membership to which a token invites. @param token without an environment's key */
export const findInvited = (state: State, token: string): PageVisit['resource'] | undefined => {
  const [membership] = rowsBy(state.memberships, 'invite_token', token);
  return membership && { organization_id: membership.organization_id, user_id: membership.user_id };
};

/** One visit of an invitation: a post accepts it, any other method only shows it. */
export const visitInvitation =
  ({ method, token }: Visit): Step =>
  (state, env) => {
    const [action, simulation] =
      method === 'POST' ? (['accept', acceptInvitation] as const) : (['open', viewInvitation] as const);
    const { reply, ...effects } = simulation(state, { token }, env);
    return { action, answer: toAnswer(reply, env), ...effects };
  };

const toAnswer = (invitation: InvitationPage, env: Env): PageAnswer => {
  const environment = env.environment.name;
  switch (invitation.pageState) {
    case 'open':
      return {
        name: 'invitation',
        status: 200,
        page: invitationPage(invitation, environment),
        formAction: "'self'",
      };
    case 'accepted':
      return noticePage(invitationAccepted(invitation.organization), environment);
    default:
      return noticePage(noticeOf(`invitation-${invitation.pageState}`), environment);
  }
};

const invitationPage = (
  { organization, email, inviter_email, expires_at }: Invitation,
  environment: string,
): string =>
  layout({
    title: `Join ${organization}`,
    environment,
    name: 'invitation',
    content: html`${hero(monogram(organization), `Join ${organization}`, 'You are invited to become a member.')}
${facts([
  ['Organization', 'organization', organization],
  ['Invited', 'email', email],
  ['Invited by', 'inviter', inviter_email],
])}
<h2 id="next">What happens next</h2>
<ul class="next" aria-labelledby="next">
<li><b>Accept</b><span>You are a member from that moment on.</span></li>
<li><b>Ignore</b><span>Not you, or not now? Close this page. Nothing changes.</span></li>
</ul>
<form method="post">
<div class="actions"><button data-testid="accept">Accept invitation</button></div>
</form>
${endNote('The invitation lasts until', expires_at)}`,
  });
