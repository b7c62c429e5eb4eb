/** Calls that make happen what happens outside the API: third parties, users' decisions, sign-ins. */
import { Refusal } from '../../core/errors.ts';
import { findByName, type NamedRows } from '../../domain/names.ts';
import type { State } from '../../domain/state.ts';
import { run } from '../../environments/environment.ts';
import { createMagicLink } from '../../operations/authorization.ts';
import { actOnAccount } from '../../simulation/account-actions.ts';
import { approve, deny } from '../../simulation/consent.ts';
import type { LinkReply } from '../../simulation/link-reply.ts';
import { moveMembership } from '../../simulation/membership-actions.ts';
import { signIn } from '../../simulation/sign-in.ts';
import type { Context, Handlers } from '../types.ts';
import { requireEnvironment, simulate } from './lookup.ts';

export const simulation = {
  actOnAccount: ({ path: { env, id, action } }, context) => {
    const given = { id: idOf(dataOf(context, env), 'connected_accounts', id), action };
    return { status: 200, body: { connected_account: { ...simulate(context, env, actOnAccount, given) } } };
  },

  createLink: ({ path, body }, context) => {
    const environment = requireEnvironment(context, path.env);
    const id = idOf(environment.current.data, 'connected_accounts', body.id);
    const given = { path: {}, query: {}, body: { ...body, id } };
    const made = run(environment, context.environments.baseUrl, (state, env) =>
      createMagicLink(state, given, env),
    );
    // Refusals are thrown; the contract's other answers are theirs.
    if (made.status !== 200) throw new Error(`createMagicLink answered ${made.status}.`);
    return { status: 201, body: made.body };
  },

  decideLink: ({ path: { env, link, decision } }, context) => {
    const token = link.replace(/[?#].*$/s, '').replace(/^.*\//s, '');
    const reply = simulate(context, env, decision === 'approve' ? approve : deny, { token });
    if (reply.outcome === 'refused') throw refused(reply.linkState);
    const { outcome: _outcome, ...body } = reply;
    return { status: 200, body };
  },

  actOnMembership: ({ path: { env, organization_id, user_id, action } }, context) => {
    const data = dataOf(context, env);
    const given = {
      organization_id: idOf(data, 'organizations', organization_id),
      user_id: idOf(data, 'users', user_id),
      action,
    };
    return { status: 200, body: { membership: { ...simulate(context, env, moveMembership, given) } } };
  },

  signIn: ({ path: { env }, body }, context) => {
    const { connection_id } = body;
    const given = {
      ...body,
      ...(connection_id !== undefined && {
        connection_id: idOf(dataOf(context, env), 'connections', connection_id),
      }),
    };
    return { status: 201, body: { authentication_request: { ...simulate(context, env, signIn, given) } } };
  },
} satisfies Partial<Handlers>;

const dataOf = (context: Context, env: string): State => requireEnvironment(context, env).current.data;

/** The id of the row that a caller names by id or natural key; a text that names none stays, and is refused as such. */
const idOf = (state: State, kind: keyof NamedRows, named: string): string =>
  findByName(state, kind, named)?.id ?? named;

const refused = (linkState: Extract<LinkReply, { outcome: 'refused' }>['linkState']): Refusal =>
  linkState === 'unknown'
    ? new Refusal(
        'NOT_FOUND',
        'No authorization link of this environment has that token.',
        'Use the last segment of the link that POST /api/v1/connected_accounts/magic_link answers.',
      )
    : new Refusal(
        'GONE',
        `The authorization link is ${linkState}.`,
        'Make a new one with POST /api/v1/connected_accounts/magic_link.',
      );
