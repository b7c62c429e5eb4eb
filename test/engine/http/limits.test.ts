/** Limits of the contract over HTTP: a value at the limit is accepted, and a value just beyond it is a 400. */
import { expect, test } from '@jest/globals';
import { testServer, violationsOf } from '../../support/server.ts';

const ACCOUNTS = '/api/v1/connected_accounts';
const SEARCH = `${ACCOUNTS}:search`;
const VERIFY = `${ACCOUNTS}/user/verify`;
const PROVIDERS = '/api/v1/custom-providers';
const MEMBERS = '/api/v1/memberships/organizations';
const REQUEST = `pending-grace-${'0'.repeat(29)}`;

const server = testServer();

/** Makes a call. Returns its status, or the field and constraint of the first violation if the status is 400. */
const outcome = async (method: string, path: string, body?: object): Promise<unknown> => {
  const answer = await server.call(method, path, { body });
  const [violation] = answer.status === 400 ? violationsOf(answer) : [];
  return violation ? [violation.field, violation.constraint] : answer.status;
};

test.each([
  ['id', 'account_1', 'ca_none'],
  ['id', `ca_${'1'.repeat(30)}`, `ca_${'.'.repeat(29)}`],
  ['organization_id', '1'.repeat(33), 'a label: '.padEnd(32, 'é')],
  ['user_id', '1'.repeat(33), '1'.repeat(32)],
])('behaviour I2: in a query or body, the %s %s is refused, and %s is accepted but not found', async (name, bad, good) => {
  const address = name === 'id' ? {} : { id: 'ca_100000000000000001' };
  const query = (value: string) => new URLSearchParams({ ...address, [name]: value });
  expect(await outcome('GET', `${ACCOUNTS}/details?${query(bad)}`)).toEqual([name, expect.any(String)]);
  expect(await outcome('GET', `${ACCOUNTS}/details?${query(good)}`)).toBe(404);
  expect(await outcome('PUT', ACCOUNTS, { ...address, [name]: bad })).toEqual([name, expect.any(String)]);
  expect(await outcome('PUT', ACCOUNTS, { ...address, [name]: good })).toBe(404);
});

test.each<[string, string, string, number, string, object?]>([
  ['I2', 'PATCH', `${MEMBERS}/org_/users/usr_100000000000000005`, 404, ''],
  ['I2', 'PATCH', `${MEMBERS}/org_${'.'.repeat(28)}/users/usr_${'@'.repeat(15)}`, 404, ''],
  ['I2', 'PATCH', `${MEMBERS}/org_${'1'.repeat(29)}/users/usr_100000000000000005`, 400, 'organization_id'],
  ['I2', 'PATCH', `${MEMBERS}/acme/users/usr_100000000000000005`, 400, 'organization_id'],
  ['I2', 'PATCH', `${MEMBERS}/org_1/users/usr_12345678901234`, 400, 'id'],
  ['I2', 'PATCH', `${MEMBERS}/org_1/users/usr_${'1'.repeat(22)}`, 400, 'id'],
  ['I2', 'POST', VERIFY, 404, '', { auth_request_id: 'cGVuZGluZw==', identifier: 'a' }],
  ['I2', 'POST', VERIFY, 400, 'auth_request_id', { auth_request_id: 'pending/1', identifier: 'a' }],
  ['I5', 'POST', VERIFY, 403, '', { auth_request_id: REQUEST, identifier: 'a'.repeat(200) }],
  ['I5', 'GET', `${ACCOUNTS}?query=a`, 200, ''],
  ['I5', 'GET', `${SEARCH}?query=ab`, 400, 'query'],
  ['I5', 'DELETE', `${PROVIDERS}/${'X'.repeat(255)}`, 404, ''],
  ['I5', 'DELETE', `${PROVIDERS}/${'X'.repeat(256)}`, 400, 'identifier'],
])('behaviour %s: %s %s is answered with %i %s', async (_rule, method, path, status, field, body = {}) => {
  const expected = status === 400 ? [field, expect.any(String)] : status;
  expect(await outcome(method, path, method === 'PATCH' || method === 'POST' ? body : undefined)).toEqual(
    expected,
  );
});

const MAGIC_LINK = `${ACCOUNTS}/magic_link`;
const MEMBER = `${MEMBERS}/org_100000000000000001/users/usr_100000000000000001`;
const pair = { connector: 'mail', identifier: 'a' };
const provider = {
  display_name: 'Wiki 2',
  proxy_url: 'https://proxy.test',
  auth_patterns: [{ type: 'API_KEY' }],
};

test.each<[string, string, number, string, object?]>([
  ['GET', `${SEARCH}?query=mail&connection_id=`, 32, 'connection_id'],
  ['GET', '/api/v1/connections?domain=', 32, 'domain'],
  ['GET', `${ACCOUNTS}?connector=`, 400, 'connector'],
  ['GET', `${ACCOUNTS}?identifier=`, 100, 'identifier'],
  ['GET', `${ACCOUNTS}?provider=`, 50, 'provider'],
  ['GET', `${ACCOUNTS}?query=`, 200, 'query'],
  ['POST', MAGIC_LINK, 512, 'state', pair],
  ['POST', MAGIC_LINK, 2_048, 'user_verify_url', pair],
  ['POST', MAGIC_LINK, 100, 'identifier', pair],
  ['POST', VERIFY, 1_000, 'auth_request_id', { identifier: 'a' }],
  ['POST', VERIFY, 200, 'identifier', { auth_request_id: REQUEST }],
  ['POST', PROVIDERS, 200, 'display_name', provider],
  ['POST', PROVIDERS, 2_048, 'proxy_url', provider],
])('behaviour I5: %s %s accepts at most %i characters in %s', async (method, path, most, name, body = {}) => {
  const sent = (length: number) => {
    const text = (/_url$/.test(name) ? 'https://a.test/' : '').padEnd(length, 'x');
    return method === 'GET' ? outcome(method, path + text) : outcome(method, path, { ...body, [name]: text });
  };
  expect(await sent(most)).toEqual(expect.any(Number));
  expect(await sent(most + 1)).toEqual([name, 'maxLength']);
});

test.each([
  ['metadata.ab', 'minLength', { ab: 'x' }],
  ['metadata.\u{1f600}\u{1f600}', 'minLength', { '\u{1f600}\u{1f600}': 'x' }],
  [`metadata.${'k'.repeat(26)}`, 'maxLength', { ['k'.repeat(26)]: 'x' }],
  ['metadata.key', 'maxLength', { key: '\u{1f600}'.repeat(257) }],
  ['metadata.key', 'type', { key: 1 }],
  [
    'metadata',
    'maxProperties',
    Object.fromEntries(Array.from({ length: 21 }, (_, nth) => [`key${nth}`, 'x'])),
  ],
])('behaviour X1: the error about %s names the broken limit: %s', async (field, constraint, metadata) => {
  expect(await outcome('PATCH', MEMBER, { metadata })).toEqual([field, constraint]);
  const most = { ['k'.repeat(25)]: '\u{1f600}'.repeat(256) };
  expect(await outcome('PATCH', MEMBER, { metadata: most })).toBe(200);
});

test('an error cuts a long name wherever it repeats it', async () => {
  const metadata = { ['k'.repeat(200_000)]: 1 };
  expect((await server.call('PATCH', MEMBER, { body: { metadata } })).text.length).toBeLessThan(10_000);
});

test.each([
  [`${ACCOUNTS}?`, 0, 100],
  [`${SEARCH}?query=acme&`, 1, 30],
])('behaviour I3: the page_size of %s may be from %i to %i', async (path, least, most) => {
  const sized = (size: number) => outcome('GET', `${path}page_size=${size}`);
  expect([await sized(least), await sized(most)]).toEqual([200, 200]);
  expect(await sized(least - 1)).toEqual(['page_size', 'minimum']);
  expect(await sized(most + 1)).toEqual(['page_size', 'maximum']);
});

test('behaviour P1: a provider may have a proxy_url that starts with HTTPS, auth_patterns of any type, an empty icon and an empty description', async () => {
  const auth_patterns = [{ type: 'MAGIC', is_mcp: 'no' }, { type: null }, {}];
  const texts = { display_name: 'Wiki 3', proxy_url: 'HTTPS://proxy.test', icon_src: '', description: '' };
  const body = { ...texts, auth_patterns };
  const { status, body: made } = await server.call('POST', PROVIDERS, { body });
  expect([status, made.provider]).toMatchObject([201, { ...body, is_custom_mcp: false }]);
});

test.each([
  ['auth_patterns', undefined],
  ['proxy_url', undefined],
  ['proxy_url', 'http://proxy.test'],
  ['display_name', 'Café'],
  ['icon_src', 'http://a.test'],
])('behaviour P1: a provider whose %s is %j is refused', async (name, value) => {
  const found = await outcome('POST', PROVIDERS, { ...provider, [name]: value });
  expect(found).toEqual([name, expect.any(String)]);
});
