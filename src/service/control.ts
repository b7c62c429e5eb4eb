/** Handlers of calls that simulate events outside the API: actions of third parties, decisions of users, sign-ins. */

import type { Handlers } from '../engine/control/call-types.ts';
import { idOf, runIn } from '../engine/control/handlers/shared.ts';
import { Refusal } from '../engine/core/errors.ts';
import { actOnAccount } from './accounts/actions.ts';
import { approve, type ClosedState, deny } from './links/decisions.ts';
import { signIn } from './logs/actions.ts';
import { moveMembership } from './memberships/actions.ts';

export const controlHandlers = {
  actOnAccount: ({ path: { id, action } }, context) => {
    const given = { id: idOf(context, 'connected_accounts', id), action };
    return { status: 200, body: { connected_account: { ...runIn(context, actOnAccount, given).reply } } };
  },

  decideLink: ({ path: { link, decision }, body: details }, context) => {
    const token = link.replace(/[?#].*$/s, '').replace(/^.*\//s, '');
    refuseForeign(decision, details);
    const { reply } = runIn(context, decision === 'approve' ? approve : deny, { token, ...details });
    if (reply.outcome === 'refused') throw refused(reply.linkState);
    const { outcome: _outcome, ...body } = reply;
    return { status: 200, body };
  },

  actOnMembership: ({ path: { organization_id, user_id, action } }, context) => {
    const given = {
      organization_id: idOf(context, 'organizations', organization_id),
      user_id: idOf(context, 'users', user_id),
      action,
    };
    return { status: 200, body: { membership: { ...runIn(context, moveMembership, given).reply } } };
  },

  signIn: ({ body }, context) => {
    const { connection_id } = body;
    const named =
      connection_id === undefined ? {} : { connection_id: idOf(context, 'connections', connection_id) };
    const given = { ...body, ...named };
    return { status: 201, body: { authentication_request: { ...runIn(context, signIn, given).reply } } };
  },
} satisfies Partial<Handlers>;

const DETAILS = { approve: ['scopes'], deny: ['error', 'error_description'] };

/** Refuses a detail of the other decision. @throws Refusal 400 */
const refuseForeign = (decision: keyof typeof DETAILS, body: object): void => {
  const foreign = Object.keys(body).find((name) => !DETAILS[decision].includes(name));
  if (foreign === undefined) return;
  const takes = `${decision} takes ${DETAILS[decision].join(' and ')}.`;
  throw new Refusal('INVALID_ARGUMENT', `${foreign} has no effect on ${decision}.`, takes);
};

const refused = (linkState: ClosedState): Refusal =>
  linkState === 'unknown'
    ? new Refusal(
        'NOT_FOUND',
        'No authorization link of this environment has that token.',
        'Use the last segment of the link that POST /api/v1/connected_accounts/magic_link returns.',
      )
    : new Refusal(
        'GONE',
        `The authorization link is ${linkState}.`,
        'Create a new link with POST /api/v1/connected_accounts/magic_link.',
      );
