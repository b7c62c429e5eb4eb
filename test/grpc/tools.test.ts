/** Health, reflection, gzip, HTTP/1.1 and TLS, which gRPC tools and other clients expect. */
import { request as requestHttp } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type GrpcServer, startGrpc } from './support.ts';

let server: GrpcServer;
beforeAll(async () => {
  server = await startGrpc();
});
afterAll(() => server.mock.close());

const EMPTY = Buffer.alloc(5);
const LIST = '/example.accounts.v1.ConnectedAccounts/ListConnectedAccounts';

interface Received {
  readonly headers: Record<string, unknown>;
  readonly body: Buffer;
}

const callHttp2 = (url: string, headers: Record<string, string>, body?: Buffer): Promise<Received> =>
  new Promise((resolve, reject) => {
    const session = connectHttp2(url, { rejectUnauthorized: false }).on('error', reject);
    const stream = session.request({ ':method': body ? 'POST' : 'GET', ...headers });
    const received: Record<string, unknown> = {};
    const chunks: Buffer[] = [];
    stream.on('response', (found) => Object.assign(received, found));
    stream.on('trailers', (found) => Object.assign(received, found));
    stream.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
    stream.on('close', () => {
      session.close();
      resolve({ headers: received, body: Buffer.concat(chunks) });
    });
    stream.end(body);
  });

const grpcHeaders = (path: string): Record<string, string> => ({
  ':path': path,
  'content-type': 'application/grpc',
  authorization: 'Bearer dev-token',
});

test('health is SERVING, and unknown services are NOT_FOUND', async () => {
  const all = await callHttp2(server.mock.url, grpcHeaders('/grpc.health.v1.Health/Check'), EMPTY);
  expect(all.headers['grpc-status']).toBe('0');
  expect([...all.body]).toEqual([0, 0, 0, 0, 2, 8, 1]);
  const name = Buffer.from('\0\0\0\0\u0004\n\u0002no');
  const none = await callHttp2(server.mock.url, grpcHeaders('/grpc.health.v1.Health/Check'), name);
  expect(none.headers['grpc-status']).toBe('5');
});

test.each([
  'v1',
  'v1alpha',
])('server reflection %s lists the services and returns their files', async (version) => {
  const path = `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`;
  const list = Buffer.from('\0\0\0\0\u0003:\u0001*');
  const services = await callHttp2(server.mock.url, grpcHeaders(path), list);
  expect(services.headers['grpc-status']).toBe('0');
  expect(services.body.toString('latin1')).toContain('example.accounts.v1.ConnectedAccounts');
  const symbol = 'example.accounts.v1.ConnectedAccounts';
  const message = Buffer.concat([
    Buffer.from([0, 0, 0, 0, symbol.length + 2, 0x22, symbol.length]),
    Buffer.from(symbol),
  ]);
  const file = await callHttp2(server.mock.url, grpcHeaders(path), message);
  expect(file.body.toString('latin1')).toContain('example/accounts/v1/accounts.proto');
  expect(file.body.toString('latin1')).toContain('google/protobuf/timestamp.proto');
});

test('large replies are compressed for clients that accept gzip', async () => {
  const environment = await server.mock.environment();
  const form = { connector: 'mail', identifier: 'large@acme.test' };
  const text = 'x'.repeat(20_000);
  await server.call('ConnectedAccounts/CreateConnectedAccount', {
    ...form,
    connectedAccount: { apiConfig: { text } },
  });
  const body = Buffer.concat([
    Buffer.from([0, 0, 0, 0, 23, 0x12, 4]),
    Buffer.from('mail'),
    Buffer.from([0x1a, 15]),
    Buffer.from('large@acme.test'),
  ]);
  const headers = {
    ...grpcHeaders('/example.accounts.v1.ConnectedAccounts/GetConnectedAccountDetails'),
    'grpc-accept-encoding': 'identity, gzip',
  };
  const reply = await callHttp2(server.mock.url, headers, body);
  expect(reply.headers).toMatchObject({ 'grpc-status': '0', 'grpc-encoding': 'gzip' });
  expect(reply.body[0]).toBe(1);
  expect(gunzipSync(reply.body.subarray(5)).toString('latin1')).toContain(text);
  await environment.reset();
});

test('over HTTP/1.1, the gRPC status is in the trailers', async () => {
  const { port } = new URL(server.mock.url);
  const trailers = await new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/grpc', authorization: 'Bearer dev-token', te: 'trailers' };
    const sent = requestHttp({ port, method: 'POST', path: LIST, headers }, (reply) => {
      reply.on('end', () => resolve(reply.trailers)).resume();
    });
    sent.on('error', reject).end(EMPTY);
  });
  expect(trailers).toEqual({ 'grpc-status': '0' });
});

test('over TLS, the client can choose HTTP/2, for gRPC and all other calls', async () => {
  const tls = join(import.meta.dirname, '../support/tls');
  const { mock } = await startGrpc({ tlsCert: join(tls, 'cert.pem'), tlsKey: join(tls, 'key.pem') });
  try {
    const call = await callHttp2(mock.url, grpcHeaders(LIST), EMPTY);
    expect(call.headers['grpc-status']).toBe('0');
    const rest = await callHttp2(mock.url, {
      ':path': '/api/v1/connections',
      authorization: 'Bearer dev-token',
    });
    expect(rest.headers[':status']).toBe(200);
    expect(JSON.parse(rest.body.toString()).connections.length).toBeGreaterThan(10);
  } finally {
    await mock.close();
  }
});
