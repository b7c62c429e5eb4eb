/** What goes over the wire: sizes, compression, deadlines, and texts in headers. */
import { connect } from 'node:http2';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { percentEncoded, timeoutOf, wireOf } from '../../src/grpc/wire.ts';
import { askHttp2, detailOf, startGrpc } from './support.ts';

const { mock, call, fail } = await startGrpc();
const session = connect(mock.url, { maxSessionMemory: 1_000 });
afterAll(() => session.close());
const env = await mock.environment();
beforeEach(() => env.reset({ journal: true }));

const LIST = 'ConnectedAccounts/ListConnectedAccounts';
const UPDATE = 'ConnectedAccounts/UpdateConnectedAccount';
const headersOf = (name: string, more: Record<string, string> = {}) => ({
  ':path': `/example.accounts.v1.${name}`,
  'content-type': 'application/grpc',
  authorization: 'Bearer dev-token',
  ...more,
});

const framed = (bytes: Buffer, flag = 0): Buffer => {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt8(flag);
  prefix.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([prefix, bytes]);
};

test('a hundred and ten refused messages of more than 4 MiB leave the connection usable', async () => {
  const large = framed(Buffer.alloc(7 * 2 ** 20));
  for (let round = 0; round < 110; round += 1) {
    const stream = session.request({ ':method': 'POST', ...headersOf(UPDATE) }).on('error', () => {});
    const status = new Promise((resolve) =>
      stream.once('response', (found) => resolve(found['grpc-status'])),
    );
    stream.write(large); // never ended, as by a client that waits for room to send more
    expect(await status).toBe('8');
    await new Promise((resolve) => (stream.closed ? resolve(0) : stream.once('close', resolve).resume()));
  }
  expect((await askHttp2(session, headersOf(LIST), Buffer.alloc(5))).headers['grpc-status']).toBe('0');
});

test('behaviour E8: a call whose environment was reset while its message arrived is UNAVAILABLE', async () => {
  const stream = session.request({ ':method': 'POST', ...headersOf(LIST) });
  const answer = new Promise<Record<string, unknown>>((resolve) => stream.once('response', resolve));
  stream.write(Buffer.alloc(2)); // the message is a prefix of five bytes
  await askHttp2(session, headersOf(LIST), Buffer.alloc(5)); // once it is answered, the call above has begun
  await env.reset();
  stream.end(Buffer.alloc(3));
  const headers = await answer;
  expect(headers['grpc-status']).toBe('14');
  expect(headers['grpc-message']).toContain('The environment development was reset');
  stream.close();
});

test('a small message that would unpack to gigabytes is refused, and so are other wrong messages', async () => {
  const bomb = framed(gzipSync(Buffer.alloc(64 * 2 ** 20)), 1);
  const gzip = { 'grpc-encoding': 'gzip' };
  for (const [body, more, status, words] of [
    [bomb, gzip, '8', 'larger than 4 MiB'],
    [framed(Buffer.from('no gzip'), 1), gzip, '3', 'not compressed with gzip'],
    [framed(Buffer.alloc(0), 1), { 'grpc-encoding': 'br' }, '12', 'The encoding br is not supported'],
    [Buffer.alloc(0), {}, '12', 'has no message'],
    [
      Buffer.concat([framed(Buffer.alloc(0)), framed(Buffer.alloc(0))]),
      {},
      '12',
      'more or less than one message',
    ],
    [framed(Buffer.from([0xff, 0xff])), {}, '3', ''],
  ] as const) {
    const { headers } = await askHttp2(session, headersOf(LIST, more), body);
    expect(headers['grpc-status']).toBe(status);
    expect(headers['grpc-message']).toContain(words);
    if (words.includes(' br ')) expect(headers['grpc-accept-encoding']).toBe('gzip,identity');
  }
  for (const small of [framed(gzipSync(Buffer.alloc(0)), 1), framed(Buffer.alloc(0))])
    expect((await askHttp2(session, headersOf(LIST, gzip), small)).headers['grpc-status']).toBe('0');
});

test('grpc-message encodes percent signs and what is not printable ASCII, and nothing else', async () => {
  expect(percentEncoded('POST /oauth/token, 100% of "a" ü 語\n')).toBe(
    'POST /oauth/token, 100%25 of "a" %C3%BC %E8%AA%9E%0A',
  );
  const { headers } = await askHttp2(session, headersOf('Users/ResendInvit'), Buffer.alloc(5));
  expect(headers['grpc-message']).toBe(
    'The descriptors have no method example.accounts.v1.Users/ResendInvit. Did you mean "example.accounts.v1.Users/ResendInvite"?',
  );
  const misspelt = await askHttp2(session, headersOf(LIST.replace('nn', 'n')), Buffer.alloc(5));
  expect(misspelt.headers['grpc-message']).toContain(`Did you mean "example.accounts.v1.${LIST}"?`);
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
    percentEncoded(error.rawMessage).length +
    Number(error.metadata.get('grpc-status-details-bin')?.length ?? 0);
  expect(sent).toBeLessThan(8_000);
});

test.each([
  ['application/grpc', { protocol: 'grpc', type: 'application/grpc+proto', isJson: false, isText: false }],
  [
    'Application/GRPC+JSON; x=1',
    { protocol: 'grpc', type: 'application/grpc+json', isJson: true, isText: false },
  ],
  [
    'application/grpc-web-text',
    { protocol: 'grpc-web', type: 'application/grpc-web-text+proto', isJson: false, isText: true },
  ],
  [
    'application/json; charset=utf-8',
    { protocol: 'connect', type: 'application/json', isJson: true, isText: false },
  ],
  ['application/proto ;a', { protocol: 'connect', type: 'application/proto', isJson: false, isText: false }],
  ['application/grpcx', undefined],
  ['text/json', undefined],
  [undefined, undefined],
])('the content type %s means %j', (type, wire) => {
  expect(wireOf(type)).toEqual(wire);
});

test('gRPC-Web in base64 is answered in base64, with the status at the end', async () => {
  const headers = { authorization: 'Bearer dev-token', 'content-type': 'application/grpc-web-text' };
  const body = framed(Buffer.from([0x30, 1])).toString('base64'); // page_size 1
  const reply = await fetch(`${mock.url}/example.accounts.v1.${LIST}`, { method: 'POST', headers, body });
  const bytes = Buffer.from(await reply.text(), 'base64');
  const length = bytes.readUInt32BE(1);
  expect(bytes.subarray(5, 5 + length).toString('latin1')).toContain('ca_100000000000000001');
  expect(bytes.subarray(5 + length).toString('latin1')).toBe('\x80\0\0\0\x10grpc-status: 0\r\n');
  expect(Object.fromEntries(reply.headers)).toMatchObject({
    'content-type': 'application/grpc-web-text+proto',
    'access-control-allow-origin': '*',
  });
});

test.each([
  ['99999999H', 2 ** 31 - 1],
  ['3000000S', 2 ** 31 - 1],
  ['2H', 7_200_000],
  ['3M', 180_000],
  ['2S', 2_000],
  ['250m', 250],
  ['500000u', 500],
  ['20000000n', 20],
  ['soon', undefined],
])('the deadline %s lets a call wait %s milliseconds', (deadline, wait) => {
  expect(timeoutOf({ headers: { 'grpc-timeout': deadline } } as never)).toBe(wait);
  const headers = { 'connect-timeout-ms': String(wait) }; // Connect says it in milliseconds
  expect(timeoutOf({ headers } as never)).toBe(wait);
});

test.each([
  [400, 'invalid_argument'],
  [401, 'unauthenticated'],
  [403, 'permission_denied'],
  [404, 'not_found'],
  [409, 'already_exists'],
  [429, 'resource_exhausted'],
  [500, 'internal'],
  [501, 'unimplemented'],
  [503, 'unavailable'],
  [504, 'deadline_exceeded'],
])('over Connect, an error %i of the API keeps its status, and has the code %s', async (status, code) => {
  const headers = {
    authorization: 'Bearer dev-token',
    'content-type': 'application/json',
    prefer: `code=${status}`,
  };
  const reply = await fetch(`${mock.url}/example.accounts.v1.${LIST}`, {
    method: 'POST',
    headers,
    body: '{}',
  });
  expect([reply.status, JSON.parse(await reply.text()).code]).toEqual([status, code]);
  expect(reply.headers.get('preference-applied')).toBe(`code=${status}`);
  expect(reply.headers.has('retry-after')).toBe(status === 429);
});

test.each([
  'application/json',
  'application/grpc+json',
  'application/grpc-web+json',
])('behaviour R2: %s: no refusal of a wrong message repeats its values', async (type) => {
  const url = `${mock.url}/example.accounts.v1.${UPDATE}`;
  const secret = 'very-secret-value';
  for (const text of [
    `{"id": {"access_token": "${secret}"}}`,
    `{"connected_account": {"authorization_details": "${secret}"}}`,
    `{"connected_account": {"authorization_details": {"oauth_token": {"scopes": "${secret}"}}}}`,
    `{"connected_account": {"authorization_details": {"oauth_token": {"access_token": ["${secret}"]}}}}`,
    `{"id": ${secret}}`,
  ]) {
    const body = type === 'application/json' ? text : framed(Buffer.from(text));
    const headers = { ...(({ ':path': _, ...rest }) => rest)(headersOf(UPDATE)), 'content-type': type };
    const reply = await fetch(url, { method: 'POST', headers, body });
    const shown = JSON.stringify([...reply.headers]) + (await reply.text());
    expect(shown).toMatch(/cannot decode|Unexpected|not valid JSON/i);
    expect(shown).not.toContain(secret);
  }
});

test('a call that takes longer than its deadline ends with DEADLINE_EXCEEDED', async () => {
  await env.faults.add({ operation: '*', delay_ms: 2_000 });
  const { headers } = await askHttp2(session, headersOf(LIST, { 'grpc-timeout': '20m' }), Buffer.alloc(5));
  expect(headers['grpc-status']).toBe('4');
});

test('a client may know more fields than the descriptors: they are ignored', async () => {
  const headers = { authorization: 'Bearer dev-token', 'content-type': 'application/json' };
  const body = '{"page_size": 1, "new_field": {"a": 1}}';
  const reply = await fetch(`${mock.url}/example.accounts.v1.${LIST}`, { method: 'POST', headers, body });
  expect(JSON.parse(await reply.text()).connectedAccounts).toHaveLength(1);
});

test('only POST with a content type of the protocols is answered', async () => {
  const url = `${mock.url}/example.accounts.v1.${LIST}`;
  expect((await fetch(url, { headers: { 'content-type': 'application/json' } })).status).toBe(405);
  expect(
    (await fetch(url, { method: 'POST', body: 'x', headers: { 'content-type': 'text/plain' } })).status,
  ).toBe(415);
  expect((await call(LIST)).body.total_size).toBe('12');
  const wrong = { authorization: 'Bearer wrong', 'content-type': 'application/json' };
  const refused = await fetch(url, { method: 'POST', body: '{}', headers: wrong });
  expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
});
