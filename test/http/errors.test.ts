/** Behaviour R1 and R2 over HTTP: the shape of every refusal, and which violations it lists together. */
import { expect, test } from '@jest/globals';
import { fieldsOf, testServer, violationsOf } from '../support/server.ts';

const ACCOUNTS = '/api/v1/connected_accounts';
const LOGS = '/api/v1/logs/authentication/requests';
const MEMBER = '/api/v1/memberships/organizations/org_100000000000000001/users/usr_100000000000000005';

const TAKEN = { connector: 'mail', identifier: 'ada@acme.test' };

const server = testServer();

test.each<[number, string, string, string, object?]>([
  [400, 'INVALID_ARGUMENT', 'GET', `${ACCOUNTS}?page_size=101`],
  [401, 'UNAUTHENTICATED', 'GET', ACCOUNTS, { token: null }],
  [403, 'CONNECTION_NOT_ENABLED', 'POST', ACCOUNTS, { body: { connector: 'paused', identifier: 'a' } }],
  [404, 'NOT_FOUND', 'GET', `${ACCOUNTS}/details?id=ca_404`],
  [409, 'RESOURCE_ALREADY_EXISTS', 'POST', ACCOUNTS, { body: TAKEN }],
  [429, 'RATE_LIMITED', 'GET', ACCOUNTS, { headers: { prefer: 'code=429' } }],
  [500, 'INTERNAL_ERROR', 'GET', ACCOUNTS, { headers: { prefer: 'code=500' } }],
  [501, 'UNIMPLEMENTED', 'PATCH', ACCOUNTS],
  [504, 'DEADLINE_EXCEEDED', 'GET', ACCOUNTS, { headers: { prefer: 'code=504' } }],
])('behaviour R1: the error %i %s of %s %s has code, message and an ErrorInfo', async (status, errorCode, method, path, given = {}) => {
  const { status: got, headers, body } = await server.call(method, path, given);
  expect(got).toBe(status);
  expect(Object.keys(body).sort()).toEqual(['code', 'details', 'message']);
  expect(body.details).toEqual([
    {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      error_code: errorCode,
      request_info: { request_id: headers['x-request-id'], serving_data: 'development' },
      localized_message_info: { locale: 'en', message: body.message },
      ...([403, 404, 409].includes(status) && { resource_info: expect.anything() }),
      ...(status === 400 && { validation_error_info: expect.anything() }),
      ...(status === 500 && { debug_info: { detail: body.message, stack_entries: [] } }),
    },
  ]);
  expect(headers['www-authenticate']).toBe(status === 401 ? 'Bearer' : undefined);
});

test.each([
  '/api/v1/connections?include=some',
  `${LOGS}?page_size=101`,
  '/api/v1/connections/unknown',
])('behaviour R1: errors of the identity area have the optional members at the top level too: %s', async (path) => {
  const { body } = await server.call('GET', path);
  const { '@type': _type, ...members } = body.details[0];
  expect(body).toMatchObject(members);
});

test.each([
  ['no header', {}, 'missing'],
  ['another scheme', { authorization: 'Basic abc' }, 'no bearer token'],
  ['an unknown token', { authorization: 'Bearer nobody' }, 'neither'],
])('behaviour R1: the 401 for %s has its own message', async (_what, headers, words) => {
  const { status, body } = await server.call('GET', ACCOUNTS, { token: null, headers });
  expect([status, body.message]).toEqual([401, expect.stringContaining(words)]);
});

test.each([
  ['production', 'Use credentials of production'],
  ['nowhere', 'There is no environment nowhere'],
])('behaviour E2, R2: the error for a request that names %s says: %s', async (name, words) => {
  const { status, body } = await server.call('GET', ACCOUNTS, { headers: { 'x-mock-environment': name } });
  expect([status, body.message]).toEqual([401, expect.stringContaining(words)]);
});

test('behaviour R1: a message cuts long values between characters', async () => {
  const long = `${'a'.repeat(99)}\u{1f600}${'a'.repeat(99)}`;
  const { text } = await server.control('GET', `/environments/${encodeURIComponent(long)}/clock`);
  expect([text.isWellFormed(), text.includes('\\ud83d')]).toEqual([true, false]);
});

test('behaviour X1: the error names a metadata key that is too short or too long', async () => {
  const metadata = { ab: 'x', ['k'.repeat(26)]: 'y', fine: 'z' };
  const answer = await server.call('PATCH', MEMBER.replace(/5$/, '1'), { body: { metadata } });
  expect(fieldsOf(answer).sort()).toEqual(['metadata.ab', `metadata.${'k'.repeat(26)}`]);
});

const token = { oauth_token: { access_token: 'a' } };
const LIST = `${ACCOUNTS}?connection_names=mail&connector=chat&page_token=x`;
const BACKWARDS = `${LOGS}?start_time=2026-03-02T00:00:00Z&end_time=2026-03-01T00:00:00Z&page_token=x`;

test.each<[string, string, object | undefined, string[]]>([
  ['GET', `${LIST}&page_size=101`, undefined, ['page_size']],
  ['GET', `${BACKWARDS}&page_size=101`, undefined, ['page_size']],
  ['POST', `${ACCOUNTS}/user/verify`, { auth_request_id: 'not ok!' }, ['identifier', 'auth_request_id']],
  [
    'PUT',
    ACCOUNTS,
    { id: 'ca_100000000000000006', connected_account: { api_config: 3, authorization_details: token } },
    ['connected_account.api_config'],
  ],
  ['POST', MEMBER, { inviter_email: 'nobody', roles: [{ name: 'boss' }] }, ['inviter_email']],
])('behaviour R1: one error for %s %s with %j names everything that breaks the contract: %j', async (method, path, body, fields) => {
  expect(fieldsOf(await server.call(method, path, { body }))).toEqual(fields);
});

test.each<[string, string, object | undefined, string[]]>([
  ['GET', LIST, undefined, ['connection_names', 'page_token']],
  ['GET', BACKWARDS, undefined, ['start_time', 'page_token']],
  [
    'POST',
    `${ACCOUNTS}/magic_link`,
    { connector: 'nowhere', user_verify_url: 'https://client.test:99999' },
    ['identifier', 'user_verify_url', 'connector'],
  ],
  ['POST', MEMBER, { roles: [{ name: 'boss' }, { name: 'chief' }] }, ['roles[0]', 'roles[1]']],
])('behaviour R1: one error for %s %s with %j, which follows the contract, names all other broken rules: %j', async (method, path, body, fields) => {
  expect(fieldsOf(await server.call(method, path, { body }))).toEqual(fields);
});

test('behaviour M2: 300 unknown roles give 100 violations, which list twenty known roles', async () => {
  const env = await server.isolated({ scenario: 'default' });
  const roles = Array.from({ length: 30 }, (_, nth) => ({ name: `role-${nth}` }));
  expect((await env.control('PATCH', '/state', { roles })).status).toBe(200);
  const violations = violationsOf(await env.api('POST', MEMBER, { roles: Array(300).fill({}) }));
  expect(violations).toHaveLength(100);
  expect(violations[0]?.description).toMatch(/^(?:[^(]*\([^)]*\)){20} and 12 more\.$/);
});

test.each([
  [
    '2147483648',
    'page_size is 2147483648, but must be 100 or less. page_size is 2147483648, but must be a 32-bit whole number (at most 2147483647).',
  ],
  [
    '99999999999999999999',
    'page_size is "99999999999999999999", which is out of range. Send a number nearer to 0.',
  ],
])('behaviour R2: the error shows a page_size of %s as it was sent, with all its problems', async (size, message) => {
  const { status, body } = await server.call('GET', `${ACCOUNTS}?page_size=${size}`);
  expect([status, body.message]).toEqual([400, message]);
});
