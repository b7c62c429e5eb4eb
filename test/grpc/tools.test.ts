/** Health, reflection, gzip, HTTP/1.1 and TLS, which gRPC tools and other clients expect. */
import { request as requestHttp } from 'node:http';
import { type ClientHttp2Session, connect } from 'node:http2';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { askHttp2, type GrpcServer, startGrpc } from './support.ts';

let server: GrpcServer;
let session: ClientHttp2Session;
beforeAll(async () => {
  server = await startGrpc();
  session = connect(server.mock.url);
});
afterAll(async () => {
  session.close();
  await server.mock.close();
});

const EMPTY = Buffer.alloc(5);
const LIST = '/example.accounts.v1.ConnectedAccounts/ListConnectedAccounts';

const grpcHeaders = (path: string): Record<string, string> => ({
  ':path': path,
  'content-type': 'application/grpc',
  authorization: 'Bearer dev-token',
});

test('health is SERVING, and unknown services are NOT_FOUND', async () => {
  const all = await askHttp2(session, grpcHeaders('/grpc.health.v1.Health/Check'), EMPTY);
  expect(all.headers['grpc-status']).toBe('0');
  expect([...all.body]).toEqual([0, 0, 0, 0, 2, 8, 1]);
  const name = Buffer.from('\0\0\0\0\u0004\n\u0002no');
  const none = await askHttp2(session, grpcHeaders('/grpc.health.v1.Health/Check'), name);
  expect(none.headers['grpc-status']).toBe('5');
});

test.each([
  'v1',
  'v1alpha',
])('server reflection %s lists the services and returns their files', async (version) => {
  const path = `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`;
  const list = Buffer.from('\0\0\0\0\u0003:\u0001*');
  const services = await askHttp2(session, grpcHeaders(path), list);
  expect(services.headers['grpc-status']).toBe('0');
  expect(services.body.toString('latin1')).toContain('example.accounts.v1.ConnectedAccounts');
  const symbol = 'example.accounts.v1.ConnectedAccounts';
  const message = Buffer.concat([
    Buffer.from([0, 0, 0, 0, symbol.length + 2, 0x22, symbol.length]),
    Buffer.from(symbol),
  ]);
  const file = await askHttp2(session, grpcHeaders(path), message);
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
  const reply = await askHttp2(session, headers, body);
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
  const secure = connect(mock.url, { rejectUnauthorized: false });
  const call = await askHttp2(secure, grpcHeaders(LIST), EMPTY);
  expect(call.headers['grpc-status']).toBe('0');
  const rest = await askHttp2(secure, { ...grpcHeaders('/api/v1/connections'), 'content-type': '' });
  expect(rest.headers[':status']).toBe(200);
  expect(JSON.parse(rest.body.toString()).connections.length).toBeGreaterThan(10);
  secure.close();
  await mock.close();
});
