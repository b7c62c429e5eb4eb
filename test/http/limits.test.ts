/** Limits that the contract states, over real HTTP: what stands at the edge is taken, one past it is 400 by name. */
import { expect, test } from '@jest/globals';
import { testServer } from '../support/server.ts';

const ACCOUNTS = '/api/v1/connected_accounts';

const server = testServer();

/** The field and constraint that a refusal names first, or the status. */
const outcome = async (method: string, path: string, body?: object): Promise<unknown> => {
  const answer = await server.call(method, path, { body });
  if (answer.status !== 400) return answer.status;
  const [violation] = answer.body.details[0].validation_error_info.field_violations;
  return [violation.field, violation.constraint];
};

test.each([
  ['id', 'account_1', 'ca_none'],
  ['id', `ca_${'1'.repeat(30)}`, `ca_${'.'.repeat(29)}`],
  ['organization_id', '1'.repeat(33), 'a label: '.padEnd(32, 'é')],
  ['user_id', '1'.repeat(33), '1'.repeat(32)],
])('behaviour I2: %s refuses %s in query and body, and looks up %s', async (name, bad, good) => {
  const address = name === 'id' ? {} : { id: 'ca_100000000000000001' };
  const query = (value: string) => new URLSearchParams({ ...address, [name]: value });
  expect(await outcome('GET', `${ACCOUNTS}/details?${query(bad)}`)).toEqual([name, expect.any(String)]);
  expect(await outcome('GET', `${ACCOUNTS}/details?${query(good)}`)).toBe(404);
  expect(await outcome('PUT', ACCOUNTS, { ...address, [name]: bad })).toEqual([name, expect.any(String)]);
  expect(await outcome('PUT', ACCOUNTS, { ...address, [name]: good })).toBe(404);
});

test.each([
  ['organizations/org_', 'users/usr_100000000000000005', 404],
  [`organizations/org_${'.'.repeat(28)}`, `users/usr_${'@'.repeat(15)}`, 404],
  [`organizations/org_${'1'.repeat(29)}`, 'users/usr_100000000000000005', 'organization_id'],
  ['organizations/acme', 'users/usr_100000000000000005', 'organization_id'],
  ['organizations/org_1', 'users/usr_12345678901234', 'id'],
  ['organizations/org_1', `users/usr_${'1'.repeat(22)}`, 'id'],
])('behaviour I2: in a path, %s/%s answers %s', async (organization, user, expected) => {
  const answer = await outcome('PATCH', `/api/v1/memberships/${organization}/${user}`, {});
  expect(answer).toEqual(typeof expected === 'number' ? expected : [expected, expect.any(String)]);
});

test.each([
  [`${ACCOUNTS}:search?query=mail&connection_id=`, 32, 'connection_id'],
  ['/api/v1/connections?domain=', 32, 'domain'],
])('behaviour I5: %s may have %i characters', async (path, most, name) => {
  expect(await outcome('GET', path + 'x'.repeat(most))).toBe(200);
  expect(await outcome('GET', path + 'x'.repeat(most + 1))).toEqual([name, 'maxLength']);
});

test('behaviour I5: the identifier of a provider may have 255 characters in a path', async () => {
  const remove = (length: number) => outcome('DELETE', `/api/v1/custom-providers/${'X'.repeat(length)}`);
  expect(await remove(255)).toBe(404);
  expect(await remove(256)).toEqual(['identifier', 'maxLength']);
});

test('behaviour I5: a list accepts a query of one character, a search refuses one of two', async () => {
  expect(await outcome('GET', `${ACCOUNTS}?query=a`)).toBe(200);
  expect(await outcome('GET', `${ACCOUNTS}:search?query=ab`)).toEqual(['query', 'minLength']);
});

test('behaviour I5: verify accepts an identifier of 200 characters, which cannot match an account', async () => {
  const auth_request_id = `pending-grace-${'0'.repeat(29)}`;
  const verify = (length: number) =>
    outcome('POST', `${ACCOUNTS}/user/verify`, { auth_request_id, identifier: 'a'.repeat(length) });
  expect([await verify(101), await verify(200)]).toEqual([403, 403]);
  expect(await verify(201)).toEqual(['identifier', 'maxLength']);
});

test('behaviour I2: an auth_request_id may end in =, as base64 does', async () => {
  const verify = (auth_request_id: string) =>
    outcome('POST', `${ACCOUNTS}/user/verify`, { auth_request_id, identifier: 'ada@acme.test' });
  expect(await verify('cGVuZGluZw==')).toBe(404);
  expect(await verify('pending/1')).toEqual(['auth_request_id', 'pattern']);
});

test.each([
  ['display_name', 'My-API'],
  ['display_name', 'Café'],
  ['display_name', '!!!'],
  ['display_name', ' '],
  ['proxy_url', undefined],
  ['proxy_url', 'https://'],
  ['proxy_url', 'https:///path'],
  ['proxy_url', 'http://proxy.test'],
  ['proxy_url', `https://a.test/${'x'.repeat(2_034)}`],
  ['proxy_url', 'https://.'],
  ['proxy_url', 'https://a.test/\u0000'],
  ['icon_src', 'https:// '],
  ['auth_patterns', []],
])('behaviour P1: a provider whose %s is %s is refused', async (name, value) => {
  const body = {
    display_name: 'Wiki 2',
    proxy_url: 'https://proxy.test',
    auth_patterns: [{ type: 'API_KEY' }],
  };
  expect(await outcome('POST', '/api/v1/custom-providers', { ...body, [name]: value })).toEqual([
    name,
    expect.any(String),
  ]);
});

test('behaviour P1: a provider may have a scheme in any letter case, patterns of any type, and empty texts', async () => {
  const body = {
    display_name: 'Wiki 3',
    proxy_url: 'HTTPS://proxy.test',
    icon_src: '',
    description: '',
    auth_patterns: [{ type: 'MAGIC', is_mcp: 'no' }, {}],
  };
  const { status, body: made } = await server.call('POST', '/api/v1/custom-providers', { body });
  expect(status).toBe(201);
  expect(made.provider).toMatchObject({ ...body, is_custom_mcp: false });
});

test.each([
  [ACCOUNTS, 0, 100],
  [`${ACCOUNTS}:search?query=acme`, 1, 30],
  ['/api/v1/logs/authentication/requests', 0, 100],
])('behaviour I3: page_size of %s may be from %i to %i', async (path, least, most) => {
  const sized = (size: number) => outcome('GET', `${path}${path.includes('?') ? '&' : '?'}page_size=${size}`);
  expect([await sized(least), await sized(most)]).toEqual([200, 200]);
  expect(await sized(least - 1)).toEqual(['page_size', 'minimum']);
  expect(await sized(most + 1)).toEqual(['page_size', 'maximum']);
});

test.each([
  '1e1',
  '0x5',
  '1.0',
  '%205',
  '+5',
  '5.',
  '0b1',
  '1e9',
])('behaviour I3, R1: a page_size of %s is not an integer: one violation shows the value as sent', async (size) => {
  const { status, body } = await server.call('GET', `/api/v1/connected_accounts?page_size=${size}`);
  expect(status).toBe(400);
  const sent = decodeURIComponent(size.replace('+', ' '));
  expect(body.details[0].validation_error_info.field_violations).toEqual([
    {
      field: 'page_size',
      constraint: 'type',
      description: `page_size is ${JSON.stringify(sent)}, but must be a whole number written in digits.`,
    },
  ]);
});

test.each([
  ['connector', 400],
  ['identifier', 100],
  ['provider', 50],
  ['query', 200],
])('behaviour I5: the filter %s may have at most %i characters', async (name, most) => {
  const filtered = (length: number) => outcome('GET', `${ACCOUNTS}?${name}=${'a'.repeat(length)}`);
  expect(await filtered(most)).toBe(200);
  expect(await filtered(most + 1)).toEqual([name, 'maxLength']);
});
