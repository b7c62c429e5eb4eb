/** Behaviour T1, T5 to T9 and T11 over real HTTP: bodies, methods, headers and paths. */
import { beforeEach, expect, test } from '@jest/globals';
import { fieldsOf, listeningServer, rawRequest, violationsOf } from '../../support/server.ts';

const ACCOUNTS = '/api/v1/connected_accounts';

const server = await listeningServer({ clock: '2026-03-01T12:00:00Z' });
beforeEach(async () => (await server.mock.environment('development')).reset());

const create = (body: object | string) => server.call('POST', ACCOUNTS, { body });

test('behaviour T1: members are snake_case, and authRequests is the one camelCase name', async () => {
  const { body } = await server.call('GET', '/api/v1/logs/authentication/requests');
  const names = ['authRequests', 'next_page_token', 'prev_page_token', 'total_size'];
  expect(Object.keys(body).sort()).toEqual(names);
});

test('behaviour T5: an empty body counts as {} whatever its content type, and is validated as {}', async () => {
  const headers = ['Authorization: Bearer dev-token', 'Content-Type: text/plain', 'Content-Length: 0'];
  const update = await server.raw(rawRequest(`PUT ${ACCOUNTS} HTTP/1.1`, headers));
  expect(update).toMatch(/^HTTP\/1\.1 400 .*"INVALID_ARGUMENT"/s);
  const untyped = [...headers.slice(0, 1), 'Content-Length: 2'];
  expect(await server.raw(rawRequest(`PUT ${ACCOUNTS} HTTP/1.1`, untyped, '{}'))).toContain(
    '"message":"Content-Type is missing. Send application/json."',
  );
  expect(fieldsOf(await server.call('POST', ACCOUNTS)).sort()).toEqual(['connector', 'identifier']);
  const invite = '/api/v1/invites/organizations/org_100000000000000001/users/usr_100000000000000002';
  expect((await server.call('PATCH', `${invite}/resend`)).status).toBe(200);
});

test('behaviour T6, A8: HEAD for credentials returns none, so it neither refreshes them nor moves last_used_at', async () => {
  const development = await server.mock.environment('development');
  const path = `${ACCOUNTS}/auth?id=ca_100000000000000001`;
  await development.advance('2h');
  const before = await development.state();
  const head = await server.call('HEAD', path);
  expect(await development.state()).toEqual(before);
  const get = await server.call('GET', path);
  expect(head.headers['content-length']).toBe(get.headers['content-length']);
  expect(get.body.connected_account.last_used_at).toBe('2026-03-01T14:00:00.000Z');
});

test('behaviour T6: OPTIONS answers a preflight with the methods of the path and the requested headers', async () => {
  const asked = {
    'access-control-request-method': 'PUT',
    'access-control-request-headers': 'authorization,x-anything',
  };
  const headers = { origin: 'http://localhost:3000', ...asked };
  const answer = await server.call('OPTIONS', ACCOUNTS, { token: null, headers });
  expect([answer.status, answer.text]).toEqual([204, '']);
  const unasked = await server.call('OPTIONS', ACCOUNTS, { token: null });
  expect(unasked.headers['access-control-allow-headers']).toBe('Authorization, Content-Type');
  expect(unasked.headers['access-control-allow-origin']).toBe('*');
  expect(answer.headers).toMatchObject({
    'access-control-allow-origin': 'http://localhost:3000',
    'access-control-allow-credentials': 'true',
    'access-control-allow-headers': 'authorization,x-anything',
    'access-control-allow-methods': 'GET, HEAD, PUT, POST, OPTIONS',
    'access-control-max-age': '600',
    allow: 'GET, HEAD, PUT, POST, OPTIONS',
  });
});

test.each([
  ['a success', ACCOUNTS, {}],
  ['a refusal', `${ACCOUNTS}/details?id=ca_999`, {}],
  ['a missing token', ACCOUNTS, { authorization: '' }],
  ['an unknown path', '/nowhere', {}],
  ['an error that Prefer asks for', ACCOUNTS, { prefer: 'code=500' }],
])('behaviour T6: %s has the CORS headers', async (_what, path, given) => {
  const { headers } = await server.call('GET', path, { headers: { origin: 'https://app.test', ...given } });
  expect(headers['access-control-allow-origin']).toBe('https://app.test');
  expect(headers['access-control-expose-headers']).toMatch(
    /X-Request-Id.*Retry-After.*WWW-Authenticate.*Preference-Applied/,
  );
  expect(headers.vary).toContain('Origin');
});

test('behaviour T8: request ids count up in each environment and restart after a reset', async () => {
  const id = async () => (await server.call('GET', ACCOUNTS)).headers['x-request-id'];
  const first = await id();
  expect(first).toMatch(/^req_/);
  expect(await id()).not.toBe(first);
  await (await server.mock.environment('development')).reset();
  expect(await id()).toBe(first);
});

test('behaviour T8: where the document says empty body, the reply is the JSON object {}', async () => {
  const body = { id: 'ca_100000000000000001' };
  const { text, headers } = await server.call('POST', `${ACCOUNTS}:delete`, { body });
  expect([text, headers['content-type']]).toEqual(['{}', expect.stringMatching(/^application\/json/)]);
});

test('behaviour T11: the served contract has the address of the running mock', async () => {
  const { body } = await server.call('GET', '/openapi.json');
  expect(body.servers[0].url).toBe(server.mock.url);
  const { text, headers } = await server.call('GET', '/openapi.yaml');
  expect(text).toContain(`- url: ${server.mock.url}`);
  expect(text).not.toContain('127.0.0.1:4720'); // the address in the document
  expect(headers).toMatchObject({
    'access-control-allow-origin': '*',
    'content-type': 'application/yaml; charset=utf-8',
  });
});

test.each([
  '{"connector":"mail","identifier":"a","connected_account":{"api_config":{"size":1e999}}}',
  '{"connected_account":{"api_config":[-2.5E0999]}}',
  `{"connected_account":{"api_config":{"toString":1,"valueOf":2,"size":${'9'.repeat(400)}}}}`,
  '{"connected_account":{"api_config":{"n":9007199254740993}}}',
  '{"connected_account":{"api_config":{"list":[{"n":-12345678901234567890}]}}}',
])('a number that is too large to be returned exactly is a 400: case %#', async (body) => {
  const [{ constraint, description = '' } = {}] = violationsOf(await create(body));
  expect(constraint).toBe('maximum');
  expect(body).toContain(/number (\S{1,100}?)(?:\.\.\.)? at/.exec(description)?.[1]); // as it was written
});

test('a text that looks like a huge number is accepted, and so is a number near the largest possible', async () => {
  const api_config = { id: '7e9999', uuid: 'a3e45f, 1e999', large: 1.7e308, safe: -9007199254740991 };
  const connected_account = { api_config };
  const { status, body } = await create({ connector: 'mail', identifier: 'numbers', connected_account });
  expect([status, body.connected_account.api_config]).toEqual([201, api_config]);
});

test('a body nested 200 levels deep is accepted, and a body nested 201 levels deep is refused', async () => {
  const nested = (levels: number): string =>
    `{"connector":"mail","identifier":"nested","connected_account":{"api_config":${'{"a":'.repeat(levels - 2)}1${'}'.repeat(levels)}`;
  expect((await create(nested(200))).status).toBe(201);
  expect(violationsOf(await create(nested(201)))).toMatchObject([{ field: 'body', constraint: 'depth' }]);
});
