/** Faults, stubs and wrong calls as a gRPC client sees them. */
import { once } from 'node:events';
import { connect, constants } from 'node:http2';
import { Code } from '@connectrpc/connect';
import { beforeEach, expect, test } from '@jest/globals';
import { askHttp2, detailOf, headersOf, messageOf, startGrpc } from './support.ts';

const server = await startGrpc();
const env = await server.mock.environment();
beforeEach(() => env.reset({ journal: true }));

const LIST = 'ConnectedAccounts/ListConnectedAccounts';
const DISCONNECT = 'ConnectedAccounts/DisconnectConnectedAccount';

test('behaviour X4: a method without an operation is UNIMPLEMENTED, and answered by the stub for its HTTP rule, which the message shows', async () => {
  const path = '/api/v1/connected_accounts/{id}:disconnect';
  const error = await server.fail(DISCONNECT, { id: 'ca_1' });
  expect(error.code).toBe(Code.Unimplemented);
  expect(error.rawMessage).toContain(`stubs: [{ method: POST, path: "${path}", status: 200, body: {} }]`);
  expect(detailOf(error)).toMatchObject({ error_code: 'UNIMPLEMENTED' });
  const [entry] = await env.requests();
  expect(entry).toMatchObject({
    ...{ status: 501, grpc_method: `example.accounts.v1.${DISCONNECT}` },
    request: { method: 'POST', url: '/api/v1/connected_accounts/ca_1:disconnect' },
  });
  const stub = { method: 'POST' as const, path, body: { connected_account: { id: 'ca_7' } } };
  await env.patchState({ stubs: [stub] });
  const { body } = await server.call(DISCONNECT, { id: 'ca_7' });
  expect(body).toEqual({}); // the reply message of this method has no fields
  await env.patchState({ stubs: [{ ...stub, status: 503, body: { message: 'later' } }] });
  expect((await server.fail(DISCONNECT, { id: 'ca_7' })).code).toBe(Code.Unavailable);
});

test('behaviour X6: over gRPC, a stub matches metadata, answers in sequence and leaves rows behind', async () => {
  const stub = {
    method: 'POST' as const,
    path: '/api/v1/connected_accounts/{id}:disconnect',
    match: { headers: { 'x-team': 'red' } },
    replies: [{ status: 503 }, { body: {} }],
    // biome-ignore lint/suspicious/noThenProperty: scenarios have this name
    then: { users: [{ email: '{path.id}@acme.test' }] },
  };
  await env.patchState({ stubs: [stub] });
  const red = { headers: { 'x-team': 'red' } };
  expect((await server.fail(DISCONNECT, { id: 'ca_7' })).code).toBe(Code.Unimplemented);
  expect((await server.fail(DISCONNECT, { id: 'ca_7' }, red)).code).toBe(Code.Unavailable);
  expect((await server.call(DISCONNECT, { id: 'ca_8' }, red)).body).toEqual({});
  expect((await env.requests()).map(({ stub_reply }) => stub_reply)).toEqual([undefined, 1, 2]);
  const emails = (await env.state()).users?.map(({ email }) => email);
  expect(emails).toEqual(expect.arrayContaining(['ca_7@acme.test', 'ca_8@acme.test']));
});

const COUNT = 'ConnectedAccounts/CountConnectedAccounts';
const pathOf = (name: string): string => `/example.accounts.v1.${name}`;

test('behaviour X4: a method without an HTTP rule is answered by the stub for the path of gRPC itself', async () => {
  const error = await server.fail(COUNT);
  expect(error.code).toBe(Code.Unimplemented);
  expect(error.rawMessage).toContain(`stubs: [{ method: POST, path: "${pathOf(COUNT)}",`);
  await env.patchState({ stubs: [{ method: 'POST', path: pathOf(COUNT), body: 12 }] });
  expect((await server.call(COUNT)).body).toBe('12');
  expect(await env.requests()).toMatchObject([
    { status: 501, grpc_method: pathOf(COUNT).slice(1) },
    { status: 200, stub: `POST ${pathOf(COUNT)}` },
  ]);
});

test('a streaming method and an unknown one are UNIMPLEMENTED, and no stub is played for them', async () => {
  const names = ['WatchConnectedAccounts', 'CountConnectedAccount'].map(
    (name) => `ConnectedAccounts/${name}`,
  );
  // biome-ignore lint/suspicious/noThenProperty: scenarios have this name
  const stub = { method: 'POST' as const, body: {}, then: { users: [{ email: 'played@acme.test' }] } };
  await env.patchState({ stubs: names.map((name) => ({ ...stub, path: pathOf(name) })) });
  await env.faults.add({ operation: '*', abort: true });
  const session = connect(server.mock.url);
  for (const [nth, reason] of ['is a streaming method', 'Did you mean'].entries()) {
    const path = pathOf(names[nth] ?? '');
    const reply = await askHttp2(session, headersOf(names[nth] ?? ''), Buffer.alloc(5));
    expect(reply.headers['grpc-status']).toBe(String(Code.Unimplemented));
    expect(messageOf(reply)).toContain(reason);
    expect((await env.requests()).at(-1)).toMatchObject({ status: 501, grpc_method: path.slice(1) });
  }
  session.close();
  expect((await env.state()).users?.map(({ email }) => email)).not.toContain('played@acme.test');
});

test('metadata and baggage select the environment of a call (behaviour E7)', async () => {
  const own = await server.mock.createEnvironment({ name: 'own' });
  await server.call(LIST, {}, { headers: { 'x-mock-environment': 'own' } });
  await server.call(LIST, {}, { headers: { baggage: 'mock-environment=own' } });
  expect(await own.requests()).toHaveLength(2);
  expect(await env.requests()).toHaveLength(0);
  await own.delete();
});

test('an error reply has only headers, so that clients retry by their own policy', async () => {
  const session = connect(server.mock.url);
  const stream = session.request({
    ':method': 'POST',
    ...headersOf(LIST, { authorization: 'Bearer wrong' }),
  });
  stream.end(Buffer.alloc(5));
  const [headers, flags] = await once(stream, 'response');
  expect(headers).toMatchObject({
    ':status': 200,
    'grpc-status': '16',
    'content-type': 'application/grpc+proto',
  });
  expect(flags & constants.NGHTTP2_FLAG_END_STREAM).toBeTruthy();
  session.close();
});

test.each([
  [1_100_000, Code.InvalidArgument, 'PAYLOAD_TOO_LARGE'],
  [5_000_000, Code.ResourceExhausted, ''],
])('a message of %i bytes is over a limit, and is refused with the code %i', async (size, code, errorCode) => {
  const error = await server.fail('ConnectedAccounts/UpdateConnectedAccount', {
    id: 'ca_100000000000000001',
    connectedAccount: { apiConfig: { text: 'x'.repeat(size) } },
  });
  expect(error.code).toBe(code);
  if (errorCode !== '') expect(detailOf(error)).toMatchObject({ error_code: errorCode });
});

test('behaviour X8, R1: a call that is aborted is UNAVAILABLE, and after a reply that was lost the next try is ALREADY_EXISTS', async () => {
  const create = 'ConnectedAccounts/CreateConnectedAccount';
  await env.faults.add({ operation: '*', abort: true, times: 1 });
  expect((await server.fail(LIST)).code).toBe(Code.Unavailable);
  expect((await env.requests())[0]).toMatchObject({ status: 0 });
  expect((await server.call(LIST)).body.total_size).toBe('12');
  await env.faults.add({ operation: 'createConnectedAccount', abort: 'after', times: 1 });
  const account = { connector: 'mail', identifier: 'lost@acme.test' };
  expect((await server.fail(create, account)).code).toBe(Code.Unavailable);
  expect((await env.requests()).at(-1)).toMatchObject({ status: 0, reason: 'reply lost by fault_2' });
  expect((await server.fail(create, account)).code).toBe(Code.AlreadyExists);
});
