import { expect, test } from '@jest/globals';
import { loadControlContract } from '../../../src/engine/control/control-document.ts';
import { listeningServer, rawRequest } from '../../support/server.ts';

const server = await listeningServer();

test('a wrong method is 405, and the header Allow lists the right methods', async () => {
  const { status, body, headers } = await server.control('POST', '/environments/development/clock');
  expect(status).toBe(405);
  expect(headers.allow).toBe('GET, HEAD, PUT');
  expect(body.error.hint).toBe('Use GET, HEAD, PUT.');
});

test.each([
  ['text', 'text/plain'],
  ['{', 'application/json'],
  ['[]', 'application/json'],
  ['{"__proto__": {"name": "x"}}', 'application/json'],
])('the body %s as %s is 400, and message and hint say why', async (text, type) => {
  const { status, body } = await server.control('POST', '/environments', text, {
    headers: { 'content-type': type },
  });
  const error = { code: 'INVALID_ARGUMENT', message: expect.any(String), hint: expect.stringMatching(/./) };
  expect([status, body.error]).toMatchObject([400, error]);
});

test('a body is refused if its operation does not take one', async () => {
  const examples: Readonly<Record<string, string>> = { action: 'expire', decision: 'deny' };
  for (const { method, path, definition } of loadControlContract().operations) {
    if (definition.requestBody !== undefined || method === 'get') continue;
    const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => examples[name] ?? 'x');
    const { status, body } = await server.control(method.toUpperCase(), url, { unwanted: 1 });
    expect([method, path, status]).toEqual([method, path, 400]);
    expect(body.error.message).toContain('unwanted');
  }
});

test('a body of more than 100,000 values is refused, unless it can hold an environment', async () => {
  const body = `{"name":[1${',1'.repeat(100_000)}]}`;
  const said = async (path: string) => (await server.control('POST', path, body)).body.error.message;
  expect(await said('/environments/development/faults')).toBe('The body has more than 100000 values.');
  expect(await said('/environments')).toMatch(/^name is a list, but must be /);
});

test.each([
  ['POST', '/environments', 400],
  ['PUT', '/environments/development', 400],
  ['POST', '/environments/development/reset', 400],
  ['PATCH', '/environments/development/state', 400],
  ['PUT', '/environments/development/state', 400],
  ['POST', '/environments/development/faults', 413],
])('%s %s with 9 MiB is read only if the body can hold an environment: %i', async (method, path, status) => {
  const text = `{"a":"${'x'.repeat(9 * 1024 * 1024)}"}`;
  expect((await server.control(method, path, text)).status).toBe(status);
});

test('a body over 64 MiB is 413', async () => {
  const text = `{"a":"${'x'.repeat(64 * 1024 * 1024)}"}`;
  const { status, body } = await server.control('PUT', '/environments/development/state', text);
  expect(status).toBe(413);
  expect(body.error.code).toBe('PAYLOAD_TOO_LARGE');
});

test('HEAD answers as GET without a body', async () => {
  const bytes = await server.raw(rawRequest('HEAD /_mock/health HTTP/1.1'));
  expect(bytes).toMatch(/^HTTP\/1\.1 200 .*\r\n\r\n$/s);
});

test('answers tell browsers not to cache them and not to guess their type', async () => {
  const { headers } = await server.control('GET', '/health');
  expect(headers['cache-control']).toBe('no-store');
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['content-security-policy']).toMatch(/^default-src 'none';.* frame-ancestors 'none'$/);
});
