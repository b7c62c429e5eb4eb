/** Ten thousand calls on one connection. A call that stayed open would soon leave none of the hundred that are allowed. */
import { connect } from 'node:http2';
import { afterAll, expect, test } from '@jest/globals';
import { askHttp2, startGrpc } from './support.ts';

const { mock } = await startGrpc();
const session = connect(mock.url);
afterAll(() => session.close());

const LIST = '/example.accounts.v1.ConnectedAccounts/ListConnectedAccounts';
const SMALL = Buffer.alloc(5);
/** A field that the message does not have. */
const LARGE = Buffer.concat([Buffer.from('000000ffedfa3fe8ff03', 'hex'), Buffer.alloc(65_512)]);

test.each([
  ['short calls', LIST, 'dev-token', SMALL, '0'],
  ['refused calls with bodies of 64 kB', LIST, 'wrong', LARGE, '16'],
  ['calls of an unknown method with bodies of 64 kB', '/a.B/C', 'dev-token', LARGE, '12'],
])('ten thousand %s are answered on one connection', async (_what, path, token, body, status) => {
  const headers = { ':path': path, 'content-type': 'application/grpc', authorization: `Bearer ${token}` };
  for (let round = 0; round < 200; round += 1) {
    const replies = await Promise.all(Array.from({ length: 50 }, () => askHttp2(session, headers, body)));
    expect(new Set(replies.map((reply) => reply.headers['grpc-status']))).toEqual(new Set([status]));
  }
});
