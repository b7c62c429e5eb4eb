/**
 * Creates authorization links, takes the user's decision on a link, and verifies the users who approved (behaviour V1-V6).
 */
import { isWebAddress } from '../../engine/core/addresses.ts';
import { type FieldViolation, notFound, Refusal, refuse } from '../../engine/core/errors.ts';
import { absolute, wireTime } from '../../engine/core/moment.ts';
import { defined } from '../../engine/core/object.ts';
import { decode } from '../../engine/core/secrets.ts';
import { getRow, putRow } from '../../engine/core/table.ts';
import { cut, didYouMean, listNames } from '../../engine/core/text.ts';
import { credentialFields, type LiveCredentials, renewCredentials } from '../accounts/credentials.ts';
import {
  type AccountAddress,
  accountChange,
  accountEffects,
  activate,
  activateConsented,
  addressViolations,
  findByPair,
  openAccount,
  putAccount,
  requireAccount,
  successUrl,
} from '../accounts/rules.ts';
import {
  type Connector,
  findConnector,
  requireConnectorOf,
  requireUsable,
  unknownConnector,
} from '../connections.ts';
import type { AccountRow, ConnectionRow, LinkRow, State } from '../state.ts';
import type { ControlBody, Env, Operation, ServiceEffects } from '../types.ts';

/** Creates a one-time link for an account. If the account does not exist, creates it in PENDING_AUTH (behaviour V1). */
export const createMagicLink: Operation<'createMagicLink'> = (state, { body }, env) => {
  refuse([
    ...addressViolations(body),
    ...userVerifyUrlViolations(body.user_verify_url, env),
    ...connectorViolations(state, body),
  ]);
  const target = requireTarget(state, body, env);
  const account_id = target.account.id;
  const token = env.token();
  const link = `${env.baseUrl}/magicLink/${env.withEnvironmentKey(token)}`;
  const expires_at = absolute(env.now + env.settings.magic_link_ttl);
  const { state: passedOn, user_verify_url } = body;
  const row = { token, account_id, expires_at, ...defined({ state: passedOn, user_verify_url }) };
  const isNew = target.state !== state;
  return {
    status: 200,
    body: { link, expiry: wireTime(expires_at, env) },
    state: { ...target.state, authorization_links: putRow(state.authorization_links, row) },
    changes: [
      ...(isNew ? [accountChange(state, target.state, account_id, env)] : []),
      { type: 'authorization_link.created', resource: { connected_account_id: account_id } },
    ],
  };
};

/**
 * Refuses addresses such as `https://a.test:99999`, which the contract's pattern allows but no browser can open. If the
 * environment requires verification, also refuses a missing address, since nobody could verify the user (behaviour V4).
 */
const userVerifyUrlViolations = (url: string | undefined, { settings }: Env): FieldViolation[] => {
  const field = 'user_verify_url';
  if (url !== undefined) {
    const description = 'user_verify_url is not an address that a browser can open. Check its host and port.';
    return isWebAddress(url) ? [] : [{ field, constraint: 'format', rule: 'I5', description }];
  }
  if (settings.user_verification !== 'strict') return [];
  const description =
    'user_verify_url is missing, and the setting user_verification is strict. Send user_verify_url, or set user_verification to lenient.';
  return [{ field, constraint: 'required', rule: 'V4', description }];
};

/** Without an account id, refuses a connector that is unknown or has no authorization page (behaviour A2, A3, V2). */
const connectorViolations = (state: State, { id, connector: name }: AccountAddress): FieldViolation[] => {
  if (id !== undefined || name === undefined) return [];
  const connector = findConnector(state, name);
  return connector ? pageViolations(connector) : [unknownConnector(state, name)];
};

/** Refuses a connector that has no authorization page, such as one of type NO_AUTH (behaviour V2). */
const pageViolations = ({ connection, kind }: Connector): FieldViolation[] => {
  if (kind.page) return [];
  const description = `Connector ${connection.key_id} of type ${connection.type} needs no authorization by a user, so it has no link. Create or update the account instead.`;
  return [{ field: 'connector', constraint: 'connector', rule: 'V2', description }];
};

/** Finds or creates the account that the request refers to. @returns the account, and the state with this account */
const requireTarget = (state: State, address: AccountAddress, env: Env) => {
  const { id, connector: name = '', identifier = '' } = address;
  const connector = id === undefined ? findConnector(state, name) : undefined;
  if (connector && !findByPair(state, name, identifier)) {
    requireUsable(connector.connection);
    const account = openAccount(state, connector, { ...address, identifier }, env);
    return { account, state: putAccount(state, account) };
  }
  const account = requireAccount(state, address, env);
  const existing = requireConnectorOf(state, account);
  refuse(pageViolations(existing));
  requireUsable(existing.connection);
  return { account, state };
};

/** Gives the account the tokens of a verification request, and removes all its verification requests (behaviour V6). */
export const verifyConnectedAccountUser: Operation<'verifyConnectedAccountUser'> = (state, { body }, env) => {
  const request = getRow(state.verification_requests, env.withoutEnvironmentKey(body.auth_request_id));
  const account = request && getRow(state.connected_accounts, request.account_id);
  if (!account || env.hasEnded(request.expires_at))
    throw notFound(
      `pending auth_request ${body.auth_request_id}`,
      'The auth_request_id is unknown, has expired or has already been used. Create a new link with POST /api/v1/connected_accounts/magic_link.',
      'V6',
    );
  if (account.identifier !== body.identifier)
    throw new Refusal(
      'PERMISSION_DENIED',
      `${body.identifier} is not the identifier of the account that the user authorized.`,
      'Send the identifier of the account exactly as it is stored. The auth request stays open.',
      { rule: 'V6', resource: { resource_name: 'auth_request', description: 'It has another identifier.' } },
    );
  const next = activateConsented(state, account, request, env);
  return {
    status: 200,
    body: { post_user_verify_redirect_url: env.settings.post_user_verify_redirect_url ?? successUrl(env) },
    ...accountEffects(state, next, account.id, env),
  };
};

/** The link has no page: 410 if it has expired or was used, 404 if it is unknown or its account deleted (behaviour V2). */
export class ClosedLink extends Refusal {
  constructor(readonly linkState: 'expired' | 'used' | 'unknown') {
    const made = 'POST /api/v1/connected_accounts/magic_link';
    if (linkState !== 'unknown')
      super('GONE', `The authorization link is ${linkState}.`, `Create a new link with ${made}.`);
    else {
      const problem = 'No authorization link of this environment has that token.';
      super('NOT_FOUND', problem, `Use the last segment of the link that ${made} returns.`);
    }
  }
}

export interface OpenLink {
  readonly link: LinkRow;
  readonly account: AccountRow;
}

/** @param token as it appears in the link's address @throws ClosedLink */
export const requireOpenLink = (state: State, token: string, env: Env): OpenLink => {
  const link = getRow(state.authorization_links, env.withoutEnvironmentKey(token));
  const account = link && getRow(state.connected_accounts, link.account_id);
  if (!link || !account) throw new ClosedLink('unknown');
  if (link.used_at !== undefined) throw new ClosedLink('used');
  if (env.hasEnded(link.expires_at)) throw new ClosedLink('expired');
  return { link, account };
};

/** Marks an open link as used, since it works only once (behaviour V1). @throws ClosedLink */
const takeLink = (state: State, token: string, env: Env): OpenLink & { readonly used: State } => {
  const open = requireOpenLink(state, token, env);
  const link = { ...open.link, used_at: absolute(env.now) };
  const used = { ...state, authorization_links: putRow(state.authorization_links, link) };
  return { account: open.account, link, used };
};

/** Where a decision sends the user. */
type Redirect = { readonly redirect_url: string; readonly auth_request_id?: string };
export type Decided = { readonly reply: Redirect } & ServiceEffects;

/**
 * Approves a link: gives consent, or submits fixed test credentials if the page is a form (behaviour V5).
 * @param granted the scopes; by default all that the page asks for @throws ClosedLink
 */
export const approve = (
  state: State,
  token: string,
  granted: readonly string[] | undefined,
  env: Env,
): Decided => {
  const { link, account, used } = takeLink(state, token, env);
  const { connection, kind } = requireConnectorOf(state, account);
  const scopes = grantedScopes(connection, granted);
  if (kind.page === 'form') {
    const details = credentialFields(state, connection).map(({ name }) => [name, `test-${name}`] as const);
    return submitCredentials(state, token, details, env);
  }
  // The tokens look like those that the third party would issue.
  const tokens = renewCredentials({ oauth_token: { refresh_token: env.token(), scopes } }, env);
  return link.user_verify_url === undefined || isVerifiedHere(env)
    ? connect(used, activateConsented(used, account, tokens, env), link, env)
    : openRequest(used, link, tokens, env);
};

/** Submits a form: the account becomes ACTIVE without verification (behaviour V2). @throws ClosedLink */
export const submitCredentials = (
  state: State,
  token: string,
  entries: readonly (readonly [name: string, value: string])[],
  env: Env,
): Decided => {
  const { link, account, used } = takeLink(state, token, env);
  const authorization_details = { static_auth: { details: Object.fromEntries(entries) } };
  return connect(used, activate(used, account, { authorization_details }, env), link, env);
};

/** The result of an approval that makes the account ACTIVE at once, without verification (behaviour V2, V4). */
const connect = (before: State, after: State, link: LinkRow, env: Env): Decided => ({
  reply: { redirect_url: (isVerifiedHere(env) ? undefined : verifyUrl(link, {})) ?? successUrl(env) },
  state: after,
  changes: [linkChange('approved', link), accountChange(before, after, link.account_id, env)],
});

/** Whether the service verifies users by itself, so that the application has nothing to do (behaviour V4). */
const isVerifiedHere = ({ settings }: Env): boolean => settings.user_verification === 'platform';

/** Stores the tokens in a verification request, where no API call can read them (behaviour V3). */
const openRequest = (used: State, link: LinkRow, granted: Required<LiveCredentials>, env: Env): Decided => {
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
export const repeatApproval = (state: State, token: string, env: Env): Decided | undefined => {
  const link = getRow(state.authorization_links, env.withoutEnvironmentKey(token));
  const request = getRow(state.verification_requests, link?.auth_request_id ?? '');
  if (!link || !request || env.hasEnded(request.expires_at)) return undefined;
  return { reply: toVerification(link, request.auth_request_id, env) };
};

const toVerification = (link: LinkRow, requestId: string, env: Env): Redirect => {
  const auth_request_id = env.withEnvironmentKey(requestId);
  return { redirect_url: verifyUrl(link, { auth_request_id }) ?? successUrl(env), auth_request_id };
};

/** An error of the provider. Default: the user denied the authorization. */
type ProviderError = Omit<ControlBody<'decideLink'>, 'scopes'>;

/** Denies a link, on a consent page or a form (behaviour V3). @throws ClosedLink @throws Refusal 400 for an unknown error */
export const deny = (state: State, token: string, given: ProviderError, env: Env): Decided => {
  const added = describeError(given);
  const { link, used } = takeLink(state, token, env);
  return {
    reply: { redirect_url: verifyUrl(link, added) ?? `${env.baseUrl}/connect/denied` },
    state: used,
    changes: [linkChange('denied', link)],
  };
};

const linkChange = (decision: 'approved' | 'denied', { account_id }: LinkRow) => ({
  type: `authorization_link.${decision}` as const,
  resource: { connected_account_id: account_id },
});

/** @throws Refusal 400 for scopes that the page does not ask for */
const grantedScopes = ({ key_id, scopes }: ConnectionRow, given: readonly string[] = scopes): string[] => {
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
const describeError = ({ error = 'access_denied', error_description }: ProviderError) => {
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
const verifyUrl = (
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
