/** Behaviour R1 and R2 over HTTP: the form of every error, and which violations one error lists together. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { beforeEach, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { createMock } from '#mock';
import { loadContract } from '../../../src/service/document.ts';
import { openWith } from '../../support/contract.ts';
import {
  type CallOptions,
  fieldsOf,
  listeningServer,
  rawRequest,
  send,
  violationsOf,
} from '../../support/server.ts';

const ACCOUNTS = '/api/v1/connected_accounts';
const JOINED = '/api/v1/memberships/organizations/org_100000000000000001/users/usr_100000000000000001';

const TAKEN = { connector: 'mail', identifier: 'ada@acme.test' };

const server = await listeningServer();

test.each<[number, string, string, string, CallOptions?]>([
  [400, 'INVALID_ARGUMENT', 'GET', `${ACCOUNTS}?page_size=101`],
  [401, 'UNAUTHENTICATED', 'GET', ACCOUNTS, { token: null }],
  [401, 'UNAUTHENTICATED', 'GET', ACCOUNTS, { headers: { prefer: 'code=401' } }],
  [403, 'CONNECTION_NOT_ENABLED', 'POST', ACCOUNTS, { body: { connector: 'paused', identifier: 'a' } }],
  [404, 'NOT_FOUND', 'GET', `${ACCOUNTS}/details?id=ca_404`],
  [404, 'PATH_NOT_FOUND', 'GET', '/nowhere'],
  [409, 'RESOURCE_ALREADY_EXISTS', 'POST', ACCOUNTS, { body: TAKEN }],
  [429, 'RATE_LIMITED', 'GET', ACCOUNTS, { headers: { prefer: 'code=429' } }],
  [500, 'INTERNAL_ERROR', 'GET', ACCOUNTS, { headers: { prefer: 'code=500' } }],
  [501, 'UNIMPLEMENTED', 'PATCH', ACCOUNTS],
  [504, 'DEADLINE_EXCEEDED', 'GET', ACCOUNTS, { headers: { prefer: 'code=504' } }],
])('behaviour R1, T6: the error %i %s of %s %s has a code, a message, an ErrorInfo detail, and the headers of CORS', async (status, errorCode, method, path, {
  headers: sent,
  ...given
} = {}) => {
  const options = { ...given, headers: { origin: 'https://app.test', ...sent } };
  const { status: got, headers, body } = await server.call(method, path, options);
  expect(got).toBe(status);
  const exposed = /X-Request-Id.*Retry-After.*WWW-Authenticate.*Preference-Applied/;
  expect(headers['access-control-expose-headers']).toMatch(exposed);
  expect([headers['access-control-allow-origin'], headers.vary]).toEqual([
    'https://app.test',
    expect.stringContaining('Origin'),
  ]);
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
  ['no Authorization header', {}, 'The Authorization header is missing.'],
  ['an empty Authorization header', { authorization: '' }, 'The Authorization header is missing.'],
  ['another authorization scheme', { authorization: 'Basic abc' }, 'no bearer token'],
  ['an unknown token', { authorization: 'Bearer nobody' }, 'neither'],
])('behaviour R1: the 401 for %s has its own message', async (_what, headers, words) => {
  const { status, body } = await server.call('GET', ACCOUNTS, { token: null, headers });
  expect([status, body.message]).toEqual([401, expect.stringContaining(words)]);
});

test('behaviour R1: an error of the mock itself is a 500 without a stack trace, and is reported', async () => {
  const { app, environments, told } = openWith(loadContract(), 'on');
  const fail = () => {
    throw new Error('broken');
  };
  Object.assign(environments.first(), { effectOn: fail });
  Object.assign(environments.first().outbox, { list: fail });
  const api = await send(app, 'GET', ACCOUNTS);
  const control = await send(app, 'GET', '/_mock/environments/development/outbox', { token: null });
  expect([api.status, api.body.details[0].error_code]).toEqual([500, 'INTERNAL_ERROR']);
  expect([control.status, control.body.error.code]).toEqual([500, 'INTERNAL_ERROR']);
  expect(api.text + control.text).not.toContain('broken');
  expect(told).toEqual(['fault: Error: broken', 'fault: Error: broken']);
});

const NOT_INT32 = 'page_size is 2147483648, but must be a 32-bit whole number (at most 2147483647).';
const notExact = (size: string) =>
  `page_size is "${size}", which is out of range. Send a number nearer to 0.`;

test.each([
  ['2147483648', 'maximum', `page_size is 2147483648, but must be 100 or less. ${NOT_INT32}`],
  ['99999999999999999999', 'maximum', notExact('99999999999999999999')],
  ['-99999999999999999999', 'minimum', notExact('-99999999999999999999')],
])('behaviour R2: the error about a page_size of %s shows the value as it was sent and says everything that is wrong with it', async (size, constraint, message) => {
  const answer = await server.call('GET', `${ACCOUNTS}?page_size=${size}`);
  expect([answer.status, answer.body.message]).toEqual([400, message]);
  expect(violationsOf(answer)[0]).toMatchObject({ field: 'page_size', constraint });
});

const change = (metadata: object) => server.call('PATCH', JOINED, { body: { metadata } });

test.each([
  ['metadata.ab', 'minLength', { ab: 'x' }],
  ['metadata.\u{1f600}\u{1f600}', 'minLength', { '\u{1f600}\u{1f600}': 'x' }],
  [`metadata.${'k'.repeat(26)}`, 'maxLength', { ['k'.repeat(26)]: 'x' }],
  ['metadata.key', 'maxLength', { key: '\u{1f600}'.repeat(257) }],
  ['metadata.key', 'type', { key: 1 }],
  ['metadata', 'maxProperties', Object.fromEntries(Array.from(Array(21), (_, key) => [`key${key}`, 'x']))],
])('behaviour X1: the error about %s names the broken limit: %s', async (field, constraint, metadata) => {
  expect(violationsOf(await change(metadata))[0]).toMatchObject({ field, constraint });
  expect((await change({ ['k'.repeat(25)]: '\u{1f600}'.repeat(256) })).status).toBe(200);
});

test('an error cuts a long name wherever it repeats it', async () => {
  expect((await change({ ['k'.repeat(200_000)]: 1 })).text.length).toBeLessThan(10_000);
});

// Refusals end with the address of the section of the guide that a person needs next.

const FAULT = { operation: 'listConnectedAccounts', status: 503, match: { query: { connector: 'faulty' } } };
await server.control('PATCH', '/environments/production/settings', {
  rate_limit: { requests: 1, per: '1h' },
});
await server.call('GET', '/api/v1/connections', { token: 'prod-token' });

const FORM = 'application/x-www-form-urlencoded';
const WRONG = { authorization: `Basic ${btoa('dev-client:wrong')}`, 'content-type': FORM };
const DEV = { authorization: 'Bearer dev-token' };
const PROD = { authorization: 'Bearer prod-token' };
const CONNECTIONS = '/api/v1/connections';
const FAULTY = '/api/v1/connected_accounts?connector=faulty';

test.each<[what: string, method: string, path: string, headers: Record<string, string>, section: string]>([
  ['a call without a token', 'GET', CONNECTIONS, {}, 'troubleshooting#401'],
  ['a token request with a wrong secret', 'POST', '/oauth/token', WRONG, 'troubleshooting#401'],
  ['a path that nothing answers', 'GET', '/api/v1/tools/x', DEV, 'stubs#stubs'],
  ['a fault', 'GET', FAULTY, DEV, 'stubs#let-calls-fail'],
  ['`Prefer`', 'GET', '/keys', { prefer: 'code=503' }, 'stubs#let-calls-fail'],
  ['the rate limit', 'GET', CONNECTIONS, PROD, 'flags#rate-limit'],
  ['a page of another origin', 'GET', '/_mock/health', { origin: 'http://evil.test' }, 'proof#security'],
])('%s links to the guide at the address that the client called', async (_what, method, path, headers, section) => {
  await server.control('POST', '/environments/development/faults', FAULT);
  const host = new URL(server.mock.url).host.replace('127.0.0.1', 'localhost');
  const body = method === 'POST' ? new URLSearchParams({ grant_type: 'client_credentials' }) : undefined;
  const answer = await server.call(method, path, { token: null, headers: { ...headers, host }, body });
  const [, page, id] = / The guide: (http:\S+\/_mock\/guide\/[\w-]+(?:#([\w-]+))?)"/.exec(answer.text) ?? [];
  expect([answer.status >= 400, page]).toEqual([true, `http://${host}/_mock/guide/${section}`]);
  const { status, text } = await server.call('GET', new URL(String(page)).pathname, { token: null });
  expect(status).toBe(200);
  if (id !== undefined) expect(text).toContain(`id="${id}"`);
});

test('a missing control token links to the guide, and the address keeps the path of the base URL', async () => {
  const baseUrl = 'http://mock.test/prefix';
  await using mock = createMock({ baseUrl, controlToken: 'secret', log: 'silent' });
  const get = (path: string) => supertest(createServer(mock.app)).get(`/prefix${path}`);
  const { hint } = (await get('/_mock/health').expect(401)).body.error;
  expect(hint).toContain(` The guide: ${baseUrl}/_mock/guide/control-plane#who-may-call-it`);
  const { message } = (await get('/keys').set('Prefer', 'code=500')).body;
  expect(message).toContain(` The guide: ${baseUrl}/_mock/guide/stubs#let-calls-fail`);
});

// Behaviour T4: which refusal comes first, over real HTTP.

const create = (body: unknown, headers = {}) => server.call('POST', ACCOUNTS, { body, headers });
const BASE = 'Only the start of the path differs: check the base URL.';

test.each([
  ['GET', '/connections', 'GET /api/v1/connections'],
  ['GET', '/xwell-known/openid-configuration', 'GET /.well-known/openid-configuration'],
  ['POST', '/api/v2//connections/', 'GET /api/v1/connections'],
  ['POST', '/custom-providers/WIKI:100000000000000001', 'PUT /api/v1/custom-providers/{identifier}'],
  ['POST', '/api/v1/connected_accounts/delete', 'POST /api/v1/connected_accounts:delete'],
  ['GET', '/api/v1/api/v1/connections', `GET /api/v1/connections? ${BASE}`],
  ['POST', '/api/v1/oauth/token', `POST /oauth/token? ${BASE}`],
  ['DELETE', '/api/v1/connected_accounts/ca_1', 'POST /api/v1/connected_accounts:delete'],
  ['DELETE', '/api/v1/connections/conn_1', ''],
  ['GET', '/api/v1/users', ''],
])('behaviour T4: %s %s is a 404 for an unknown path, even without a token, and the message suggests: %s', async (method, path, nearest) => {
  const { status, body } = await server.call(method, path, { token: null });
  expect(body.details[0].resource_info).toEqual({ resource_name: path });
  expect([status, body.code, body.details[0].error_code]).toEqual([404, 5, 'PATH_NOT_FOUND']);
  expect(body.message.includes('Did you mean')).toBe(nearest !== '');
  expect(body.message).toContain(nearest && `Did you mean ${nearest}`);
});

test('behaviour T4: a wrong or missing token is a 401 before the body is parsed, or even sent', async () => {
  expect((await server.call('POST', ACCOUNTS, { token: 'wrong', body: '{' })).status).toBe(401);
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

test('behaviour T4: a body of 1 MiB or of 20,000 values is accepted, and a larger one is 413 before it is checked', async () => {
  const largest = JSON.stringify({ connector: 'mail', identifier: 'largest@acme.test' }).padEnd(1024 * 1024);
  expect((await create(largest)).status).toBe(201);
  const values = `"connected_account":{"api_config":{"list":[1${',1'.repeat(19_997)}]}}`; // with two commas before it
  const most = await create(`{"connector":"mail","identifier":"most@acme.test",${values}}`);
  expect(most.status).toBe(201);
  const { status, body } = await create('x'.repeat(1024 * 1024 + 1));
  expect(status).toBe(413);
  expect(body).toMatchObject({ code: 3, details: [{ error_code: 'PAYLOAD_TOO_LARGE' }] });
});

test.each<[string, string | Buffer]>([
  ['bytes that are not UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
  ['null', 'null'],
  ['too deep nesting', `[${'['.repeat(50_000)}${']'.repeat(50_000)}]`],
  ['20,001 values', `{"scopes":[1${',1'.repeat(20_000)}]}`],
])('behaviour T4: a body is refused with a 400 for this reason: %s', async (_what, body) => {
  expect(fieldsOf(await create(body))).toEqual(['body']);
});

// Requests that cannot be read, or whose URL is malformed.

beforeEach(async () => (await server.mock.environment('development')).reset());

test.each([
  '/keys',
  '/keys#part',
])('HTTP/1.0 needs no Host, and a fragment changes nothing: %s', async (target) => {
  expect(await server.raw(`GET ${target} HTTP/1.0\r\n\r\n`)).toMatch(/^HTTP\/1\.1 200 /);
});

test.each(
  '%FF %zz % a%ED%A0%80b %c3%28 %e4'.split(' '),
)('behaviour I2: %j is not UTF-8, so it is a 400 in queries, forms and paths, as in bodies', async (text) => {
  expect(fieldsOf(await server.call('GET', `${ACCOUNTS}?query=${text}`))).toEqual(['query']);
  expect(fieldsOf(await server.call('GET', `${ACCOUNTS}?id=${text}&connector=x`))).toContain('id');
  expect(fieldsOf(await server.call('DELETE', `/api/v1/custom-providers/${text}`))).toEqual(['path']);
  expect(fieldsOf(await server.call('GET', `${ACCOUNTS}?other=${text}`))).toEqual(['other']);
  const journal = await server.control('GET', `/environments/development/requests?text=${text}`);
  expect([journal.status, journal.body.error.message]).toEqual([400, expect.stringMatching(/^text is not/)]);
  const token = await server.call('POST', '/oauth/token', {
    token: null,
    headers: { 'content-type': FORM },
    body: `grant_type=client_credentials&client_id=${text}&client_secret=x`,
  });
  expect([token.status, token.body.error]).toEqual([400, 'invalid_request']);
});

// How the HTTP listener handles broken, unusual and unfinished requests.

test.each([
  ['a space', 'GET /keys with space HTTP/1.1', 400],
  ['an umlaut', 'GET /api/v1/connections?domain=jürgen HTTP/1.1', 400],
  ['an unknown method', 'FOO /keys HTTP/1.1', 400],
  ['an unknown version', 'GET /keys HTTP/9.9', 400],
  ['a byte above ASCII in its path', 'GET /keys\xff HTTP/1.1', 400],
  ['a byte above ASCII in its query', 'GET /keys?\x80 HTTP/1.1', 400],
  ['a control character', 'GET /keys\x01 HTTP/1.1', 400],
  ['bytes of TLS', '\u0016\u0003\u0001', 400],
  ['a page token of 20,000 characters', `GET /api/v1/connections?a=${'a'.repeat(20_000)} HTTP/1.1`, 431],
])('behaviour R1: a request line with %s is refused with a message', async (_what, line, status) => {
  const answer = await server.raw(Buffer.from(rawRequest(line), 'latin1'));
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(JSON.parse(body)).toMatchObject({ code: 3, details: [{ error_code: 'INVALID_ARGUMENT' }] });
});

test('bytes that are not HTTP close an open event stream, and no error is written into the stream', async () => {
  const { port } = new URL(server.mock.url);
  const socket = connect(Number(port), '127.0.0.1');
  socket.write(rawRequest('GET /_mock/live?environment=development HTTP/1.1'));
  let received = '';
  for await (const part of socket) {
    received += String(part);
    if (received.includes(': ok')) socket.write('NONSENSE\r\n\r\n');
  }
  expect(received).toMatch(/^HTTP\/1.1 200 /);
  expect(received).not.toContain('INVALID_ARGUMENT');
});

test('clients that disconnect at once do not stop the server', async () => {
  const { port } = new URL(server.mock.url);
  const beginnings = [
    'CONNECT example.test:443 HTTP/1.1\r\nHost: example.test\r\n\r\n',
    'GET /keys HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    'GET /_mock/live?environment=development HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
    'POST /oauth/token HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nab',
    'GET /keys HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(50),
  ];
  const giveUp = async (bytes: string): Promise<void> => {
    const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
    await once(socket, 'connect');
    socket.write(bytes);
    socket.resetAndDestroy();
  };
  for (let round = 0; round < 10; round += 1) await Promise.all(beginnings.map(giveUp));
  expect((await server.call('GET', '/keys')).status).toBe(200);
});
