/** Calls that make happen what happens outside the API: third parties, users' decisions, sign-ins. */

import { run } from '../../environments/environment.ts';
import { createMagicLink } from '../../operations/authorization.ts';
import { actOnAccount } from '../../simulation/account-actions.ts';
import { approve } from '../../simulation/consent.ts';
import { deny } from '../../simulation/denial.ts';
import type { LinkReply } from '../../simulation/link-reply.ts';
import { moveMembership } from '../../simulation/membership-actions.ts';
import { signIn } from '../../simulation/sign-in.ts';
import { ControlError } from '../errors.ts';
import type { Handlers } from '../types.ts';
import { requireEnvironment, simulate } from './lookup.ts';

type Calls = 'actOnAccount' | 'createLink' | 'decideLink' | 'actOnMembership' | 'signIn';

export const simulation: Pick<Handlers, Calls> = {
  actOnAccount: ({ path }, context) => {
    const { env, ...given } = path;
    return { status: 200, body: { connected_account: { ...simulate(context, env, actOnAccount, given) } } };
  },

  createLink: ({ path, body }, context) => {
    const given = { path: {}, query: {}, body };
    const environment = requireEnvironment(context, path.env);
    const made = run(environment, context.environments.baseUrl, (state, env) =>
      createMagicLink(state, given, env),
    );
    // Refusals are thrown; the contract's other answers are theirs.
    if (made.status !== 200) throw new Error(`createMagicLink answered ${made.status}.`);
    return { status: 201, body: made.body };
  },

  decideLink: ({ path: { env, token, decision } }, context) => {
    const reply = simulate(context, env, decision === 'approve' ? approve : deny, { token });
    if (reply.outcome === 'refused') throw refused(reply.linkState);
    const { outcome: _outcome, ...body } = reply;
    return { status: 200, body };
  },

  actOnMembership: ({ path }, context) => {
    const { env, ...given } = path;
    return { status: 200, body: { membership: { ...simulate(context, env, moveMembership, given) } } };
  },

  signIn: ({ path, body }, context) => ({
    status: 201,
    body: { authentication_request: { ...simulate(context, path.env, signIn, body) } },
  }),
};

const refused = (linkState: Extract<LinkReply, { outcome: 'refused' }>['linkState']): ControlError =>
  linkState === 'unknown'
    ? new ControlError(
        'NOT_FOUND',
        'No authorization link of this environment has that token.',
        'Use the last segment of the link that POST /api/v1/connected_accounts/magic_link answers.',
      )
    : new ControlError(
        'GONE',
        `The authorization link is ${linkState}.`,
        'Make a new one with POST /api/v1/connected_accounts/magic_link.',
      );
