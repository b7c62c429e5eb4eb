/** How the HTTP listener handles broken, unusual and unfinished requests. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { nextTurn } from '../../../src/core/turns.ts';
import { crowdTeller } from '../../../src/server/http/open-files.ts';
import { openListener } from '../../support/http-server.ts';
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
  ['an unknown Expect header', 'GET /keys HTTP/1.1', 200],
  ['the method CONNECT', 'CONNECT example.test:443 HTTP/1.1', 501],
])('a request with %s is answered: the status of %s is %i', async (what, line, status) => {
  const headers = what.includes('Expect') ? ['Expect: something'] : [];
  expect(await server.raw(rawRequest(line, headers))).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
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

test.each([
  ['headers', 'GET / HTTP/1.1\r\nHost: a\r\nX-'],
  ['a body', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nab'],
])('a client that never finishes sending %s gets a 408 and is disconnected', async (_what, bytes) => {
  const patience = { headersTimeout: 20, requestTimeout: 20 };
  const listener = await openListener((request) => request.resume(), { patience });
  const socket = connect(listener.port, '127.0.0.1');
  socket.write(bytes);
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  await listener.close();
  expect(answer).toMatch(/^HTTP\/1.1 408 /);
});

test('calls that a client sends in one piece wait for each other, and let other clients through', async () => {
  const seen: string[] = [];
  const listener = await openListener(({ url = '' }, response) => {
    seen.push(url);
    response.end();
  });
  const [many, one] = await Promise.all(
    ['many', 'one'].map(async () => {
      const socket = connect(listener.port, '127.0.0.1');
      await once(socket, 'connect');
      return socket;
    }),
  );
  const call = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
  const paths = Array.from({ length: 50 }, (_, nth) => `/${nth}`);
  many?.resume().write(paths.map(call).join(''));
  one?.resume().write(call('/other'));
  let turns = 0;
  for (; seen.length < 51; turns += 1) await nextTurn();
  many?.destroy();
  one?.destroy();
  await listener.close();
  expect(seen.indexOf('/other')).toBeLessThan(25);
  expect(turns).toBeGreaterThan(7 * 49); // Node accepts one connection in each turn, and several can be waiting
  expect(seen.filter((path) => path !== '/other')).toEqual(paths);
});

test('a connection that could not be accepted is reported once, and an ordinary one is not', () => {
  const told: string[] = [];
  const tell = crowdTeller((message) => void told.push(message));
  tell({ _handle: { fd: 5 } } as unknown as Socket);
  expect(told).toEqual([]);
  tell();
  tell();
  expect(told).toEqual([expect.stringMatching(/as the system allows \((?:\d+|Infinity)\)\./)]);
});
