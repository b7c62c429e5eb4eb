import { expect, test } from '@jest/globals';
import { testServer } from '../../support/server.ts';

const server = testServer();
const guarded = testServer({ controlToken: 'let-me-in' });

const LINK = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

/** A row with POST resets an environment, and a row with GET opens a page. */
test.each<[from: string, method: string, headers: Record<string, string>, status: number]>([
  ['a page of another origin', 'POST', { origin: 'https://evil.test' }, 403],
  ['a page without an origin', 'POST', { origin: 'null' }, 403],
  ['a page of another port', 'POST', { origin: 'http://127.0.0.1:1' }, 403],
  ['a page of the mock itself', 'POST', { origin: server.mock.url }, 200],
  ['a page of the mock itself, without Origin', 'POST', { 'sec-fetch-site': 'same-origin' }, 200],
  ['a page of another site, without Origin', 'POST', { 'sec-fetch-site': 'cross-site' }, 403],
  ['a page of the same site, without Origin', 'POST', { 'sec-fetch-site': 'same-site' }, 403],
  ['an image of another site', 'GET', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }, 403],
  ['an image of the same site', 'GET', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' }, 403],
  ['a link on another site', 'GET', LINK, 200],
  ['a frame of another site', 'GET', { ...LINK, 'sec-fetch-dest': 'iframe' }, 403],
  ['a form of another site', 'POST', LINK, 403],
  ['a host name that an attacker pointed at this machine', 'POST', { host: 'evil.test:4720' }, 403],
  ['a name of this machine', 'POST', { host: 'localhost:1' }, 200],
  ['an address of this machine', 'POST', { host: '127.0.0.1:1' }, 200],
  ['the browser itself', 'GET', { 'sec-fetch-site': 'none' }, 200],
  ['a host name that only ends like one of this machine', 'POST', { host: 'evillocalhost:1' }, 403],
  ['the mock itself, in capitals', 'POST', { host: 'LOCALHOST:1', origin: 'http://localhost:1' }, 200],
  ['an IPv6 address of this machine', 'POST', { host: '[::1]:1' }, 200],
  ['a name below localhost', 'POST', { host: 'production.localhost:1' }, 200],
])('a call from %s, %s with %j, gets %i', async (_from, method, headers, status) => {
  const path = `/environments/development/${method === 'POST' ? 'reset' : 'coverage'}`;
  const answer = await server.control(method, path, undefined, { headers });
  expect(answer.status).toBe(status);
  if (headers.origin && status === 403)
    expect(answer.body.error.message).toContain(`Origin ${headers.origin}`);
});

test('no answer of the control plane has a CORS header', async () => {
  const { headers } = await server.control('GET', '/health');
  expect(headers['access-control-allow-origin']).toBeUndefined();
  const preflight = await server.control('OPTIONS', '/health', undefined, {
    headers: { origin: 'https://evil.test', 'access-control-request-method': 'GET' },
  });
  expect(preflight.status).toBe(403);
  expect(preflight.headers['access-control-allow-origin']).toBeUndefined();
});

test('if the server has a control token, every control call must send it', async () => {
  const missing = await guarded.control('GET', '/health');
  expect(missing.status).toBe(401);
  expect(missing.headers['www-authenticate']).toBe('Bearer');
  const { code, message } = missing.body.error;
  expect([code, message]).toEqual(['UNAUTHENTICATED', 'The control token is missing.']);
  const wrong = await guarded.control('GET', '/health', undefined, { token: 'dev-token' });
  expect(wrong.body.error.message).toBe('The control token is wrong.');
  expect(wrong.text).not.toContain('let-me-in');
  expect((await guarded.control('GET', '/health', undefined, { token: 'let-me-in' })).status).toBe(200);
  const headers = { authorization: 'bearer let-me-in' };
  expect((await guarded.control('GET', '/health', undefined, { headers })).status).toBe(200);
});

test('pages of other origins are refused even with the control token', async () => {
  const headers = { origin: 'https://evil.test' };
  const { status } = await guarded.control('GET', '/health', undefined, { token: 'let-me-in', headers });
  expect(status).toBe(403);
});

test('a call with the control token may use any host name of the server', async () => {
  const given = { token: 'let-me-in', headers: { host: 'mock.internal:4720' } };
  const { status } = await guarded.control('POST', '/environments/development/reset', undefined, given);
  expect(status).toBe(200);
});
