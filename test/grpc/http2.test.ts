/** One port for clients of HTTP/1.1 and HTTP/2, and pages of other origins. */

import { once } from 'node:events';
import { type ClientHttp2Session, connect, constants } from 'node:http2';
import { connect as openSocket } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type LogEntry, startMock } from '#mock';
import { nextTurn } from '../../src/engine/core/turns.ts';
import { askHttp2, startGrpc } from './support.ts';

const { mock } = await startGrpc();
let session: ClientHttp2Session;
beforeEach(() => {
  session = connect(mock.url).on('error', () => {});
});
afterEach(() => session.destroy());

const BEARER = { authorization: 'Bearer dev-token' };

const ask = async (headers: Record<string, string>, body?: Buffer | string, over = session) => {
  const answer = await askHttp2(over, headers, body);
  return { status: answer.headers[':status'], headers: answer.headers, text: answer.body.toString() };
};

test('the first bytes of an HTTP/2 client may come in pieces', async () => {
  const socket = openSocket(Number(new URL(mock.url).port), '127.0.0.1').setNoDelay();
  const answer = once(socket, 'data');
  for (const piece of ['P', 'RI * HTTP/2', '.0\r\n', '\r\nSM\r\n\r\n', '\0\0\0\x04\0\0\0\0\0']) {
    await new Promise((resolve) => socket.write(piece, 'latin1', resolve));
    for (let turn = 0; turn < 9; turn += 1) await nextTurn();
  }
  const [[frame]] = [await answer];
  expect(frame[3]).toBe(4); // the settings of the server
  socket.destroy();
});

test('the server tells a client how many calls it may have at once', async () => {
  const [settings] = await once(session, 'remoteSettings');
  expect(settings.maxConcurrentStreams).toBe(100);
});

test('without descriptors, a gRPC client and the log get a message about the missing flag', async () => {
  const entries: LogEntry[] = [];
  const plain = await startMock({ port: 0, scenario: 'default', log: (entry) => void entries.push(entry) });
  const client = connect(plain.url);
  const call = { ':path': '/a.b.Service/Method', 'content-type': 'application/grpc', ...BEARER };
  const answers = [await ask(call, Buffer.alloc(5), client), await ask(call, Buffer.alloc(5), client)];
  for (const { headers } of answers) {
    expect(headers['grpc-status']).toBe('12');
    expect(decodeURIComponent(String(headers['grpc-message']))).toContain('--grpc-descriptors');
  }
  const unserved = entries.filter(({ event }) => event === 'grpc_unserved');
  expect(unserved).toMatchObject([
    { address: '127.0.0.1', message: expect.stringContaining('--grpc-descriptors') },
  ]);
  const told = new Promise((resolve) => client.once('goaway', resolve).once('close', () => resolve('cut')));
  await plain.close();
  expect(await told).toBe(constants.NGHTTP2_NO_ERROR); // no call was lost
});

test('behaviour T6: pages of other origins may use Connect and gRPC-Web', async () => {
  const url = `${mock.url}/example.accounts.v1.ConnectedAccounts/ListConnectedAccounts`;
  const origin = 'https://app.test';
  const preflight = await fetch(url, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-mine' },
  });
  expect(preflight.status).toBe(204);
  expect(Object.fromEntries(preflight.headers)).toMatchObject({
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-allow-methods': 'POST, GET, OPTIONS',
    'access-control-allow-headers': 'x-mine',
    'access-control-max-age': '600',
    vary: 'Origin',
  });
  const bare = await fetch(url, { method: 'OPTIONS', headers: { origin } });
  expect(bare.headers.get('access-control-allow-headers')).toMatch(/authorization.*x-grpc-web/i);
  const headers = { origin, ...BEARER, 'content-type': 'application/json' };
  for (const body of ['{"page_size":1}', '{"page_size":1000}', '{']) {
    const answer = await fetch(url, { method: 'POST', headers, body });
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
    expect(answer.headers.get('access-control-expose-headers')).toMatch(
      /Grpc-Status, Grpc-Message, Grpc-Status-Details-Bin.*X-Request-Id/,
    );
  }
});
