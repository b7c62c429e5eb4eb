/** Behaviour T1, T5 to T10 over real HTTP: bodies, methods, headers and paths. */
import { beforeEach, expect, test } from '@jest/globals';
import { type Answer, listeningServer, rawRequest } from '../support/server.ts';

const ACCOUNTS = '/api/v1/connected_accounts';

const server = await listeningServer({ clock: '2026-03-01T12:00:00Z' });
beforeEach(async () => (await server.mock.environment('development')).reset());

const violations = ({ body }: Answer) => body.details[0].validation_error_info.field_violations;

test('behaviour T1: members are snake_case, and authRequests is the one camelCase name', async () => {
  const { body } = await server.call('GET', '/api/v1/logs/authentication/requests');
  expect(Object.keys(body).sort()).toEqual([
    'authRequests',
    'next_page_token',
    'prev_page_token',
    'total_size',
  ]);
});

test('behaviour T5: an empty body is {} whatever its content type, and validated as such', async () => {
  const update = await server.raw(
    rawRequest(`PUT ${ACCOUNTS} HTTP/1.1`, [
      'Authorization: Bearer dev-token',
      'Content-Type: text/plain',
      'Content-Length: 0',
    ]),
  );
  const create = await server.call('POST', ACCOUNTS, {});
  const resend = await server.call(
    'PATCH',
    '/api/v1/invites/organizations/org_100000000000000001/users/usr_100000000000000002/resend',
  );
  expect(update).toMatch(/^HTTP\/1\.1 400 .*"INVALID_ARGUMENT"/s);
  expect(
    violations(create)
      .map(({ field }: { field: string }) => field)
      .sort(),
  ).toEqual(['connector', 'identifier']);
  expect(resend.status).toBe(200);
});

test('behaviour T6: HEAD answers as GET without a body', async () => {
  const get = await server.call('GET', ACCOUNTS);
  const head = await server.call('HEAD', ACCOUNTS);
  const bytes = await server.raw(
    rawRequest(`HEAD ${ACCOUNTS} HTTP/1.1`, ['Authorization: Bearer dev-token']),
  );
  const missing = await server.call('HEAD', `${ACCOUNTS}/details?id=ca_999`);
  expect(head.status).toBe(200);
  expect(bytes).toMatch(/^HTTP\/1\.1 200 .*\r\n\r\n$/s); // supertest would drop a body
  expect(head.headers['content-length']).toBe(get.headers['content-length']);
  expect(missing.status).toBe(404);
});

test('behaviour T6, A8: HEAD of credentials returns none, so it neither refreshes them nor moves last_used_at', async () => {
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
  const { status, headers, text } = await server.call('OPTIONS', ACCOUNTS, {
    token: null,
    headers: {
      origin: 'http://localhost:3000',
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'authorization,x-anything',
    },
  });
  expect(status).toBe(204);
  expect(text).toBe('');
  expect(headers['access-control-allow-origin']).toBe('http://localhost:3000');
  expect(headers['access-control-allow-credentials']).toBe('true');
  expect(headers['access-control-allow-headers']).toBe('authorization,x-anything');
  expect(headers['access-control-allow-methods']?.split(', ')).toEqual(
    expect.arrayContaining(['GET', 'PUT', 'POST']),
  );
});

test.each([
  ['a success', 'GET', ACCOUNTS, {}],
  ['a refusal', 'GET', `${ACCOUNTS}/details?id=ca_999`, {}],
  ['a missing token', 'GET', ACCOUNTS, { token: null }],
  ['an unknown path', 'GET', '/nowhere', {}],
  ['a demanded error', 'GET', ACCOUNTS, { headers: { prefer: 'code=500' } }],
])('behaviour T6: %s has the CORS headers', async (_what, method, path, given) => {
  const { headers } = await server.call(method, path, {
    ...given,
    headers: { origin: 'https://app.test', ...('headers' in given ? given.headers : {}) },
  });
  expect(headers['access-control-allow-origin']).toBe('https://app.test');
  expect(headers['access-control-expose-headers']).toMatch(/X-Request-Id.*Retry-After.*WWW-Authenticate/);
  expect(headers.vary).toContain('Origin');
});

test.each([':', '%3A', '%3a'])('behaviour T7: the colon of :search may be sent as %s', async (colon) => {
  const answer = await server.call('GET', `/api/v1/connected_accounts${colon}search?query=globex`);
  expect(answer.status).toBe(200);
  expect(answer.body.total_size).toBe(3);
});

test('behaviour T7: a provider identifier may be sent with a raw colon or %3A', async () => {
  for (const identifier of ['TICKET_DESK:100000000000000001', 'TICKET_DESK%3A100000000000000001']) {
    const answer = await server.call('PUT', `/api/v1/custom-providers/${identifier}`, {
      body: { description: 'x' },
    });
    expect(answer.status).toBe(200);
  }
});

test('behaviour T8: request ids count up in each environment and restart after a reset', async () => {
  const id = async (token = 'dev-token') =>
    (await server.call('GET', ACCOUNTS, { token })).headers['x-request-id'];
  const first = await id();
  expect(first).toMatch(/^req_/);
  expect(await id()).not.toBe(first);
  await (await server.mock.environment('development')).reset();
  expect(await id()).toBe(first);
});

test('behaviour T8: where the document says empty body, the reply is the JSON object {}', async () => {
  const { text, headers } = await server.call('POST', `${ACCOUNTS}:delete`, {
    body: { id: 'ca_100000000000000001' },
  });
  expect(text).toBe('{}');
  expect(headers['content-type']).toMatch(/^application\/json/);
});

test('behaviour T9: timestamps are UTC with milliseconds and Z, and absent values are left out', async () => {
  const { text, body } = await server.call('GET', `${ACCOUNTS}?page_size=100`);
  for (const { updated_at } of body.connected_accounts)
    expect(updated_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(text).not.toContain('null');
});

test.each([
  '{"connector":"mail","identifier":"a","__proto__":{"x":1}}',
  '{"connected_account":{"api_config":{"\\u005f_proto__":1}}}',
])('behaviour T10: a __proto__ member anywhere is 400: %s', async (body) => {
  const answer = await server.call('POST', ACCOUNTS, { body });
  expect(answer.status).toBe(400);
  expect(violations(answer)[0].field).toBe('__proto__');
});

test.each([
  '{"connector":"mail","identifier":"a","connected_account":{"api_config":{"size":1e999}}}',
  '{"connected_account":{"api_config":[-2.5E0999]}}',
  `{"connected_account":{"api_config":{"toString":1,"valueOf":2,"size":${'9'.repeat(400)}}}}`,
])('a number that JSON cannot repeat exactly is 400: %#', async (body) => {
  const answer = await server.call('POST', ACCOUNTS, { body });
  expect(answer.status).toBe(400);
  expect(violations(answer)[0]).toMatchObject({ constraint: 'maximum' });
});

test('a text of many digits and the largest number are accepted', async () => {
  const api_config = { id: '7e9999', uuid: 'a3e45f, 1e999', large: 1.7e308 };
  const { status, body } = await server.call('POST', ACCOUNTS, {
    body: { connector: 'mail', identifier: 'numbers', connected_account: { api_config } },
  });
  expect([status, body.connected_account.api_config]).toEqual([201, api_config]);
});

const nested = (levels: number): string =>
  `{"connector":"mail","identifier":"nested","connected_account":{"api_config":${'{"a":'.repeat(levels - 2)}1${'}'.repeat(levels)}`;

test('a body of 200 levels is accepted, and a body of 201 levels is refused', async () => {
  expect((await server.call('POST', ACCOUNTS, { body: nested(200) })).status).toBe(201);
  const answer = await server.call('POST', ACCOUNTS, { body: nested(201) });
  expect(answer.status).toBe(400);
  expect(violations(answer)[0]).toMatchObject({ field: 'body', constraint: 'depth' });
});

test('behaviour T10: constructor and toString are ordinary data that the mock keeps and returns', async () => {
  const api_config = { constructor: { prototype: { x: 1 } }, toString: 'text', hasOwnProperty: true };
  const created = await server.call('POST', ACCOUNTS, {
    body: { connector: 'mail', identifier: 'constructor', connected_account: { api_config } },
  });
  const read = await server.call('GET', `${ACCOUNTS}/details?connector=mail&identifier=constructor`);
  expect(created.body.connected_account.api_config).toEqual(api_config);
  expect(read.body.connected_account.api_config).toEqual(api_config);
});

test('two runs of the same calls on the same scenario and seed give byte-equal answers', async () => {
  const environment = await server.mock.environment('development');
  const run = async (): Promise<string[]> => {
    await environment.reset();
    const calls: [string, string, unknown?][] = [
      ['POST', ACCOUNTS, { connector: 'mail', identifier: 'twice@acme.test' }],
      ['POST', `${ACCOUNTS}/magic_link`, { connector: 'chat', identifier: 'ada@acme.test' }],
      [
        'POST',
        '/api/v1/custom-providers',
        { display_name: 'Twice', proxy_url: 'https://proxy.test', auth_patterns: [{ type: 'OAUTH' }] },
      ],
      ['GET', `${ACCOUNTS}?page_size=100`],
      ['GET', `${ACCOUNTS}/auth?id=ca_404`],
    ];
    const texts: string[] = [];
    for (const [method, path, body] of calls) {
      const { text, headers } = await server.call(method, path, body === undefined ? {} : { body });
      texts.push(`${headers['x-request-id']} ${text}`);
    }
    return texts;
  };
  expect(await run()).toEqual(await run());
});
