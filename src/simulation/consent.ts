/**
 * The user's decision on a link: denial, or a consent whose tokens the account gets at once or after verification
 * (behaviour V3, V4).
 */
import { absolute, hasEnded } from '../core/moment.ts';
import { getRow, putRow } from '../core/table.ts';
import { accountStatus } from '../domain/account.ts';
import { type AccountAndState, accountUpdated, activateConsented } from '../domain/account-changes.ts';
import { successUrl } from '../domain/authorization.ts';
import { requireConnectorOf } from '../domain/connection.ts';
import { type LiveCredentials, renewCredentials } from '../domain/credentials.ts';
import type { Change, Effects, Env, Simulation } from '../domain/operation.ts';
import type { LinkRow } from '../domain/rows.ts';
import type { State } from '../domain/state.ts';
import { submitTestCredentials } from './credential-form.ts';
import { decideOpen, type LinkInput, type LinkReply, verifyUrl } from './link-reply.ts';

/**
 * Approves a link: gives consent, or submits fixed test credentials on a credential form (behaviour V5). If the link
 * is not open, the reply says so and nothing changes.
 */
export const approve: Simulation<LinkInput, LinkReply> = (state, given, env) =>
  decideOpen<LinkReply>(state, given, env, (used, { link, account }) => {
    const { connection, kind } = requireConnectorOf(state, account);
    if (kind.page === 'form') return submitTestCredentials(used, link, account, env);
    if (kind.page !== 'consent') return { reply: { outcome: 'refused', linkState: 'unknown' } };
    const granted = grantTokens(connection.scopes, env);
    const before = { state, account };
    return link.user_verify_url === undefined
      ? approveAtOnce(before, activateConsented(used, account, granted, env), env)
      : openRequest(before, { state: used, account }, link, granted, env);
  });

/** Tokens such as the third party would issue. */
const grantTokens = (scopes: readonly string[], env: Env): LiveCredentials =>
  renewCredentials({ oauth_token: { refresh_token: env.token(), scopes: [...scopes] } }, env);

type Approval = { readonly reply: LinkReply } & Effects;

/** Makes the account ACTIVE at once, since nobody will verify the user (behaviour V4). */
const approveAtOnce = (before: AccountAndState, after: AccountAndState, env: Env): Approval => ({
  reply: { outcome: 'redirect', redirect_url: successUrl(env) },
  state: after.state,
  changes: [approved(after.account.id), accountUpdated(before, after, env)],
});

/** Keeps the tokens on a request, where nobody can read them, until the user is verified (behaviour V3). */
const openRequest = (
  before: AccountAndState,
  { state, account }: AccountAndState,
  link: LinkRow,
  granted: LiveCredentials,
  env: Env,
): Approval => {
  const auth_request_id = env.token();
  const requests = putRow(state.verification_requests, {
    auth_request_id,
    account_id: account.id,
    ...(link.state !== undefined && { state: link.state }),
    expires_at: absolute(env.now + env.settings.auth_request_ttl),
    authorization_details: granted.authorization_details ?? {},
    ...(granted.token_expires_at !== undefined && { token_expires_at: granted.token_expires_at }),
  });
  const used = getRow(state.authorization_links, link.token);
  const links = used
    ? putRow(state.authorization_links, { ...used, auth_request_id })
    : state.authorization_links;
  const after = {
    account,
    state: { ...state, verification_requests: requests, authorization_links: links },
  };
  const sealed = env.withEnvironmentKey(auth_request_id);
  return {
    reply: {
      outcome: 'redirect',
      redirect_url: verifyUrl(link, { auth_request_id: sealed }) ?? successUrl(env),
      auth_request_id: sealed,
    },
    state: after.state,
    changes: [
      approved(account.id),
      { type: 'verification_request.created', resource: { connected_account_id: account.id } },
      ...statusMove(before, after, env),
    ],
  };
};

/**
 * Repeats the redirect for a page that sends its approval again, as a double click does, while the request is open
 * (behaviour V3). Undefined for any other link.
 */
export const repeatApproval = (state: State, { token }: LinkInput, env: Env): LinkReply | undefined => {
  const link = getRow(state.authorization_links, env.withoutEnvironmentKey(token));
  const request =
    link?.auth_request_id === undefined
      ? undefined
      : getRow(state.verification_requests, link.auth_request_id);
  if (!link || !request || hasEnded(request.expires_at, env)) return undefined;
  const auth_request_id = env.withEnvironmentKey(request.auth_request_id);
  const redirect_url = verifyUrl(link, { auth_request_id }) ?? successUrl(env);
  return { outcome: 'redirect', redirect_url, auth_request_id };
};

const approved = (accountId: string): Change => ({
  type: 'authorization_link.approved',
  resource: { connected_account_id: accountId },
});

/** The change of status; empty if another request already made the account show PENDING_VERIFICATION. */
const statusMove = (before: AccountAndState, after: AccountAndState, env: Env): Change[] =>
  accountStatus(before.state, before.account, env) === accountStatus(after.state, after.account, env)
    ? []
    : [accountUpdated(before, after, env)];

/**
 * Denies a link, on a consent page or a credential form. The user goes back with `error=access_denied` or, without a
 * `user_verify_url`, to this server's `/connect/denied`. If the link is not open, the reply says so and nothing
 * changes.
 */
export const deny: Simulation<LinkInput, LinkReply> = (state, given, env) =>
  decideOpen<LinkReply>(state, given, env, (used, { link, account }) => ({
    reply: {
      outcome: 'redirect',
      redirect_url: verifyUrl(link, ACCESS_DENIED) ?? `${env.baseUrl}/connect/denied`,
    },
    state: used,
    changes: [{ type: 'authorization_link.denied', resource: { connected_account_id: account.id } }],
  }));

const ACCESS_DENIED = { error: 'access_denied', error_description: 'The user denied the authorization.' };
