/** What the redirect after a decision on an authorization link tells the application (behaviour V3). */
import { Refusal } from '../../engine/core/errors.ts';
import { defined } from '../../engine/core/object.ts';
import { decode } from '../../engine/core/secrets.ts';
import { cut, didYouMean, listNames } from '../../engine/core/text.ts';
import type { ConnectionRow } from '../connections/row.ts';
import type { LinkRow } from './row.ts';

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
