/** Behaviour T4: which refusal comes first, over real HTTP. */
import { expect, test } from '@jest/globals';
import { listeningServer, rawRequest } from '../support/server.ts';

const server = await listeningServer();

test('behaviour T4: an unknown path is 404 PATH_NOT_FOUND before the token is checked, and the message suggests an operation', async () => {
  const { status, body } = await server.call('GET', '/api/v1/connected_account', { token: null });
  expect(status).toBe(404);
  expect(body.code).toBe(5);
  expect(body.details[0].error_code).toBe('PATH_NOT_FOUND');
  expect(body.message).toContain('GET /api/v1/connected_accounts');
});

test.each([
  ['GET', '/connections', 'GET /api/v1/connections'],
  ['GET', '/api/v2/connections', 'GET /api/v1/connections'],
  ['GET', '//api/v1/connections', 'GET /api/v1/connections'],
  ['GET', '/api/v1//connections/', 'GET /api/v1/connections'],
  [
    'POST',
    '/api/v1/memberships/organizations/org_1/user/usr_1',
    'POST /api/v1/memberships/organizations/{organization_id}/users/{id}',
  ],
])('behaviour T4: for %s %s the message suggests %s', async (method, path, nearest) => {
  const { status, body } = await server.call(method, path);
  expect([status, body.message]).toEqual([404, expect.stringContaining(`Did you mean ${nearest}?`)]);
});

test.each([
  '/api/v1/nope',
  '/api/v1',
  '/api',
  '/nope',
  '/api/v1/users',
])('behaviour T4: for %s the message suggests no operation', async (path) => {
  const { status, body } = await server.call('GET', path);
  expect([status, body.message]).toEqual([404, expect.not.stringContaining('Did you mean')]);
});

test('behaviour T4: a wrong method on a known path is 501 with Allow, before the token is checked', async () => {
  const { status, headers, body } = await server.call('DELETE', '/api/v1/connected_accounts', {
    token: null,
  });
  expect(status).toBe(501);
  expect(body).toMatchObject({ code: 12, details: [{ error_code: 'UNIMPLEMENTED' }] });
  expect(headers.allow?.split(', ').sort()).toEqual(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT']);
});

test.each([
  '/api/v1/connected_accounts/',
  '/API/v1/connected_accounts',
  '/api/v1//connected_accounts',
  '/api/v1/Connections',
])('behaviour T4: %s is an unknown path, since case and slashes count', async (path) => {
  const { status, body } = await server.call('GET', path);
  expect(status).toBe(404);
  expect(body.details[0].error_code).toBe('PATH_NOT_FOUND');
});

test('behaviour T4: 401 comes before the body is parsed', async () => {
  const { status, body } = await server.call('POST', '/api/v1/connected_accounts', {
    token: 'wrong',
    body: '{',
  });
  expect(status).toBe(401);
  expect(body.details[0].error_code).toBe('UNAUTHENTICATED');
});

test('behaviour T4: a client without a token is refused before it has sent its body', async () => {
  const head = rawRequest('POST /api/v1/connected_accounts HTTP/1.1', [
    'Content-Type: application/json',
    'Content-Length: 1000',
  ]);
  expect(await server.raw(head)).toMatch(/^HTTP\/1\.1 401 /);
});

test('behaviour T4: Prefer answers before the body is parsed', async () => {
  const { status, headers, body } = await server.call('POST', '/api/v1/connected_accounts', {
    headers: { prefer: 'code=429' },
    body: '{',
  });
  expect(status).toBe(429);
  expect(headers['retry-after']).toMatch(/^\d+$/);
  expect(headers['preference-applied']).toBe('code=429');
  expect(body.details[0].error_code).toBe('RATE_LIMITED');
});

test('behaviour T4: a body over 1 MiB is 413, before its content is checked', async () => {
  const { status, body } = await server.call('POST', '/api/v1/connected_accounts', {
    body: 'x'.repeat(1024 * 1024 + 1),
  });
  expect(status).toBe(413);
  expect(body).toMatchObject({ code: 3, details: [{ error_code: 'PAYLOAD_TOO_LARGE' }] });
});

test('behaviour T4: a body with a gigantic content-length is 413 at once', async () => {
  const head = rawRequest('POST /api/v1/connected_accounts HTTP/1.1', [
    'Authorization: Bearer dev-token',
    'Content-Type: application/json',
    'Content-Length: 1000000000000',
  ]);
  expect(await server.raw(head)).toMatch(/^HTTP\/1\.1 413 .*PAYLOAD_TOO_LARGE/s);
});

test.each([
  ['text that is not JSON', '{"connector": ', 'application/json', 'body'],
  ['another content type', 'connector=mail', 'text/plain', 'Content-Type'],
  ['bytes that are not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), 'application/json', 'body'],
  ['another charset', '{}', 'application/json; charset=latin1', 'body'],
  ['an array', '[]', 'application/json', 'body'],
  ['null', 'null', 'application/json', 'body'],
  [
    'nesting without end',
    `{"api_config":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
    'application/json',
    'body',
  ],
])('behaviour T4: %s is 400 with a message', async (_what, body, type, field) => {
  const answer = await server.call('POST', '/api/v1/connected_accounts', {
    body,
    headers: { 'content-type': type },
  });
  expect(answer.status).toBe(400);
  expect(answer.body.details[0].validation_error_info.field_violations[0].field).toBe(field);
});

test('behaviour T4: one error lists all violations of the contract', async () => {
  const { status, body } = await server.call('POST', '/api/v1/connected_accounts/user/verify', {
    body: { auth_request_id: 'not ok!' },
  });
  expect(status).toBe(400);
  const fields = body.details[0].validation_error_info.field_violations.map(
    ({ field }: { field: string }) => field,
  );
  expect(fields.sort()).toEqual(['auth_request_id', 'identifier']);
});

test('behaviour T4: faults affect issueToken after its body has named the environment', async () => {
  await (await server.mock.environment('production')).faults.add({
    operation: 'issueToken',
    status: 504,
    times: 1,
  });
  const form = (id: string, secret: string) =>
    new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret });
  const ofDevelopment = await server.call('POST', '/oauth/token', {
    token: null,
    body: form('dev-client', 'dev-secret'),
  });
  const ofProduction = await server.call('POST', '/oauth/token', {
    token: null,
    body: form('prod-client', 'prod-secret'),
  });
  expect(ofDevelopment.status).toBe(200);
  expect(ofProduction.status).toBe(504);
  expect(ofProduction.body).toMatchObject({ code: 4, details: [{ error_code: 'DEADLINE_EXCEEDED' }] });
});
