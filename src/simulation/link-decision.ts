/** The user's decision on an authorization link: approve, deny, or submit a credential form (behaviour V2-V5). */
import { absolute, hasEnded } from '../core/moment.ts';
import { defined } from '../core/object.ts';
import { getRow, putRow } from '../core/table.ts';
import { accountChange, activate, activateConsented, successUrl } from '../domain/account.ts';
import { requireConnectorOf } from '../domain/connection.ts';
import {
  type CredentialField,
  credentialFields,
  type LiveCredentials,
  renewCredentials,
} from '../domain/credentials.ts';
import type { Effects, Env, Simulation } from '../domain/operation.ts';
import type { AccountRow, LinkRow } from '../domain/rows.ts';
import type { State } from '../domain/state.ts';
import { type ClosedState, findLink, type LinkInput } from './link-page.ts';

/** Where the user goes next or, if the link is not open, why nothing happened. */
type LinkReply =
  | { readonly outcome: 'redirect'; readonly redirect_url: string; readonly auth_request_id?: string }
  | { readonly outcome: 'refused'; readonly linkState: ClosedState };

/** The reply to a decision; or the fields that the user left empty; or `formless` if the link has no form. */
export type FormReply =
  | LinkReply
  | { readonly outcome: 'incomplete'; readonly missing: readonly CredentialField[] }
  | { readonly outcome: 'formless' };

type Decided<Reply> = { readonly reply: Reply } & Effects;

/**
 * Decides on an open link and marks it as used, since links work only once (behaviour V1). For any other link, the
 * reply gives the reason and nothing changes.
 */
const decideOpen = <Reply extends FormReply>(
  state: State,
  given: LinkInput,
  env: Env,
  decide: (used: State, link: LinkRow, account: AccountRow) => Decided<Reply>,
): Decided<Reply | Extract<LinkReply, { outcome: 'refused' }>> => {
  const found = findLink(state, given, env);
  if (found.linkState !== 'open') return { reply: { outcome: 'refused', linkState: found.linkState } };
  const link = { ...found.link, used_at: absolute(env.now) };
  const used = { ...state, authorization_links: putRow(state.authorization_links, link) };
  return decide(used, link, found.account);
};

/** Approves a link: gives consent, or submits fixed test credentials on a credential form (behaviour V5). */
export const approve: Simulation<LinkInput, LinkReply> = (state, given, env) =>
  decideOpen<LinkReply>(state, given, env, (used, link, account) => {
    const { connection, kind } = requireConnectorOf(state, account);
    if (kind.page === 'form') {
      const details = credentialFields(state, connection).map(({ name }) => [name, `test-${name}`] as const);
      return storeDetails(used, link, account, details, env);
    }
    if (kind.page !== 'consent') return { reply: { outcome: 'refused', linkState: 'unknown' } };
    // Tokens like those that the third party would issue.
    const oauth_token = { refresh_token: env.token(), scopes: [...connection.scopes] };
    const granted = renewCredentials({ oauth_token }, env);
    return link.user_verify_url === undefined
      ? connect(used, activateConsented(used, account, granted, env), link, env)
      : openRequest(used, link, granted, env);
  });

/**
 * Submits the form: the account becomes ACTIVE with these values, without verification (behaviour V2). The user goes to
 * `user_verify_url` with `state`, or to the success page.
 * @param given `fields` has what the user entered, by name of the field; unknown names are ignored
 */
export const submitCredentials: Simulation<
  LinkInput & { readonly fields: ReadonlyMap<string, string> },
  FormReply
> = (state, given, env) =>
  decideOpen<FormReply>(state, given, env, (used, link, account) => {
    const { connection, kind } = requireConnectorOf(state, account);
    if (kind.page !== 'form') return { reply: { outcome: 'formless' } };
    const fields = credentialFields(state, connection);
    const missing = fields.filter(({ name, required }) => required && !given.fields.get(name));
    if (missing.length > 0) return { reply: { outcome: 'incomplete', missing } };
    const details = fields
      .map(({ name }) => [name, given.fields.get(name) ?? ''] as const)
      .filter(([, value]) => value !== '');
    return storeDetails(used, link, account, details, env);
  });

const storeDetails = (
  used: State,
  link: LinkRow,
  account: AccountRow,
  entries: readonly (readonly [name: string, value: string])[],
  env: Env,
): Decided<LinkReply> => {
  const authorization_details = { static_auth: { details: Object.fromEntries(entries) } };
  return connect(used, activate(used, account, { authorization_details }, env), link, env);
};

/** The reply for an account that is ACTIVE at once, since nobody will verify the user (behaviour V2, V4). */
const connect = (before: State, after: State, link: LinkRow, env: Env): Decided<LinkReply> => ({
  reply: { outcome: 'redirect', redirect_url: verifyUrl(link, {}) ?? successUrl(env) },
  state: after,
  changes: [linkChange('approved', link), accountChange(before, after, link.account_id, env)],
});

/** Keeps the tokens on a request, where nobody can read them, until the user is verified (behaviour V3). */
const openRequest = (
  used: State,
  link: LinkRow,
  granted: Required<LiveCredentials>,
  env: Env,
): Decided<LinkReply> => {
  const { account_id } = link;
  const auth_request_id = env.token();
  const after = {
    ...used,
    authorization_links: putRow(used.authorization_links, { ...link, auth_request_id }),
    verification_requests: putRow(used.verification_requests, {
      auth_request_id,
      account_id,
      ...defined({ state: link.state }),
      expires_at: absolute(env.now + env.settings.auth_request_ttl),
      ...granted,
    }),
  };
  const change = accountChange(used, after, account_id, env);
  return {
    reply: toVerification(link, auth_request_id, env),
    state: after,
    changes: [
      linkChange('approved', link),
      { type: 'verification_request.created', resource: { connected_account_id: account_id } },
      // If another request was open, the account already showed PENDING_VERIFICATION.
      ...(change.to === undefined ? [] : [change]),
    ],
  };
};

/**
 * Repeats the redirect if a page sends its approval twice, as on a double click, while the request is open (behaviour
 * V3). Otherwise returns undefined.
 */
export const repeatApproval = (state: State, { token }: LinkInput, env: Env): LinkReply | undefined => {
  const link = getRow(state.authorization_links, env.withoutEnvironmentKey(token));
  const request = getRow(state.verification_requests, link?.auth_request_id ?? '');
  if (!link || !request || hasEnded(request.expires_at, env)) return undefined;
  return toVerification(link, request.auth_request_id, env);
};

const toVerification = (link: LinkRow, requestId: string, env: Env): LinkReply => {
  const auth_request_id = env.withEnvironmentKey(requestId);
  const redirect_url = verifyUrl(link, { auth_request_id }) ?? successUrl(env);
  return { outcome: 'redirect', redirect_url, auth_request_id };
};

/**
 * Denies a link, on a consent page or a credential form. The user goes to `user_verify_url` with `error=access_denied`
 * or, if there is no such address, to this server's `/connect/denied`.
 */
export const deny: Simulation<LinkInput, LinkReply> = (state, given, env) =>
  decideOpen<LinkReply>(state, given, env, (used, link) => ({
    reply: {
      outcome: 'redirect',
      redirect_url: verifyUrl(link, ACCESS_DENIED) ?? `${env.baseUrl}/connect/denied`,
    },
    state: used,
    changes: [linkChange('denied', link)],
  }));

const ACCESS_DENIED = { error: 'access_denied', error_description: 'The user denied the authorization.' };

const linkChange = (decision: 'approved' | 'denied', { account_id }: LinkRow) => ({
  type: `authorization_link.${decision}` as const,
  resource: { connected_account_id: account_id },
});

/**
 * The client application's address, with these values and the link's `state` added to its query (behaviour V3).
 * `undefined` if the link has no such address.
 */
const verifyUrl = (
  { user_verify_url, state }: LinkRow,
  added: Readonly<Record<string, string>>,
): string | undefined => {
  if (user_verify_url === undefined) return undefined;
  const url = new URL(user_verify_url);
  const query = new URLSearchParams({ ...added, ...defined({ state }) }).toString();
  // This does not use `url.searchParams`, which would rewrite the whole query.
  if (query) url.search = url.search ? `${url.search}&${query}` : query;
  return url.href;
};
