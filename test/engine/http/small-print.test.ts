/** Small promises of HTTP and of tokens, each of which a change of one line could break unseen. */
import { connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { openListener } from '../../support/http-server.ts';
import { testServer } from '../../support/server.ts';

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
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  await closing;
  expect(answer).toContain('Connection: close');
});

test.each([
  ...['1', 'true', 'TRUE', 'True'].map((value) => [value, 400] as const),
  ...['0', 'false', 'no', ''].map((value) => [value, 200] as const),
])('behaviour T2: a call with X-Mock-Strict: %j and an unknown parameter is answered with %i', async (value, status) => {
  const headers = { 'x-mock-strict': value };
  const answer = await server.call('GET', '/api/v1/connections?organisation_id=x', { headers });
  expect(answer.status).toBe(status);
});
