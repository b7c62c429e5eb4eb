/** How the HTTP listener handles broken, unusual and unfinished requests. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { listeningServer, rawRequest } from '../../support/server.ts';

const server = await listeningServer();

test.each([
  ['a space', 'GET /keys with space HTTP/1.1', 400],
  ['an umlaut', 'GET /api/v1/connections?domain=jürgen HTTP/1.1', 400],
  ['an unknown method', 'FOO /keys HTTP/1.1', 400],
  ['an unknown version', 'GET /keys HTTP/9.9', 400],
  ['bytes of TLS', '\u0016\u0003\u0001', 400],
  ['a page token of 20,000 characters', `GET /api/v1/connections?a=${'a'.repeat(20_000)} HTTP/1.1`, 431],
])('behaviour R1: a request line with %s is refused with a message', async (_what, line, status) => {
  const answer = await server.raw(rawRequest(line));
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(JSON.parse(body)).toMatchObject({ code: 3, details: [{ error_code: 'INVALID_ARGUMENT' }] });
});

test('bytes that are not HTTP close an open event stream, and no error is written into the stream', async () => {
  const { port } = new URL(server.mock.url);
  const socket = connect(Number(port), '127.0.0.1');
  socket.write(rawRequest('GET /_mock/live?environments=development HTTP/1.1'));
  let received = '';
  for await (const part of socket) {
    received += String(part);
    if (received.includes(': ok')) socket.write('NONSENSE\r\n\r\n');
  }
  expect(received).toMatch(/^HTTP\/1.1 200 /);
  expect(received).not.toContain('INVALID_ARGUMENT');
});

test('a chunk with 20,000 characters beside its length is a 413', async () => {
  const headers = ['Content-Type: application/x-www-form-urlencoded', 'Transfer-Encoding: chunked'];
  const bytes = rawRequest('POST /oauth/token HTTP/1.1', headers, `1;${'a'.repeat(20_000)}\r\nx\r\n`);
  expect(await server.raw(bytes)).toMatch(/^HTTP\/1\.1 413 /);
});

test('bytes that are not HTTP are refused with a message also after a call that was answered', async () => {
  const { port } = new URL(server.mock.url);
  const socket = connect(Number(port), '127.0.0.1');
  socket.write('GET /keys HTTP/1.1\r\nHost: a\r\n\r\n');
  let received = '';
  for await (const part of socket) {
    received += String(part);
    if (received.endsWith('}')) socket.write('NONSENSE\r\n\r\n');
  }
  expect(received).toMatch(/^HTTP\/1\.1 200 .*HTTP\/1\.1 400 .*"INVALID_ARGUMENT"/s);
});

test.each([
  ['a whole address as its target', 'GET http://127.0.0.1/keys HTTP/1.1', 200],
  ['a whole address without a path', 'OPTIONS http://127.0.0.1 HTTP/1.1', 204],
])('a request with %s is answered: the status of %s is %i', async (_what, line, status) => {
  expect(await server.raw(rawRequest(line))).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
});

test('clients that disconnect at once do not stop the server', async () => {
  const { port } = new URL(server.mock.url);
  const beginnings = [
    'CONNECT example.test:443 HTTP/1.1\r\nHost: example.test\r\n\r\n',
    'GET /keys HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    'GET /_mock/live?environments=development HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
    'POST /oauth/token HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nab',
    'GET /keys HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(50),
  ];
  const giveUp = async (bytes: string): Promise<void> => {
    const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
    await once(socket, 'connect');
    socket.write(bytes);
    socket.resetAndDestroy();
  };
  for (let round = 0; round < 50; round += 1) await Promise.all(beginnings.map(giveUp));
  expect((await server.call('GET', '/keys')).status).toBe(200);
});
