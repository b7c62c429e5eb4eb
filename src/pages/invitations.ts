/** Visits of an invitation: looking at it, and accepting it (behaviour M8). */
import { rowsBy } from '../core/table.ts';
import type { Env } from '../domain/operation.ts';
import type { State } from '../domain/state.ts';
import { acceptInvitation, type InvitationPage, viewInvitation } from '../simulation/acceptance.ts';
import type { PageAnswer } from './answer.ts';
import { invitationPage } from './invitation-page.ts';
import { noticePage } from './notice-page.ts';
import { INVITATION_NOTICES, invitationAccepted } from './notices.ts';
import type { Step, Visit } from './visit.ts';

/** Whether a state has an invitation of this token, without an environment's key. */
export const knowsInvitation = (state: State, token: string): boolean =>
  rowsBy(state.memberships, 'invite_token', token).length > 0;

/** One visit of an invitation: a post accepts it, anything else looks at it. */
export const visitInvitation =
  ({ method, token }: Visit): Step =>
  (state, env) => {
    const { reply, ...effects } = (method === 'POST' ? acceptInvitation : viewInvitation)(
      state,
      { token },
      env,
    );
    return { answer: toAnswer(reply, env), ...effects };
  };

const toAnswer = (invitation: InvitationPage, env: Env): PageAnswer => {
  const environment = env.environment.name;
  if (invitation.pageState === 'open') {
    return { status: 200, page: invitationPage({ ...invitation, environment }), formAction: "'self'" };
  }
  const notice =
    invitation.pageState === 'accepted'
      ? invitationAccepted(invitation.organization)
      : INVITATION_NOTICES[invitation.pageState];
  return { status: notice.status, page: noticePage(notice, environment) };
};
