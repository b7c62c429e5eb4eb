/** gzip, HTTP/1.1 and TLS, which gRPC tools and other clients expect. */
import { once } from 'node:events';
import { request as requestHttp } from 'node:http';
import { connect, constants } from 'node:http2';
import { connect as openSocket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, expect, test } from '@jest/globals';
import { type LogEntry, startMock } from '#mock';
import { TLS } from '../library/start.ts';
import { askHttp2, headersOf, messageOf, startGrpc } from './support.ts';

const server = await startGrpc();
const secure = await startGrpc(TLS);
const session = connect(server.mock.url);
afterAll(() => session.close());

const EMPTY = Buffer.alloc(5);
const BEARER = { authorization: 'Bearer dev-token' };
const LIST = 'ConnectedAccounts/ListConnectedAccounts';

test('large replies are compressed for clients that accept gzip, and for no others', async () => {
  const [connector, identifier, text] = ['mail', 'large@acme.test', 'x'.repeat(20_000)];
  const account = { connector, identifier, connectedAccount: { apiConfig: { text } } };
  await server.call('ConnectedAccounts/CreateConnectedAccount', account);
  const name = 'ConnectedAccounts/GetConnectedAccountDetails';
  const headers = headersOf(name, { 'grpc-accept-encoding': 'identity, gzip' });
  const message = `\0\0\0\0\u0017\u0012\u0004${connector}\u001a\u000f${identifier}`;
  const reply = await askHttp2(session, headers, Buffer.from(message));
  expect(reply.headers).toMatchObject({ 'grpc-status': '0', 'grpc-encoding': 'gzip' });
  expect(reply.body[0]).toBe(1);
  expect(gunzipSync(reply.body.subarray(5)).toString('latin1')).toContain(text);
  // What browsers send with every call is the HTTP header, which is not about messages.
  const whole = await askHttp2(session, headersOf(name, { 'accept-encoding': 'gzip' }), Buffer.from(message));
  expect(whole.headers['grpc-encoding']).toBeUndefined();
  expect(whole.body.subarray(5).toString('latin1')).toContain(text);
});

test.each([
  ['Create', 'gzip', 'gzip'],
  ['Update', 'identity', null],
])('over Connect, a message may be compressed, and so is a large reply if it may: %s, %s', async (verb, accepted, encoding) => {
  const address = { connector: 'chat', identifier: 'large@acme.test' };
  const account = { ...address, connectedAccount: { apiConfig: { text: 'x'.repeat(20_000) } } };
  const url = `${server.mock.url}/example.accounts.v1.ConnectedAccounts/${verb}ConnectedAccount`;
  const sent = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  const headers = { ...BEARER, ...sent, 'accept-encoding': accepted };
  const reply = await fetch(url, { method: 'POST', headers, body: gzipSync(JSON.stringify(account)) });
  expect([reply.status, reply.headers.get('content-encoding')]).toEqual([200, encoding]);
  expect(await reply.text()).toContain('large@acme.test');
});

test('over HTTP/1.1, the gRPC status is in the trailers', async () => {
  const { ':path': path = '', ...headers } = headersOf(LIST, { te: 'trailers' });
  const [reply] = await once(
    requestHttp(server.mock.url + path, { method: 'POST', headers }).end(EMPTY),
    'response',
  );
  await once(reply.resume(), 'end');
  expect(reply.trailers).toEqual({ 'grpc-status': '0' });
});

test('over TLS, gRPC clients get HTTP/2, and clients with a choice HTTP/1.1', async () => {
  const client = connect(secure.mock.url, { rejectUnauthorized: false });
  const call = await askHttp2(client, headersOf(LIST), EMPTY);
  expect(call.headers['grpc-status']).toBe('0');
  client.close();
  const socket = connectTls({
    port: Number(new URL(secure.mock.url).port),
    ALPNProtocols: ['h2', 'http/1.1'],
    rejectUnauthorized: false,
  });
  await once(socket, 'secureConnect');
  expect(socket.alpnProtocol).toBe('http/1.1');
  socket.destroy();
});

test('a REST request over HTTP/2 is refused with a sentence that says what to do', async () => {
  for (const path of ['/api/v1/connections', '/_mock/health', '/nowhere']) {
    const reply = await askHttp2(session, { ':path': path, authorization: 'Bearer dev-token' });
    expect(reply.headers[':status']).toBe(505);
    expect(reply.body.toString()).toMatch(/over HTTP\/1\.1\.\n$/);
  }
});

// One port for clients of HTTP/1.1 and HTTP/2, and pages of other origins.

const { mock } = server;
test('the first bytes of an HTTP/2 client may come in pieces', async () => {
  const socket = openSocket(Number(new URL(mock.url).port), '127.0.0.1').setNoDelay();
  const answer = once(socket, 'data');
  for (const piece of ['P', 'RI * HTTP/2', '.0\r\n', '\r\nSM\r\n\r\n', '\0\0\0\x04\0\0\0\0\0']) {
    await new Promise((resolve) => socket.write(piece, 'latin1', resolve));
    for (let turn = 0; turn < 9; turn += 1) await setImmediate();
  }
  const [[frame]] = [await answer];
  expect(frame[3]).toBe(4); // the settings of the server
  socket.destroy();
});

test('without descriptors, a gRPC client and the log get a message about the missing flag', async () => {
  const entries: LogEntry[] = [];
  const plain = await startMock({ port: 0, scenario: 'default', log: (entry) => void entries.push(entry) });
  const client = connect(plain.url);
  const call = { ':path': '/a.b.Service/Method', 'content-type': 'application/grpc', ...BEARER };
  const answers = [await askHttp2(client, call, EMPTY), await askHttp2(client, call, EMPTY)];
  for (const answer of answers) {
    expect(answer.headers['grpc-status']).toBe('12');
    expect(messageOf(answer)).toContain('--grpc-descriptors');
  }
  const unserved = entries.filter(({ event }) => event === 'grpc_unserved');
  const said = expect.stringMatching(/^A client at 127\.0\.0\.1 uses gRPC.*--grpc-descriptors/);
  expect(unserved).toMatchObject([{ message: said }]);
  const told = new Promise((resolve) => client.once('goaway', resolve).once('close', () => resolve('cut')));
  await plain.close();
  expect(await told).toBe(constants.NGHTTP2_NO_ERROR); // no call was lost
});

test('behaviour T6: pages of other origins may use Connect and gRPC-Web', async () => {
  const url = `${mock.url}/example.accounts.v1.${LIST}`;
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
