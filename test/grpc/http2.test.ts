/** HTTP/2 clients get the same answers and the same limits as HTTP/1.1 clients. */

import { once } from 'node:events';
import { type ClientHttp2Session, connect, constants } from 'node:http2';
import { connect as openSocket } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type LogEntry, startMock } from '#mock';
import { nextTurn } from '../../src/core/turns.ts';
import { rawRequest } from '../support/server.ts';
import { askHttp2, startGrpc } from './support.ts';

const { mock, raw } = await startGrpc();
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

const isAlive = async (): Promise<boolean> => (await fetch(`${mock.url}/_mock/health`)).status === 200;

const EVENTS = '/_mock/environments/development/events';
const STREAM = { ':path': EVENTS, accept: 'text/event-stream' };

test('the mock keeps running when a client stops reading during an answer', async () => {
  const paths = [STREAM, { ':path': '/openapi.json' }, { ':path': '/api/v1/connections', ...BEARER }];
  for (const path of paths)
    for (const give of ['at once', 'headers', 'data']) {
      const client = connect(mock.url).on('error', () => {});
      const stream = client.request({ ':method': 'GET', ...path }).on('error', () => {});
      if (give === 'headers') await once(stream, 'response');
      if (give === 'data') await once(stream, 'data');
      stream.close(constants.NGHTTP2_CANCEL);
      client.destroy();
    }
  const stalled = connect(mock.url, { settings: { initialWindowSize: 0 } }).on('error', () => {});
  const stream = stalled.request({ ':path': '/openapi.json' }).on('error', () => {});
  await once(stream, 'response');
  stalled.destroy();
  expect(await isAlive()).toBe(true);
});

test('events arrive over HTTP/2 as they happen', async () => {
  const stream = session.request(STREAM);
  await once(stream, 'response');
  const expire = '/_mock/environments/development/connected_accounts/ca_100000000000000001/expire';
  await fetch(mock.url + expire, { method: 'POST' });
  let text = '';
  for await (const chunk of stream) {
    text += String(chunk);
    if (text.includes('connected_account.updated')) break;
  }
  expect(text).toContain('"to":"EXPIRED"');
});

test('behaviour T4: a body over the limit is refused while it is read', async () => {
  const headers = { ':path': '/api/v1/connected_accounts', ...BEARER, 'content-type': 'application/json' };
  const small = await ask(headers, JSON.stringify({ connector: 'mail', identifier: 'two@acme.test' }));
  expect(small.status).toBe(201);
  const large = await ask(headers, Buffer.alloc(3 * 2 ** 20, 32));
  expect(large.status).toBe(413);
});

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

test.each([
  ['a path of two slashes', { ':path': '//api/v1/connections' }],
  ['TRACE', { ':method': 'TRACE', ':path': '/api/v1/connections' }],
  ['an unknown path', { ':path': '/nowhere' }],
])('%s gets the same answer as over HTTP/1.1', async (_what, headers) => {
  const { status, text } = await ask({ ...BEARER, ...headers });
  const method = ':method' in headers ? headers[':method'] : 'GET';
  const line = `${method} ${headers[':path']} HTTP/1.1`;
  const answer = await raw(rawRequest(line, ['Authorization: Bearer dev-token']));
  expect(answer.slice(9, 12)).toBe(String(status));
  const withoutId = (body: string): string => body.replaceAll(/req_\d+/g, '');
  expect(withoutId(answer.split('\r\n\r\n')[1] ?? '')).toContain(withoutId(text));
});

test.each([
  ['mock.local', 403],
  ['evil.test', 403],
  ['localhost', 200],
])('a control call with the authority %s is %i', async (name, status) => {
  expect((await ask({ ':path': '/_mock/environments', ':authority': name })).status).toBe(status);
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
  expect((await ask({ ':path': '/api/v1/connections', ...BEARER }, undefined, client)).status).toBe(200);
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
    'access-control-allow-methods': 'POST, OPTIONS',
    'access-control-allow-headers': 'x-mine',
    'access-control-max-age': '600',
    vary: 'Origin',
  });
  const bare = await fetch(url, { method: 'OPTIONS', headers: { origin } });
  expect(bare.headers.get('access-control-allow-headers')).toContain('authorization');
  expect(bare.headers.get('access-control-allow-headers')).toContain('x-grpc-web');
  const headers = { origin, ...BEARER, 'content-type': 'application/json' };
  for (const body of ['{"page_size":1}', '{"page_size":1000}', '{']) {
    const answer = await fetch(url, { method: 'POST', headers, body });
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
    expect(answer.headers.get('access-control-expose-headers')).toMatch(
      /Grpc-Status, Grpc-Message, Grpc-Status-Details-Bin.*X-Request-Id/,
    );
  }
});
