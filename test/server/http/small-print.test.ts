/** Small promises of HTTP and of tokens, each of which a change of one line could break unseen. */
import { connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { openListener } from '../../support/http-server.ts';
import { fieldsOf, testServer } from '../../support/server.ts';

const server = testServer({
  scenario: {
    extends: 'default',
    environments: { development: { stubs: [{ method: 'GET', path: '/things', body: { id: 1 } }] } },
  },
});

test('while the server closes, each answer tells the client to close its connection', async () => {
  let closing: Promise<void> | undefined;
  const listener = await openListener((_request, response) => {
    closing ??= listener.close();
    response.end();
  });
  const socket = connect(listener.port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2));
  let answers = '';
  for await (const chunk of socket) answers += String(chunk);
  await closing;
  expect(answers.match(/^Connection: .*$/gim)).toEqual(['Connection: keep-alive', 'Connection: close']);
});

test('behaviour T6, X4: a stub for GET also answers HEAD, without a body', async () => {
  const get = await server.call('GET', '/things');
  const head = await server.call('HEAD', '/things');
  expect([head.status, head.headers['content-length'], head.text]).toEqual([
    200,
    get.headers['content-length'],
    undefined,
  ]);
});

test.each([
  'Transfer-Encoding',
  'content-length',
  'Connection',
  'upgrade',
  'Trailer',
])('a fault cannot set the header %s, which belongs to the connection', async (name) => {
  const own = await server.isolated();
  const fault = { operation: '*', status: 503, headers: { [name]: 'chunked' } };
  const { status, body } = await own.control('POST', '/faults', fault);
  expect([status, body.error?.message]).toEqual([400, expect.stringContaining(name)]);
});

test('behaviour E3: expires_in is a whole number of seconds, whatever the setting', async () => {
  const own = await server.isolated({ settings: { access_token_ttl: '1500ms' } });
  const { body: environment } = await own.control('GET', '');
  const { client_id, client_secret } = environment;
  const fields = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
  const { body } = await server.call('POST', '/oauth/token', { token: null, body: fields });
  const token: string = body.access_token;
  const { iat, exp } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  expect([body.expires_in, exp - iat]).toEqual([1, 1]);
});

test('behaviour E3: a token names the key of /keys that signed it', async () => {
  const token = await server.issueToken('dev-client', 'dev-secret');
  const { kid } = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString());
  const { body } = await server.call('GET', '/keys', { token: null });
  expect(body.keys.map((key: { kid: string }) => key.kid)).toEqual([kid]);
});

test.each([
  '1',
  'true',
  'TRUE',
  'True',
])('behaviour T2: X-Mock-Strict: %s asks for strict mode', async (value) => {
  const answer = await server.call('GET', '/api/v1/connections?organisation_id=x', {
    headers: { 'x-mock-strict': value },
  });
  expect(fieldsOf(answer)).toEqual(['organisation_id']);
});

test.each(['0', 'false', 'no', ''])('behaviour T2: X-Mock-Strict: %j does not ask for it', async (value) => {
  const answer = await server.call('GET', '/api/v1/connections?organisation_id=x', {
    headers: { 'x-mock-strict': value },
  });
  expect(answer.status).toBe(200);
});
