/** Behaviour T10: names that callers send neither read nor change a prototype. */
import { afterEach, expect, test } from '@jest/globals';
import { testServer } from '../support/server.ts';

const server = testServer();
afterEach(() => {
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

const ACCOUNTS = '/api/v1/connected_accounts';

test.each([
  ['at the top', '{"__proto__":{"polluted":1},"connector":"mail","identifier":"p"}'],
  ['deep inside', '{"connected_account":{"api_config":{"a":[{"__proto__":{"polluted":1}}]}}}'],
  ['written with escapes', '{"\\u005f\\u005fproto\\u005f_":{"polluted":1}}'],
])('behaviour T10: a body with a __proto__ member gets a 400: %s', async (_where, body) => {
  const { status, body: answer } = await server.call('POST', ACCOUNTS, { body });
  expect([status, answer.message]).toEqual([400, expect.stringContaining('__proto__')]);
});

test('behaviour T10: a form with a __proto__ parameter gets a 400', async () => {
  const body = new URLSearchParams('grant_type=client_credentials&client_id=dev-client&__proto__=polluted');
  const { status, text } = await server.call('POST', '/oauth/token', { body, token: null });
  expect([status, text]).toEqual([400, expect.stringContaining('__proto__')]);
});

test.each([
  ['POST', '/environments', '{"settings":{"__proto__":{"polluted":1}}}'],
  ['PATCH', '/environments/development/settings', '{"__proto__":{"polluted":1}}'],
  ['PUT', '/environments/development/state', '{"users":[{"email":"a@a.test","__proto__":{"polluted":1}}]}'],
])('behaviour T10: %s %s with a __proto__ member gets a 400 and changes nothing', async (method, path, body) => {
  const before = (await server.control('GET', '/environments/development/state')).text;
  expect((await server.control(method, path, body)).status).toBe(400);
  expect((await server.control('GET', '/environments/development/state')).text).toBe(before);
});

test('behaviour T10: names that every JavaScript object has, such as constructor, are data that the mock keeps and returns', async () => {
  const metadata = { constructor: 'a', toString: 'b', hasOwnProperty: 'c', prototype: 'd' };
  const member = '/api/v1/memberships/organizations/org_100000000000000001/users/usr_100000000000000001';
  const patched = await server.call('PATCH', member, { body: { metadata } });
  expect(patched.body.user.memberships[0].metadata).toEqual(metadata);
  const api_config = { constructor: { prototype: { polluted: 1 } }, toString: 'text' };
  const body = { connector: 'mail', identifier: 'constructor', connected_account: { api_config } };
  const created = await server.call('POST', ACCOUNTS, { body });
  const read = await server.call('GET', `${ACCOUNTS}/details?connector=mail&identifier=constructor`);
  for (const answer of [created, read]) expect(answer.body.connected_account.api_config).toEqual(api_config);
});

test.each([
  '__proto__=polluted',
  '__proto__[polluted]=1',
  'constructor[prototype][polluted]=1',
  'toString=1&valueOf=1&hasOwnProperty=1',
])('behaviour T10: the query %s is treated as unknown parameters', async (query) => {
  expect((await server.call('GET', `/api/v1/connections?${query}`)).status).toBe(200);
  const headers = { 'x-mock-strict': '1' };
  expect((await server.call('GET', `/api/v1/connections?${query}`, { headers })).status).toBe(400);
  const { status, body } = await server.control('GET', `/health?${query}`);
  expect([status, body.error.message]).toEqual([400, expect.stringContaining('is not a known parameter')]);
});

test.each([
  '__proto__',
  'constructor',
  'toString',
])('behaviour T10: a look-up of the name %s finds nothing', async (name) => {
  expect((await server.control('GET', `/environments/${name}/state`)).status).toBe(404);
  expect((await server.control('POST', '/environments', { scenario: name })).status).toBe(400);
  const restored = await server.control('POST', `/environments/development/snapshots/${name}/restore`);
  expect([400, 404]).toContain(restored.status);
  expect((await server.call('GET', '/api/v1/connections', { token: name })).status).toBe(401);
  for (const path of ['/', '/magicLink/', '/connect/'])
    expect((await server.call('GET', path + name)).status).toBe(404);
});
