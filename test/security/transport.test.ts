/** Request smuggling, HTTPS, and what each caller can reach. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { get } from 'node:https';
import { connect } from 'node:tls';
import { afterEach, expect, test } from '@jest/globals';
import { startMock } from '#mock';
import { listeningServer, rawRequest } from '../support/server.ts';

const server = await listeningServer();

test.each([
  ['a line end in the path', '/%0d%0aSet-Cookie:%20a=b'],
  ['a line end in a parameter', '/api/v1/connections?domain=%0d%0aSet-Cookie:%20a=b'],
  ['a line end in a token', '/magicLink/x%0d%0aSet-Cookie:%20a=b'],
  ['a line end in a control path', '/_mock/environments/x%0d%0aSet-Cookie:%20a=b'],
])('%s cannot add a header to the answer', async (_what, path) => {
  const headers = ['Authorization: Bearer dev-token'];
  const answer = await server.raw(rawRequest(`GET ${path} HTTP/1.1`, headers));
  expect(answer).toMatch(/^HTTP\/1.1 (200|400|404) /);
  expect(answer).not.toMatch(/^set-cookie/im);
});

test.each([
  ...['\rSet-Cookie: a=b', '\nSet-Cookie: a=b', '\u0000'].map((end) => `Origin: http://a.test${end}`),
  'Access-Control-Request-Headers: a\rSet-Cookie: a=b',
])('the request header %j cannot add a header to the answer', async (header) => {
  const answer = await server.raw(rawRequest('OPTIONS /api/v1/connections HTTP/1.1', [header]));
  expect(answer).not.toMatch(/[\r\n]set-cookie/i);
});

const CHUNKED = 'Transfer-Encoding: chunked';
const SECOND = 'GET /keys HTTP/1.1\r\n\r\n';

test.each([
  ['a content length together with chunks', ['Content-Length: 4', CHUNKED], `0\r\n\r\n${SECOND}`],
  ['an unknown transfer encoding', ['Transfer-Encoding: xchunked'], '0\r\n\r\n'],
  ['two transfer encodings', [CHUNKED, 'Transfer-Encoding: identity'], '0\r\n\r\n'],
  ['two content lengths', ['Content-Length: 0', 'Content-Length: 30'], SECOND],
  ['a content length with a sign', ['Content-Length: +4'], 'abcd'],
  ['a space before the colon of a header', ['Content-Length : 4'], 'abcd'],
  ['a header that continues in the next line', ['X-A: b', ' Transfer-Encoding: chunked'], '0\r\n\r\n'],
  ['a chunk size that is not a number', [CHUNKED], '0x4\r\nabcd\r\n0\r\n\r\n'],
])('%s cannot hide a second request', async (_what, headers, body) => {
  const answer = await server.raw(rawRequest('POST /api/v1/connected_accounts HTTP/1.1', headers, body));
  expect(answer.match(/^HTTP\/1\.1 \d+/gm)).toHaveLength(1);
  expect(answer).toMatch(/^HTTP\/1.1 4\d\d /);
  expect((await server.call('GET', '/keys')).status).toBe(200);
});

const TLS = { tlsCert: 'test/support/tls/cert.pem', tlsKey: 'test/support/tls/key.pem' };

const handshake = (port: number, versions: object): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ...versions }, () => {
      resolve(socket.getProtocol() ?? 'none');
      socket.destroy();
    });
    socket.on('error', () => resolve('refused'));
  });

test('behaviour T11: with a certificate the mock serves HTTPS, but neither plain HTTP nor TLS below 1.2', async () => {
  const mock = await startMock({ port: 0, log: 'silent', ...TLS });
  expect(mock.url).toMatch(/^https:/);
  const ca = readFileSync(TLS.tlsCert);
  const [reply] = await once(get(`${mock.url}/keys`, { ca, agent: false }), 'response');
  expect(reply.resume().statusCode).toBe(200);
  const port = Number(new URL(mock.url).port);
  expect(await handshake(port, {})).toBe('TLSv1.3');
  expect(await handshake(port, { maxVersion: 'TLSv1.2' })).toBe('TLSv1.2');
  expect(await handshake(port, { minVersion: 'TLSv1', maxVersion: 'TLSv1.1' })).toBe('refused');
  await expect(fetch(`http://127.0.0.1:${port}/keys`)).rejects.toThrow();
  await mock.close();
});

test('a web page cannot call the control plane by the host name mock.local, which is only for calls within the process', async () => {
  const request = rawRequest('POST /_mock/environments/development/reset HTTP/1.1');
  expect(await server.raw(request.replace('127.0.0.1', 'mock.local'))).toMatch(/^HTTP\/1.1 403 /);
  expect((await server.mock.fetch('http://mock.local/_mock/health')).status).toBe(200);
});

test('a path in place of the name of a scenario or asset cannot reach any file', async () => {
  const names = '.. /etc/passwd ./default.yaml %2e%2e/default C:\\x con LPT1'.split(' ');
  for (const scenario of ['a\u0000b', ...names]) {
    for (const path of ['/_mock/environments', '/_mock/environments/development/reset']) {
      const { status, text } = await server.call('POST', path, { token: null, body: { scenario } });
      expect(status).toBe(400);
      expect(text).not.toContain('root:');
    }
  }
  // On Windows, a file with this name is a device.
  expect((await server.control('POST', '/environments', { scenario: 'con' })).text).toContain('is a path');
  const extended = { environments: {}, extends: '/etc/passwd' };
  expect((await server.control('PUT', '/environments/development/state', extended)).status).toBe(400);
  for (const path of ['../control/control.yaml', '%2e%2e%2fcontrol.yaml', '..'])
    expect(await server.raw(rawRequest(`GET /_mock/assets/${path} HTTP/1.1`))).toMatch(/^HTTP\/1.1 404 /);
});

// Behaviour T10: names that callers send neither read nor change a prototype.

afterEach(() => {
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

const ACCOUNTS = '/api/v1/connected_accounts';

test.each<[string, string | URLSearchParams]>([
  ['in a form', new URLSearchParams('grant_type=client_credentials&__proto__=polluted')],
  ['deep inside', '{"connected_account":{"api_config":{"a":[{"__proto__":{"polluted":1}}]}}}'],
  ['written with escapes', '{"\\u005f\\u005fproto\\u005f_":{"polluted":1}}'],
])('behaviour T10: a body with a __proto__ member gets a 400: %s', async (_where, body) => {
  const path = typeof body === 'string' ? ACCOUNTS : '/oauth/token';
  const { status, body: answer } = await server.call('POST', path, { body });
  expect(status).toBe(400);
  expect(answer.message ?? answer.error_description).toContain('__proto__');
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
