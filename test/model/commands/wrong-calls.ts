/** Calls that are wrong, each in its own way: refused, without a change, and without showing a hidden string. */
import fc from 'fast-check';
import { command, settle } from '../run.ts';
import { CREDENTIAL, FORBIDDEN } from '../scenario.ts';
import type { CallOptions } from '../twins.ts';

const ACCOUNTS = '/api/v1/connected_accounts';
const LOG = '/api/v1/logs/authentication/requests';
const ADA = '/api/v1/memberships/organizations/org_acme/users/usr_000000000000ada';
const PAIR = { connector: 'crm', identifier: 'wrong' };
const grant = { grant_type: 'password', client_id: 'model-client', client_secret: FORBIDDEN };
const token = { access_token: { hidden: FORBIDDEN } };

/** Status, method, path and the rest; hidden strings where a message might repeat them. */
const WRONG: readonly (readonly [number, string, string, CallOptions?])[] = [
  [401, 'GET', ACCOUNTS, { token: null }],
  [401, 'GET', ACCOUNTS, { token: `${CREDENTIAL}unknown` }],
  [401, 'GET', ACCOUNTS, { headers: { 'x-mock-environment': 'nowhere' } }],
  [501, 'DELETE', ACCOUNTS],
  [404, 'GET', `${ACCOUNTS}/`],
  [400, 'POST', ACCOUNTS, { body: `{"a": ${FORBIDDEN}` }],
  [400, 'POST', ACCOUNTS, { body: FORBIDDEN, headers: { 'content-type': 'text/plain' } }],
  [400, 'POST', ACCOUNTS, { body: '{"connector":"mail","identifier":"p","__proto__":{"x":1}}' }],
  [400, 'POST', ACCOUNTS, { body: { ...PAIR, identifier: 'x'.repeat(101) } }],
  [400, 'POST', ACCOUNTS, { body: { ...PAIR, colour: 'red' }, headers: { 'x-mock-strict': '1' } }],
  [504, 'POST', ACCOUNTS, { body: PAIR, headers: { prefer: 'code=504' } }],
  [400, 'PUT', ACCOUNTS, { body: {} }],
  [400, 'PUT', ACCOUNTS, { body: { connected_account: { authorization_details: { oauth_token: token } } } }],
  [400, 'GET', `${ACCOUNTS}?page_size=101`],
  [400, 'GET', `${ACCOUNTS}?page_token=bm90LW91cnM`],
  [400, 'GET', `${ACCOUNTS}/auth?id=usr_000000000000ada`],
  [
    400,
    'POST',
    `${ACCOUNTS}/magic_link`,
    { body: { id: 'ca_first', user_verify_url: 'javascript:alert(1)' } },
  ],
  [400, 'GET', `${LOG}?status=WON`],
  [400, 'GET', `${LOG}?start_time=2026-02-30T00:00:00Z`],
  [400, 'PATCH', ADA, { body: { metadata: { ab: 'x' } } }],
  [400, 'POST', ADA, { body: { inviter_email: 'nobody' } }],
  [400, 'POST', '/api/v1/custom-providers', { body: { display_name: 'Wiki', proxy_url: 'http://x.test' } }],
  [400, 'POST', '/oauth/token', { body: new URLSearchParams(grant), token: null }],
];

export const WRONG_CALL = command('wrong', fc.constantFrom(...WRONG), async ({ twins }, given) => {
  const [status, method, path, options] = given;
  settle(await twins.call(method, path, options), status);
  return false;
});
