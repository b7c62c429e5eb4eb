import { expect, test } from '@jest/globals';
import { loadControlContract } from '../../src/control/document.ts';
import { listeningServer, rawRequest } from '../support/server.ts';

const server = await listeningServer();

test('an unknown path is 404, and the message suggests the most similar call', async () => {
  const { status, body } = await server.control('GET', '/helth');
  expect(status).toBe(404);
  expect(body.error).toEqual({
    code: 'PATH_NOT_FOUND',
    message: 'No operation has the path /_mock/helth.',
    hint: 'Did you mean GET /_mock/health?',
  });
});

test('a wrong method is 405, and Allow lists the right methods', async () => {
  const { status, body, headers } = await server.control('POST', '/environments/development/clock');
  expect(status).toBe(405);
  expect(headers.allow).toBe('GET, HEAD, PUT');
  expect(body.error.hint).toBe('Use GET, HEAD, PUT.');
});

test.each([
  ['text', 'text/plain', 400, 'INVALID_ARGUMENT'],
  ['{', 'application/json', 400, 'INVALID_ARGUMENT'],
  ['[]', 'application/json', 400, 'INVALID_ARGUMENT'],
  ['{"__proto__": {"name": "x"}}', 'application/json', 400, 'INVALID_ARGUMENT'],
])('the body %s as %s is %i %s', async (text, type, status, code) => {
  const answer = await server.control('POST', '/environments', text, { headers: { 'content-type': type } });
  expect(answer.status).toBe(status);
  expect(answer.body.error).toEqual({ code, message: expect.any(String), hint: expect.stringMatching(/./) });
});

test('a missing body is refused, since it would replace the whole state', async () => {
  for (const [method, path] of [
    ['PUT', '/state'],
    ['PATCH', '/state'],
    ['PATCH', '/settings'],
  ] as const) {
    const { status, body } = await server.control(method, `/environments/development${path}`);
    expect([method, status, body.error.message]).toEqual([method, 400, 'body is missing.']);
  }
  expect((await server.control('GET', '/environments/development')).body.client_id).toBe('dev-client');
});

test('a body is refused if the document describes none', async () => {
  const examples: Readonly<Record<string, string>> = { action: 'expire', decision: 'deny' };
  for (const { method, path, definition } of loadControlContract().operations) {
    if (definition.requestBody !== undefined || method === 'get') continue;
    const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => examples[name] ?? 'x');
    const { status, body } = await server.control(method.toUpperCase(), url, { unwanted: 1 });
    expect([method, path, status]).toEqual([method, path, 400]);
    expect(body.error.message).toContain('unwanted');
  }
});

test('a body over 64 MiB is 413', async () => {
  const text = `{"a":"${'x'.repeat(64 * 1024 * 1024)}"}`;
  const { status, body } = await server.control('PUT', '/environments/development/state', text);
  expect(status).toBe(413);
  expect(body.error.code).toBe('PAYLOAD_TOO_LARGE');
});

test('an unknown, repeated or wrong query parameter is 400', async () => {
  const query = async (text: string) => server.control('GET', `/environments/development/requests?${text}`);
  expect((await query('sinse=2026-01-01T00:00:00Z')).body.error).toMatchObject({
    message: 'sinse is not a parameter of this operation.',
    hint: 'Did you mean "since"?',
  });
  expect((await query('status=200&status=400')).body.error.message).toContain('was sent 2 times');
  expect((await query('status=many')).body.error.message).toContain('status is "many"');
  expect((await query('status=')).status).toBe(200);
});

test.each([
  'resources/users?page_size=1e1',
  'resources/users?page_size=0x5',
  'coverage?min=5e1',
  'requests/0x1',
])('a number must be written in digits: %s is 400', async (path) => {
  const { status, body } = await server.control('GET', `/environments/development/${path}`);
  expect([status, body.error.message]).toEqual([400, expect.stringContaining('number written in digits')]);
});

test('a broken percent sequence in the path is 404', async () => {
  expect((await server.control('GET', '/environments/%E0%A4%A')).status).toBe(404);
});

test('HEAD answers as GET without a body', async () => {
  const bytes = await server.raw(rawRequest('HEAD /_mock/health HTTP/1.1'));
  expect(bytes).toMatch(/^HTTP\/1\.1 200 .*\r\n\r\n$/s);
});

test('browsers must not cache answers or guess their type', async () => {
  const { headers } = await server.control('GET', '/health');
  expect(headers['cache-control']).toBe('no-store');
  expect(headers['x-content-type-options']).toBe('nosniff');
});
