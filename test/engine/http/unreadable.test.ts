/** Requests that cannot be read, or whose URL is malformed. */
import { beforeEach, expect, test } from '@jest/globals';
import { fieldsOf, listeningServer } from '../../support/server.ts';

const server = await listeningServer();
beforeEach(async () => (await server.mock.environment('development')).reset());

const HOST = 'Host: 127.0.0.1\r\nAuthorization: Bearer dev-token\r\nConnection: close';
const send = (line: string, headers = HOST) =>
  server.raw(Buffer.from(`${line} HTTP/1.1\r\n${headers}\r\n\r\n`, 'latin1'));

test.each([
  ['/api/v1/connections', /"code":3,"message":"[^"]{20,}","details":\[\{.*"error_code":"INVALID_ARGUMENT"/s],
  ['/anything', /"code":3,"message":"[^"]{20,}","details"/],
  ['/_mock/health', /"error":\{"code":"INVALID_ARGUMENT","message":"[^"]{20,}","hint":"[^"]/],
  ['/_mock/', /"error":\{"code":"INVALID_ARGUMENT"/],
  ['/magicLink/abc', /<!doctype html>.*data-testid="refused"/s],
  ['/connect/success', /data-testid="refused"/],
])('%s with a fragment is a 400 in the shape of its plane', async (path, shape) => {
  for (const target of [`${path}#part`, `${path}?a=b#part`]) {
    const [head, body] = (await send(`GET ${target}`)).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 400 /);
    expect(body).toMatch(shape);
  }
});

test.each([
  '/keys\xff',
  '/keys?\x80',
  '/keys\x01',
])('behaviour R1: %j is a 400 with a message', async (target) => {
  const [head, body = ''] = (await send(`GET ${target}`)).split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 400 /);
  expect(JSON.parse(body)).toMatchObject({ code: 3, details: [{ error_code: 'INVALID_ARGUMENT' }] });
});

test('HTTP/1.0 needs no Host, and a client that uses the mock as a proxy may send a whole address', async () => {
  expect(await server.raw('GET /keys HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
  expect(await send('GET http://example.test/keys')).toMatch(/^HTTP\/1\.1 200 /);
});

test.each([
  '%FF',
  '%zz',
  '%',
  'a%ED%A0%80b',
  '%c3%28',
  '%e4',
])('behaviour I2: %j is not UTF-8, so it is a 400 in queries, forms and paths, as in bodies', async (text) => {
  const path = '/api/v1/connected_accounts';
  expect(fieldsOf(await server.call('GET', `${path}?query=${text}`))).toEqual(['query']);
  expect(fieldsOf(await server.call('GET', `${path}?id=${text}&connector=x`))).toContain('id');
  expect(fieldsOf(await server.call('DELETE', `/api/v1/custom-providers/${text}`))).toEqual(['path']);
  expect(fieldsOf(await server.call('GET', `${path}?other=${text}`))).toEqual(['other']);
  const journal = await server.control('GET', `/environments/development/requests?text=${text}`);
  expect([journal.status, journal.body.error.message]).toEqual([
    400,
    expect.stringMatching(/^text is not UTF-8/),
  ]);
  const token = await server.call('POST', '/oauth/token', {
    token: null,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `grant_type=client_credentials&client_id=${text}&client_secret=x`,
  });
  expect([token.status, token.body.error]).toEqual([400, 'invalid_request']);
});
