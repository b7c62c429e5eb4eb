/** Calls that are wrong, each in its own way: refused, with nothing changed and nothing hidden shown. */
import fc from 'fast-check';
import { settle } from '../run.ts';
import { CREDENTIAL, FORBIDDEN } from '../scenario.ts';
import type { Call } from '../twins.ts';
import { type Command, command } from './command.ts';

const json = (text: string) => ({ type: 'application/json', text });
const ACCOUNTS = '/api/v1/connected_accounts';
const WIKI = { display_name: 'Wiki', proxy_url: 'https://proxy.test', auth_patterns: [{ type: 'API_KEY' }] };

/** What is wrong, what stands for it, and the status; hidden strings where a message might repeat them. */
const WRONG: readonly (readonly [string, Call, number])[] = [
  ['no token', { method: 'GET', path: ACCOUNTS, token: null }, 401],
  ['an unknown token', { method: 'GET', path: ACCOUNTS, token: `${CREDENTIAL}unknown` }, 401],
  ['a wrong method', { method: 'DELETE', path: ACCOUNTS }, 501],
  ['an unknown path', { method: 'GET', path: `${ACCOUNTS}/` }, 404],
  ['no JSON', { method: 'POST', path: ACCOUNTS, raw: json(`{"a": ${FORBIDDEN}`) }, 400],
  [
    'another media type',
    { method: 'POST', path: ACCOUNTS, raw: { type: 'text/plain', text: FORBIDDEN } },
    400,
  ],
  [
    '__proto__',
    {
      method: 'POST',
      path: ACCOUNTS,
      raw: json(`{"connector":"mail","identifier":"p","__proto__":{"x":1}}`),
    },
    400,
  ],
  [
    'members of wrong types',
    {
      method: 'POST',
      path: ACCOUNTS,
      body: {
        connector: 7,
        identifier: null,
        connected_account: {
          authorization_details: { oauth_token: { access_token: { hidden: FORBIDDEN } } },
        },
      },
    },
    400,
  ],
  [
    'scopes that are not a list',
    {
      method: 'PUT',
      path: ACCOUNTS,
      body: { connected_account: { authorization_details: { oauth_token: { scopes: { not: 'a list' } } } } },
    },
    400,
  ],
  ['an update that names nothing', { method: 'PUT', path: ACCOUNTS, body: {} }, 400],
  [
    'a connector with a slash',
    { method: 'POST', path: ACCOUNTS, body: { connector: 'ma/il', identifier: 'a' } },
    400,
  ],
  [
    'an identifier that is too long',
    { method: 'POST', path: ACCOUNTS, body: { connector: 'mail', identifier: 'x'.repeat(101) } },
    400,
  ],
  ['an id of another kind', { method: 'GET', path: `${ACCOUNTS}/auth?id=usr_000000000000ada` }, 400],
  ['a page size', { method: 'GET', path: `${ACCOUNTS}?page_size=101` }, 400],
  ['a page token', { method: 'GET', path: `${ACCOUNTS}?page_token=bm90LW91cnM` }, 400],
  ['a status', { method: 'GET', path: '/api/v1/logs/authentication/requests?status=WON' }, 400],
  [
    'a time that is none',
    { method: 'GET', path: '/api/v1/logs/authentication/requests?start_time=2026-02-30T00:00:00Z' },
    400,
  ],
  [
    'metadata with a short key',
    {
      method: 'PATCH',
      path: '/api/v1/memberships/organizations/org_acme/users/usr_000000000000ada',
      body: { metadata: { ab: 'x' } },
    },
    400,
  ],
  [
    'an inviter without an email address',
    {
      method: 'POST',
      path: '/api/v1/memberships/organizations/org_globex/users/usr_000000000000ada',
      body: { inviter_email: 'nobody' },
    },
    400,
  ],
  [
    'a user id that is too short',
    { method: 'DELETE', path: '/api/v1/memberships/organizations/org_acme/users/usr_1' },
    400,
  ],
  [
    'a proxy without https',
    { method: 'POST', path: '/api/v1/custom-providers', body: { ...WIKI, proxy_url: 'http://x.test' } },
    400,
  ],
  [
    'no auth_patterns',
    { method: 'POST', path: '/api/v1/custom-providers', body: { ...WIKI, auth_patterns: undefined } },
    400,
  ],
  [
    'an address to return to with a scheme that is not http',
    {
      method: 'POST',
      path: `${ACCOUNTS}/magic_link`,
      body: { id: 'ca_first', user_verify_url: 'javascript:alert(1)' },
    },
    400,
  ],
  [
    'an unknown member in strict mode',
    {
      method: 'POST',
      path: ACCOUNTS,
      headers: { 'x-mock-strict': '1' },
      body: { connector: 'crm', identifier: 'strict', colour: 'red' },
    },
    400,
  ],
  [
    'a preferred failure',
    {
      method: 'POST',
      path: ACCOUNTS,
      headers: { prefer: 'code=504' },
      body: { connector: 'crm', identifier: 'late' },
    },
    504,
  ],
  [
    'another grant',
    {
      method: 'POST',
      path: '/oauth/token',
      token: null,
      raw: {
        type: 'application/x-www-form-urlencoded',
        text: `grant_type=password&client_id=model-client&client_secret=${FORBIDDEN}`,
      },
    },
    400,
  ],
  [
    "an environment that is not the token's",
    { method: 'GET', path: ACCOUNTS, headers: { 'x-mock-environment': 'nowhere' } },
    401,
  ],
];

const wrongCall: fc.Arbitrary<Command> = fc.constantFrom(...WRONG).map(([what, call, status]) =>
  command(`wrong: ${what}`, async (run, twins) => {
    settle(run, { status }, await twins.call(call));
    return { status };
  }),
);

export const WRONG_CALLS = [wrongCall];
