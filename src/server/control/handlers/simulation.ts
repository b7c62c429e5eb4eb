/** Handlers of calls that simulate events outside the API: actions of third parties, decisions of users, sign-ins. */
import { Refusal } from '../../../core/errors.ts';
import { findByName, type NamedRows } from '../../../model/domain/names.ts';
import { runStep } from '../../../model/environments/environment.ts';
import { createMagicLink } from '../../../model/operations/authorization.ts';
import { actOnAccount } from '../../../model/simulation/account-actions.ts';
import { approve, type ClosedState, deny } from '../../../model/simulation/links.ts';
import { moveMembership } from '../../../model/simulation/memberships.ts';
import { signIn } from '../../../model/simulation/sign-in.ts';
import type { EnvironmentContext, Handlers } from '../types.ts';
import { simulate } from './shared.ts';

export const simulation = {
  actOnAccount: ({ path: { id, action } }, context) => {
    const given = { id: idOf(context, 'connected_accounts', id), action };
    return { status: 200, body: { connected_account: { ...simulate(context, actOnAccount, given) } } };
  },

  createLink: ({ body }, context) => {
    const id = idOf(context, 'connected_accounts', body.id);
    const given = { path: {}, query: {}, body: { ...body, id } };
    const made = runStep(context.environment, context.environments.baseUrl, (state, env) =>
      createMagicLink(state, given, env),
    );
    // `createMagicLink` throws its refusals, so a status other than 200 is a bug.
    if (made.status !== 200) throw new Error(`createMagicLink answered ${made.status}.`);
    return { status: 201, body: made.body };
  },

  decideLink: ({ path: { link, decision }, body: details }, context) => {
    const token = link.replace(/[?#].*$/s, '').replace(/^.*\//s, '');
    refuseForeign(decision, details);
    const reply = simulate(context, decision === 'approve' ? approve : deny, { token, ...details });
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
    return { status: 200, body: { membership: { ...simulate(context, moveMembership, given) } } };
  },

  signIn: ({ body }, context) => {
    const { connection_id } = body;
    const named =
      connection_id === undefined ? {} : { connection_id: idOf(context, 'connections', connection_id) };
    const given = { ...body, ...named };
    return { status: 201, body: { authentication_request: { ...simulate(context, signIn, given) } } };
  },
} satisfies Partial<Handlers>;

/** The id of the row with this id or natural key. If no row has it, `named` itself, which the simulation refuses. */
const idOf = ({ environment }: EnvironmentContext, kind: keyof NamedRows, named: string): string =>
  findByName(environment.current.data, kind, named)?.id ?? named;

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
