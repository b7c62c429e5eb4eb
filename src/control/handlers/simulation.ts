/** Calls that make happen what happens outside the API: third parties, users' decisions, sign-ins. */
import { Refusal } from '../../core/errors.ts';
import { getRow, rowsBy } from '../../core/table.ts';
import { findByPair } from '../../domain/account-lookup.ts';
import type { State } from '../../domain/state.ts';
import { findUserByEmail } from '../../domain/user.ts';
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
    const given = { id: accountIdOf(dataOf(context, env), id), action };
    return { status: 200, body: { connected_account: { ...simulate(context, env, actOnAccount, given) } } };
  },

  createLink: ({ path, body }, context) => {
    const environment = requireEnvironment(context, path.env);
    const id = accountIdOf(environment.current.data, body.id);
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
      organization_id: organizationIdOf(data, organization_id),
      user_id: userIdOf(data, user_id),
      action,
    };
    return { status: 200, body: { membership: { ...simulate(context, env, moveMembership, given) } } };
  },

  signIn: ({ path: { env }, body }, context) => {
    const { connection_id } = body;
    const given = {
      ...body,
      ...(connection_id !== undefined && {
        connection_id: connectionIdOf(dataOf(context, env), connection_id),
      }),
    };
    return { status: 201, body: { authentication_request: { ...simulate(context, env, signIn, given) } } };
  },
} satisfies Partial<Handlers>;

const dataOf = (context: Context, env: string): State => requireEnvironment(context, env).current.data;

// Rows as a caller names them, which is as scenarios do. What is not found stays as it was written, and is refused as such.

/** @param named an id, or `mail/ada@acme.test` */
const accountIdOf = (state: State, named: string): string => {
  const [connector = '', identifier] = named.split(/\/(.*)/s);
  return (identifier !== undefined && findByPair(state, connector, identifier)?.id) || named;
};

/** @param named an id, or a name such as `acme` */
const organizationIdOf = ({ organizations }: State, named: string): string =>
  getRow(organizations, named)?.id ?? rowsBy(organizations, 'name', named)[0]?.id ?? named;

/** @param named an id, or an e-mail address in any case */
const userIdOf = (state: State, named: string): string =>
  getRow(state.users, named)?.id ?? findUserByEmail(state, named)?.id ?? named;

/** @param named an id, or the key of a connector such as `mail` */
const connectionIdOf = ({ connections }: State, named: string): string =>
  getRow(connections, named)?.id ?? rowsBy(connections, 'key_id', named.toLowerCase())[0]?.id ?? named;

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
