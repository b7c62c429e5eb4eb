/** What a user sees on an authorization link, the user's decision on it, and where it leads (behaviour V2-V5). */

import { Refusal } from '../../engine/core/errors.ts';
import { absolute, wireTimes } from '../../engine/core/moment.ts';
import { defined } from '../../engine/core/object.ts';
import { decode } from '../../engine/core/secrets.ts';
import { getRow, putRow } from '../../engine/core/table.ts';
import { cut, didYouMean, listNames } from '../../engine/core/text.ts';
import {
  type CredentialField,
  credentialFields,
  type LiveCredentials,
  renewCredentials,
} from '../accounts/credentials.ts';
import { accountChange, activate, activateConsented, successUrl } from '../accounts/rules.ts';
import { requireConnectorOf } from '../connections.ts';
import { customProviderOf } from '../providers.ts';
import type { AccountRow, ConnectionRow, LinkRow, State } from '../state.ts';
import type { Env, ServiceEffects, Simulation } from '../types.ts';

export interface LinkInput {
  /** The token as it appears in the link's address. */
  readonly token: string;
}

/** Why a link has no page. An expired or used link answers 410, an unknown link 404 (behaviour V2). */
export type ClosedState = 'expired' | 'used' | 'unknown';

type FoundLink =
  | { readonly linkState: 'open'; readonly link: LinkRow; readonly account: AccountRow }
  | { readonly linkState: ClosedState };

const findLink = (state: State, { token }: LinkInput, env: Env): FoundLink => {
  const link = getRow(state.authorization_links, env.withoutEnvironmentKey(token));
  const account = link && getRow(state.connected_accounts, link.account_id);
  if (!link || !account) return { linkState: 'unknown' };
  if (link.used_at !== undefined) return { linkState: 'used' };
  if (env.hasEnded(link.expires_at)) return { linkState: 'expired' };
  return { linkState: 'open', link, account };
};

/** What consent pages and credential forms both show. */
export interface LinkSubject {
  readonly connector: string;
  /** The provider's name, if it is known. */
  readonly provider?: string;
  readonly identifier: string;
  /** The organization's display name or, if the account's `organization_id` is unknown, that id (behaviour I2). */
  readonly organization?: string;
  /** Where the user goes after deciding. Default: a page of this server. */
  readonly user_verify_url?: string;
  /** When the link expires. Absent: never. */
  readonly expires_at?: string;
}

export type ConsentSubject = LinkSubject & { readonly kind: 'consent'; readonly scopes: readonly string[] };
export type FormSubject = LinkSubject & {
  readonly kind: 'form';
  readonly fields: readonly CredentialField[];
};

/** The page of an open link, or why the link has no page. */
type LinkPage =
  | ({ readonly linkState: 'open' } & (ConsentSubject | FormSubject))
  | { readonly linkState: ClosedState };

/** Shows the page of a link; changes nothing. */
export const viewLink: Simulation<LinkInput, LinkPage> = (state, given, env) => {
  const found = findLink(state, given, env);
  if (found.linkState !== 'open') return { reply: found };
  const { link, account } = found;
  const { connection, kind } = requireConnectorOf(state, account);
  const { connector, identifier, organization_id = '' } = account;
  const provider =
    connection.provider === 'CUSTOM'
      ? customProviderOf(state, connection)?.display_name
      : connection.provider;
  const organization = getRow(state.organizations, organization_id)?.display_name ?? account.organization_id;
  const subject = {
    linkState: 'open' as const,
    connector,
    identifier,
    ...defined({ provider, organization, user_verify_url: link.user_verify_url }),
    ...wireTimes({ expires_at: link.expires_at }, env),
  };
  return kind.page === 'form'
    ? { reply: { ...subject, kind: 'form', fields: credentialFields(state, connection) } }
    : { reply: { ...subject, kind: 'consent', scopes: connection.scopes } };
};

/** Where the user goes after a decision, or why nothing happened. */
export type LinkReply =
  | { readonly outcome: 'redirect'; readonly redirect_url: string; readonly auth_request_id?: string }
  | { readonly outcome: 'refused'; readonly linkState: ClosedState };

/** The reply to a submitted form: `incomplete` if required fields are empty, `formless` if the link has no form. */
export type FormReply =
  | LinkReply
  | { readonly outcome: 'incomplete'; readonly missing: readonly CredentialField[] }
  | { readonly outcome: 'formless' };

type Decided<Reply> = { readonly reply: Reply } & ServiceEffects;

/** Marks an open link as used, since it works only once (behaviour V1), and runs `decide`. Refuses any other link. */
const decideOpen = <Reply extends FormReply>(
  state: State,
  given: LinkInput,
  env: Env,
  decide: (used: State, link: LinkRow, account: AccountRow) => Decided<Reply>,
): Decided<Reply | LinkReply> => {
  const found = findLink(state, given, env);
  if (found.linkState !== 'open') return { reply: { outcome: 'refused', linkState: found.linkState } };
  const link = { ...found.link, used_at: absolute(env.now) };
  const used = { ...state, authorization_links: putRow(state.authorization_links, link) };
  return decide(used, link, found.account);
};

/** Approval of a link. Without `scopes`, the user grants all that the page asks for. */
export interface LinkApproval extends LinkInput {
  readonly scopes?: readonly string[] | undefined;
}

/** Approves a link: gives consent, or submits fixed test credentials if the page is a form (behaviour V5). */
export const approve: Simulation<LinkApproval, LinkReply> = (state, given, env) =>
  decideOpen<LinkReply>(state, given, env, (used, link, account) => {
    const { connection, kind } = requireConnectorOf(state, account);
    const scopes = grantedScopes(connection, given.scopes);
    if (kind.page === 'form') {
      const details = credentialFields(state, connection).map(({ name }) => [name, `test-${name}`] as const);
      return storeDetails(used, link, account, details, env);
    }
    // The tokens look like those that the third party would issue.
    const oauth_token = { refresh_token: env.token(), scopes };
    const granted = renewCredentials({ oauth_token }, env);
    return link.user_verify_url === undefined || isVerifiedHere(env)
      ? connect(used, activateConsented(used, account, granted, env), link, env)
      : openRequest(used, link, granted, env);
  });

/**
 * Submits the form: the account becomes ACTIVE without verification (behaviour V2).
 * @param given `fields` maps the names of form fields to what the user entered; unknown names are ignored
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

/** The result of an approval that makes the account ACTIVE at once, without verification (behaviour V2, V4). */
const connect = (before: State, after: State, link: LinkRow, env: Env): Decided<LinkReply> => ({
  reply: {
    outcome: 'redirect',
    redirect_url: (isVerifiedHere(env) ? undefined : verifyUrl(link, {})) ?? successUrl(env),
  },
  state: after,
  changes: [linkChange('approved', link), accountChange(before, after, link.account_id, env)],
});

/** Whether the service verifies users by itself, so that the application has nothing to do (behaviour V4). */
const isVerifiedHere = ({ settings }: Env): boolean => settings.user_verification === 'platform';

/** Stores the tokens in a verification request, where no API call can read them (behaviour V3). */
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
      // `to` is absent if the account was PENDING_VERIFICATION already, because of an earlier verification request.
      ...(change.to === undefined ? [] : [change]),
    ],
  };
};

/** Repeats the redirect if a user clicks Approve again. Undefined if no verification request is open (behaviour V3). */
export const repeatApproval = (state: State, { token }: LinkInput, env: Env): LinkReply | undefined => {
  const link = getRow(state.authorization_links, env.withoutEnvironmentKey(token));
  const request = getRow(state.verification_requests, link?.auth_request_id ?? '');
  if (!link || !request || env.hasEnded(request.expires_at)) return undefined;
  return toVerification(link, request.auth_request_id, env);
};

const toVerification = (link: LinkRow, requestId: string, env: Env): LinkReply => {
  const auth_request_id = env.withEnvironmentKey(requestId);
  const redirect_url = verifyUrl(link, { auth_request_id }) ?? successUrl(env);
  return { outcome: 'redirect', redirect_url, auth_request_id };
};

/** Denies a link, on a consent page or a credential form (behaviour V3). @throws Refusal 400 for an unknown error */
export const deny: Simulation<LinkInput & ProviderError, LinkReply> = (state, given, env) => {
  const added = describeError(given);
  return decideOpen<LinkReply>(state, given, env, (used, link) => ({
    reply: {
      outcome: 'redirect',
      redirect_url: verifyUrl(link, added) ?? `${env.baseUrl}/connect/denied`,
    },
    state: used,
    changes: [linkChange('denied', link)],
  }));
};

const linkChange = (decision: 'approved' | 'denied', { account_id }: LinkRow) => ({
  type: `authorization_link.${decision}` as const,
  resource: { connected_account_id: account_id },
});

/** @throws Refusal 400 for scopes that the page does not ask for */
export const grantedScopes = (
  { key_id, scopes }: ConnectionRow,
  given: readonly string[] = scopes,
): string[] => {
  const unasked = given.filter((scope) => !scopes.includes(scope));
  if (unasked.length === 0) return scopes.filter((scope) => given.includes(scope));
  const names = listNames(unasked.map((scope) => JSON.stringify(cut(scope))));
  const asked = scopes.length > 0 ? `The scopes are ${listNames(scopes)}.` : 'It asks for no scopes.';
  throw new Refusal(
    'INVALID_ARGUMENT',
    `${names} cannot be granted: the page of ${key_id} does not ask for it. ${asked}`,
    'Grant some or all of these scopes, or leave out scopes.',
  );
};

/** An error of the provider. Default: the user denied the authorization. */
export interface ProviderError {
  readonly error?: string | undefined;
  readonly error_description?: string | undefined;
}

/** The errors with which a provider can answer (RFC 6749, section 4.1.2.1), and their usual descriptions. */
const ERRORS: ReadonlyMap<string, string> = new Map([
  ['access_denied', 'The user denied the authorization.'],
  ['server_error', 'The provider met an unexpected condition.'],
  ['temporarily_unavailable', 'The provider is overloaded or under maintenance. Try again later.'],
  ['invalid_scope', 'A requested scope is invalid or unknown.'],
  ['invalid_request', 'The authorization request is malformed.'],
  ['unauthorized_client', 'The client may not ask for an authorization.'],
  ['unsupported_response_type', 'The provider does not support this kind of authorization.'],
]);

const unknownError = (error: string): Refusal =>
  new Refusal(
    'INVALID_ARGUMENT',
    `${JSON.stringify(cut(error))} is not an error of a provider.${didYouMean(error, ERRORS.keys())}`,
    `Send one of ${[...ERRORS.keys()].join(', ')}.`,
  );

/** @throws Refusal 400 for an unknown error */
export const describeError = ({ error = 'access_denied', error_description }: ProviderError) => {
  const usual = ERRORS.get(error);
  if (usual === undefined) throw unknownError(error);
  return { error, error_description: error_description ?? usual };
};

/** What the mock says in a query. A `user_verify_url` may still have it from an earlier visit. */
const OWN_NAMES = ['auth_request_id', 'error', 'error_description'];

/**
 * The link's `user_verify_url`, if any, with these values and the link's `state` in its query, in place of any that it
 * already has (behaviour V3).
 */
export const verifyUrl = (
  { user_verify_url, state }: LinkRow,
  added: Readonly<Record<string, string>>,
): string | undefined => {
  if (user_verify_url === undefined) return undefined;
  const url = new URL(user_verify_url);
  const replaced = [...OWN_NAMES, ...(state === undefined ? [] : ['state'])];
  const nameOf = (pair: string): string => decode(pair.replace(/=.*/s, ''));
  // The code does not use `url.searchParams`, which would rewrite the query that the link already has.
  const kept = url.search
    .slice(1)
    .split('&')
    .filter((pair) => !replaced.includes(nameOf(pair)));
  const query = new URLSearchParams({ ...added, ...defined({ state }) }).toString();
  url.search = [...kept, query].filter((part) => part !== '').join('&');
  return url.href;
};
