/** Behaviour T4: which refusal comes first, over real HTTP. */
import { expect, test } from '@jest/globals';
import { fieldsOf, listeningServer, rawRequest } from '../../support/server.ts';

const server = await listeningServer();

const ACCOUNTS = '/api/v1/connected_accounts';
const create = (body: unknown, headers = {}) => server.call('POST', ACCOUNTS, { body, headers });

test.each([
  ['GET', '/api/v1/connected_account', 'GET /api/v1/connected_accounts'],
  ['GET', '/connections', 'GET /api/v1/connections'],
  ['POST', '/api/v2//connections/', 'GET /api/v1/connections'],
  ['POST', '/custom-providers/WIKI:100000000000000001', 'PUT /api/v1/custom-providers/{identifier}'],
  ['POST', '/api/v1/connected_accounts/delete', 'POST /api/v1/connected_accounts:delete'],
  ['GET', '/xwell-known/openid-configuration', 'GET /.well-known/openid-configuration'],
  ['GET', '/api/v1/users', ''],
])('behaviour T4: %s %s is a 404 for an unknown path, even without a token, and the message suggests: %s', async (method, path, nearest) => {
  const { status, body } = await server.call(method, path, { token: null });
  expect(body.details[0].resource_info).toEqual({ resource_name: path });
  expect([status, body.code, body.details[0].error_code]).toEqual([404, 5, 'PATH_NOT_FOUND']);
  expect(body.message.includes('Did you mean')).toBe(nearest !== '');
  expect(body.message).toContain(nearest && `Did you mean ${nearest}?`);
});

test('behaviour T4: a wrong or missing token is a 401 before the body is parsed, or even sent', async () => {
  expect((await server.call('POST', ACCOUNTS, { token: 'wrong', body: '{' })).status).toBe(401);
  const empty = await server.call('GET', ACCOUNTS, { token: null, headers: { authorization: '' } });
  expect(empty.body.message).toContain('The Authorization header is missing.');
  const lower = { authorization: 'bearer  dev-token' }; // a scheme may be in any letter case
  expect((await server.call('GET', ACCOUNTS, { token: null, headers: lower })).status).toBe(200);
  const headers = ['Content-Type: application/json', 'Content-Length: 1000'];
  expect(await server.raw(rawRequest(`POST ${ACCOUNTS} HTTP/1.1`, headers))).toMatch(/^HTTP\/1\.1 401 /);
});

test('behaviour T4: an error that the Prefer header asks for comes before the body is parsed', async () => {
  const { status, headers, body } = await create('{', { prefer: 'code=429' });
  expect([status, body.details[0].error_code]).toEqual([429, 'RATE_LIMITED']);
  expect(headers['retry-after']).toMatch(/^\d+$/);
  expect(headers['preference-applied']).toBe('code=429');
});

test('behaviour T4: a body of 1 MiB or of 20,000 values is accepted, and a larger one is 413 before it is checked or even sent', async () => {
  const largest = JSON.stringify({ connector: 'mail', identifier: 'largest@acme.test' }).padEnd(1024 * 1024);
  expect((await create(largest)).status).toBe(201);
  const values = `"connected_account":{"api_config":{"list":[1${',1'.repeat(19_997)}]}}`; // with two commas before it
  const most = await create(`{"connector":"mail","identifier":"most@acme.test",${values}}`);
  expect(most.status).toBe(201);
  const { status, body } = await create('x'.repeat(1024 * 1024 + 1));
  expect(status).toBe(413);
  expect(body).toMatchObject({ code: 3, details: [{ error_code: 'PAYLOAD_TOO_LARGE' }] });
  const headers = ['Authorization: Bearer dev-token', 'Content-Type: application/json'];
  const head = rawRequest(`POST ${ACCOUNTS} HTTP/1.1`, [...headers, 'Content-Length: 1000000000000']);
  const refused = await server.raw(head.replace('Connection: close\r\n', ''));
  expect(refused).toMatch(/^HTTP\/1\.1 413 .*\r\nConnection: close\r\n.*PAYLOAD_TOO_LARGE/s);
});

test.each<[string, string | Buffer, string, string]>([
  ['text that is not JSON', '{"connector": ', 'application/json', 'body'],
  ['another content type', 'connector=mail', 'text/plain', 'Content-Type'],
  ['bytes that are not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), 'application/json', 'body'],
  ['another charset', '{}', 'application/json; charset=latin1', 'body'],
  ['an array', '[]', 'application/json', 'body'],
  ['null', 'null', 'application/json', 'body'],
  ['too deep nesting', `[${'['.repeat(50_000)}${']'.repeat(50_000)}]`, 'application/json', 'body'],
  ['20,001 values', `{"scopes":[1${',1'.repeat(20_000)}]}`, 'application/json', 'body'],
])('behaviour T4: a body is refused with a 400 for this reason: %s', async (_what, body, type, field) => {
  const answer = await create(body, { 'content-type': type });
  expect([answer.status, fieldsOf(answer)]).toEqual([400, [field]]);
});
