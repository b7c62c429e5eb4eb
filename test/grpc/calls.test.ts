import { connect } from 'node:http2';
import { gzipSync } from 'node:zlib';
import type { JsonObject } from '@bufbuild/protobuf';
import { Code } from '@connectrpc/connect';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import type { LogEntry } from '#mock';
import {
  askHttp2,
  callsOver,
  DESCRIPTORS,
  detailOf,
  headersOf,
  messageOf,
  startGrpc,
  transports,
} from './support.ts';

const { mock, call, fail } = await startGrpc();
const session = connect(mock.url);
afterAll(() => session.close());
const env = await mock.environment();
beforeEach(() => env.reset({ journal: true }));

const LIST = 'ConnectedAccounts/ListConnectedAccounts';
const URL_OF_LIST = `${mock.url}/example.accounts.v1.${LIST}`;
/** Calls over Connect with JSON. */
const postJson = (body: string, more: Record<string, string> = {}) => {
  const headers = { authorization: 'Bearer dev-token', 'content-type': 'application/json', ...more };
  return fetch(URL_OF_LIST, { method: 'POST', headers, body });
};
const framed = (bytes: Buffer, flag = 0): Buffer => {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt8(flag);
  prefix.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([prefix, bytes]);
};

test('behaviour E8: a call whose environment was reset while its message arrived is UNAVAILABLE', async () => {
  const stream = session.request({ ':method': 'POST', ...headersOf(LIST) });
  const answer = new Promise<Record<string, unknown>>((resolve) => stream.once('response', resolve));
  stream.write(Buffer.alloc(2)); // the message is a prefix of five bytes
  await askHttp2(session, headersOf(LIST), Buffer.alloc(5)); // once it is answered, the call above has begun
  await env.reset();
  stream.end(Buffer.alloc(3));
  const headers = await answer;
  expect(headers['grpc-status']).toBe('14');
  expect(decodeURIComponent(String(headers['grpc-message']))).toContain(
    'The environment development was reset',
  );
  stream.close();
});

test('a small message that would unpack to gigabytes is refused, and so are other wrong messages', async () => {
  const bomb = framed(gzipSync(Buffer.alloc(64 * 2 ** 20)), 1);
  const gzip = { 'grpc-encoding': 'gzip' };
  const two = Buffer.concat([framed(Buffer.alloc(0)), framed(Buffer.alloc(0))]);
  for (const [body, more, status, words] of [
    [bomb, gzip, '8', 'larger than'],
    [framed(Buffer.from('no gzip'), 1), gzip, '3', 'decompress'],
    [framed(Buffer.alloc(0), 1), { 'grpc-encoding': 'br' }, '12', '"br": supported encodings are gzip'],
    [Buffer.alloc(0), {}, '12', 'missing input message'],
    [two, {}, '12', 'extra input message'],
    [framed(Buffer.from([0xff, 0xff])), {}, '13', ''],
  ] as const) {
    const answer = await askHttp2(session, headersOf(LIST, more), body);
    expect([answer.headers['grpc-status'], messageOf(answer)]).toEqual([
      status,
      expect.stringContaining(words),
    ]);
  }
  for (const small of [framed(gzipSync(Buffer.alloc(0)), 1), framed(Buffer.alloc(0))])
    expect((await askHttp2(session, headersOf(LIST, gzip), small)).headers['grpc-status']).toBe('0');
});

test('the refusal of a method with a typing mistake names the right one', async () => {
  const answer = await askHttp2(session, headersOf('Users/ResendInvit'), Buffer.alloc(5));
  expect(messageOf(answer)).toBe(
    'The descriptors have no method example.accounts.v1.Users/ResendInvit. Did you mean "example.accounts.v1.Users/ResendInvite"?',
  );
  const misspelt = await askHttp2(session, headersOf(LIST.replace('nn', 'n')), Buffer.alloc(5));
  expect(messageOf(misspelt)).toContain(`Did you mean "example.accounts.v1.${LIST}"?`);
});

test('an error of many violations fits into the headers that clients accept', async () => {
  const metadata = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`${'語'.repeat(24)}${n}`, '']));
  const error = await fail('Users/CreateMembership', {
    organizationId: 'org_100000000000000001',
    id: 'usr_100000000000000005',
    membership: { metadata },
  });
  expect(detailOf(error)).toEqual({ error_code: 'INVALID_ARGUMENT' });
  const sent =
    encodeURIComponent(error.rawMessage).length +
    Number(error.metadata.get('grpc-status-details-bin')?.length ?? 0);
  expect(sent).toBeLessThan(8_000);
});

const CODES = {
  ...{ 400: 'invalid_argument', 401: 'unauthenticated', 403: 'permission_denied', 404: 'not_found' },
  ...{ 409: 'already_exists', 429: 'resource_exhausted', 500: 'internal', 501: 'unimplemented' },
  ...{ 503: 'unavailable', 504: 'deadline_exceeded' },
};

test.each(
  Object.entries(CODES),
)('over Connect, an error %s of the API keeps its status, and has the code %s', async (text, code) => {
  const status = Number(text);
  const reply = await postJson('{}', { prefer: `code=${status}` });
  expect([reply.status, JSON.parse(await reply.text()).code]).toEqual([status, code]);
  expect(reply.headers.get('preference-applied')).toBe(`code=${status}`);
  expect(reply.headers.has('retry-after')).toBe(status === 429);
});

test('a call that takes longer than its deadline ends with DEADLINE_EXCEEDED', async () => {
  await env.faults.add({ operation: '*', delay_ms: 2_000 });
  const { headers } = await askHttp2(session, headersOf(LIST, { 'grpc-timeout': '20m' }), Buffer.alloc(5));
  expect(headers['grpc-status']).toBe('4');
});

test('a client may know more fields than the descriptors: they are ignored', async () => {
  const reply = await postJson('{"page_size": 1, "new_field": {"a": 1}}');
  expect(JSON.parse(await reply.text()).connectedAccounts).toHaveLength(1);
  for (const wrong of ['{"page_size": "x"}', '{"id": x}'])
    expect(await (await postJson(wrong)).text()).toMatch(
      /"invalid_argument".*(cannot decode|not valid JSON)/,
    );
});

test('only POST with a content type of the protocols is answered', async () => {
  expect((await fetch(URL_OF_LIST, { headers: { 'content-type': 'application/json' } })).status).toBe(405);
  for (const type of ['text/plain', 'application/grpc+json', 'application/grpc-web+json']) {
    const reply = await fetch(URL_OF_LIST, {
      method: 'POST',
      body: framed(Buffer.from('"hush"')),
      headers: { 'content-type': type },
    });
    expect([reply.status, JSON.stringify([...reply.headers]) + (await reply.text())]).toEqual([
      415,
      expect.not.stringContaining('hush'),
    ]);
  }
  expect((await call(LIST)).body.total_size).toBe('12');
  const refused = await postJson('{}', { authorization: 'Bearer wrong' });
  expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
});

// * Calls operations as an application does through its SDK, over a real connection. `conformance/grpc.long.ts` calls
// all of them.

const told: LogEntry[] = [];
const plain = await startGrpc({ grpcDescriptors: [DESCRIPTORS], log: (entry) => void told.push(entry) });

test('names that match nothing are reported once at the start, and in the journal of the call that lost a value', async () => {
  const warnings = told.filter(({ event }) => event === 'warning');
  expect(warnings).toMatchObject([
    { message: expect.stringMatching(/AuthorizationDetails.contoso_dwd.* are lost/) },
  ]);
  expect(warnings).toMatchObject([{ message: expect.stringContaining('TYPE_CONTOSO_DWD') }]);
  const own = await plain.mock.environment();
  const lost = async (name: string, message: JsonObject) => {
    await plain.call(name, message).catch(() => undefined);
    return (await own.requests()).at(-1)?.warnings.join() ?? '';
  };
  const pair = { connector: 'workspace', identifier: 'bot@acme.test' };
  const details = { authorizationDetails: { contosoDwd: { subject: 'bot@acme.test' } } };
  expect(
    await lost('ConnectedAccounts/CreateConnectedAccount', { ...pair, connectedAccount: details }),
  ).toContain('The API has no member for AuthorizationDetails.contoso_dwd and ignores it.');
  expect(await lost('Connections/ListConnections', { include: 'all' })).toMatch(
    /Connection.type has no value for VENDORB_DWD, so it arrives empty/,
  );
  const address = { id: 'ca_100000000000000009' };
  expect(await lost('ConnectedAccounts/GetConnectedAccountAuth', address)).toContain(
    'AuthorizationDetails has no field for vendorb_dwd, so it arrives empty.',
  );
  expect(await lost(LIST, {})).not.toContain('has no field');
  const wiki = { providerIdentifier: 'custom:1', provider: { isCustom: true } };
  expect(await lost('CustomProviders/UpdateCustomProvider', wiki)).toContain(
    'no member for Provider.is_custom',
  );
});

test('a fault whose body has an unknown code becomes the gRPC error of its status', async () => {
  for (const [status, code] of [
    [503, Code.Unavailable],
    [502, Code.Unavailable],
    [422, Code.FailedPrecondition],
    [404, Code.NotFound],
    [429, Code.ResourceExhausted],
  ] as const) {
    const body = { code: 4711, message: 'The vendor is down.' };
    await env.faults.add({ status, body, times: 1 });
    const error = await fail(LIST);
    expect([error.code, error.rawMessage]).toEqual([code, 'The vendor is down.']);
  }
});

test('a method with two paths goes to the one whose fields are all set', async () => {
  const member = { organizationId: 'org_100000000000000001', externalId: 'ext-ada', membership: {} };
  await call('Users/UpdateMembership', member);
  expect(await env.requests()).toMatchObject([{ operation: 'updateMembershipByExternalId' }]);
});

test('the journal shows a gRPC call with its operation, and coverage counts it', async () => {
  await env.clearCoverage();
  await call(LIST, { pageSize: 5 });
  const [entry] = await env.requests();
  expect(entry).toMatchObject({
    operation: 'listConnectedAccounts',
    grpc_method: 'example.accounts.v1.ConnectedAccounts/ListConnectedAccounts',
    status: 200,
    request: {
      method: 'GET',
      url: '/api/v1/connected_accounts?page_size=5',
      headers: { authorization: 'Bearer ***' },
    },
  });
  expect((await env.coverage()).operations).toMatchObject({ seen: 1 });
});

test.each(
  Object.entries(transports(mock.url)),
)('a client over %s gets the same answers and errors', async (_name, transport) => {
  const client = callsOver(transport);
  const { body, headers } = await client.call(LIST, { pageSize: 3 });
  expect(body.connected_accounts).toHaveLength(3);
  expect(headers.get('x-request-id')).toMatch(/^req_/);
  const error = await client.fail(LIST, { pageSize: 101 });
  expect(error.code).toBe(Code.InvalidArgument);
  expect(error.metadata.get('x-request-id')).toMatch(/^req_/);
  expect(detailOf(error)).toMatchObject({
    error_code: 'INVALID_ARGUMENT',
    validation_error_info: { field_violations: [{ field: 'page_size', constraint: 'maximum' }] },
  });
});
