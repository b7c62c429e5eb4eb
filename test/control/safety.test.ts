import { expect, test } from '@jest/globals';
import { testServer } from '../support/server.ts';

const server = testServer();
const guarded = testServer({ controlToken: 'let-me-in' });

const statusWith = async (
  method: string,
  headers: Record<string, string>,
  path = '/environments/development/reset',
): Promise<number> => (await server.control(method, path, undefined, { headers })).status;

test('a call from a page of another origin is refused with the reason', async () => {
  const { status, body } = await server.control('POST', '/environments/development/reset', undefined, {
    headers: { origin: 'https://evil.test' },
  });
  expect(status).toBe(403);
  expect(body.error.message).toContain('Origin https://evil.test');
  expect(await statusWith('POST', { origin: 'null' })).toBe(403);
  expect(await statusWith('POST', { origin: 'http://127.0.0.1:1' })).toBe(403);
});

test('a call from a page of the mock itself is allowed', async () => {
  expect(await statusWith('POST', { origin: server.mock.url })).toBe(200);
  expect(await statusWith('POST', { 'sec-fetch-site': 'same-origin' })).toBe(200);
});

test.each([
  'cross-site',
  'same-site',
])('a call from a %s page is refused, even if the browser sends no Origin', async (site) => {
  expect(await statusWith('POST', { 'sec-fetch-site': site })).toBe(403);
  expect(await statusWith('GET', { 'sec-fetch-site': site, 'sec-fetch-mode': 'no-cors' })).toBe(403);
});

test('a link from another site may open a page, since that changes nothing', async () => {
  const headers = {
    'sec-fetch-site': 'cross-site',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': 'document',
  };
  expect(await statusWith('GET', headers, '/coverage')).toBe(200);
  expect(await statusWith('GET', { ...headers, 'sec-fetch-dest': 'iframe' }, '/coverage')).toBe(403);
  expect(await statusWith('POST', headers)).toBe(403);
});

test('a host name that an attacker pointed at this machine is refused; the names of this machine are accepted', async () => {
  expect(await statusWith('POST', { host: 'evil.test:4720' })).toBe(403);
  for (const host of ['localhost:1', '127.0.0.1:1', '[::1]:1', 'production.localhost:1']) {
    expect(await statusWith('POST', { host })).toBe(200);
  }
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

test('with a control token, every call must send it', async () => {
  const missing = await guarded.control('GET', '/health');
  expect(missing.status).toBe(401);
  expect(missing.headers['www-authenticate']).toBe('Bearer');
  expect(missing.body.error).toMatchObject({
    code: 'UNAUTHENTICATED',
    message: 'The control token is missing.',
  });
  const wrong = await guarded.control('GET', '/health', undefined, { token: 'dev-token' });
  expect(wrong.body.error.message).toBe('The control token is wrong.');
  expect(wrong.text).not.toContain('let-me-in');
  expect((await guarded.control('GET', '/health', undefined, { token: 'let-me-in' })).status).toBe(200);
});

test('pages of other origins are refused even with the control token', async () => {
  const headers = { origin: 'https://evil.test' };
  const { status } = await guarded.control('GET', '/health', undefined, { token: 'let-me-in', headers });
  expect(status).toBe(403);
});

test('with a control token, any host name of the server is accepted', async () => {
  const given = { token: 'let-me-in', headers: { host: 'mock.internal:4720' } };
  const { status } = await guarded.control('POST', '/environments/development/reset', undefined, given);
  expect(status).toBe(200);
});
