/** What no client should send: every call ends, the mock goes on, and nothing is left behind. Longer: GRPC_FUZZ=5000. */
import { once } from 'node:events';
import { type ClientHttp2Session, connect as connectHttp2, constants } from 'node:http2';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { fromJson, toBinary } from '@bufbuild/protobuf';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type GrpcServer, REGISTRY, startGrpc } from './support.ts';

const RUNS = Number(process.env.GRPC_FUZZ ?? 100);
const LIST = '/example.accounts.v1.ConnectedAccounts/ListConnectedAccounts';

let server: GrpcServer;
let port: number;
beforeAll(async () => {
  server = await startGrpc();
  port = Number(new URL(server.mock.url).port);
});
afterAll(() => server.mock.close());

const requireAlive = async (): Promise<void> => {
  const { body } = await server.call('ConnectedAccounts/ListConnectedAccounts');
  expect(body.total_size).toBe('12');
};

const frame = (message: Uint8Array, flag = 0, length = message.length): Buffer => {
  const head = Buffer.alloc(5);
  head[0] = flag;
  head.writeUInt32BE(length, 1);
  return Buffer.concat([head, message]);
};

const VALID = (() => {
  const input = REGISTRY.getMessage('example.accounts.v1.ListConnectedAccountsRequest');
  if (!input) throw new Error('No descriptor.');
  return toBinary(input, fromJson(input, { connector: 'mail', pageSize: 3, connectionNames: [] }));
})();

/** The status of a call; `reset` if its stream ended without one. */
const send = (
  session: ClientHttp2Session,
  body: Uint8Array,
  headers: Record<string, string> = {},
): Promise<string> =>
  new Promise((resolve) => {
    const stream = session.request({
      ':method': 'POST',
      ':path': LIST,
      'content-type': 'application/grpc',
      te: 'trailers',
      authorization: 'Bearer dev-token',
      ...headers,
    });
    let status = 'reset';
    const read = (received: { readonly 'grpc-status'?: unknown; readonly ':status'?: unknown }): void => {
      if (received['grpc-status'] !== undefined) status = String(received['grpc-status']);
      else if (received[':status'] !== 200 && received[':status'] !== undefined)
        status = `HTTP ${received[':status']}`;
    };
    stream
      .on('response', read)
      .on('trailers', read)
      .on('error', () => {});
    stream.on('close', () => resolve(status)).resume();
    stream.end(body);
  });

const withSession = async <Value>(run: (session: ClientHttp2Session) => Promise<Value>): Promise<Value> => {
  const session = connectHttp2(server.mock.url);
  session.on('error', () => {});
  try {
    return await run(session);
  } finally {
    session.destroy();
  }
};

test('frames with bytes changed, cut or added end with a status', async () => {
  await withSession((session) =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 6 }),
        fc.nat({ max: 40 }),
        fc.uint8Array({ maxLength: 20 }),
        async (changes, cut, added) => {
          const bytes = Buffer.from(frame(VALID));
          for (const [at, value] of changes) bytes[at % bytes.length] = value;
          const status = await send(session, Buffer.concat([bytes.subarray(0, bytes.length - cut), added]));
          expect(status).toMatch(/^\d+$/);
        },
      ),
      { numRuns: RUNS },
    ),
  );
  await requireAlive();
});

test.each([
  ['nothing', Buffer.alloc(0), {}, '3'],
  ['a length that is too long', frame(VALID, 0, VALID.length + 1), {}, '3'],
  ['a length that is too short', frame(VALID, 0, 1), {}, '3'],
  ['two messages', Buffer.concat([frame(VALID), frame(VALID)]), {}, '3'],
  ['gzip', frame(gzipSync(VALID), 1), { 'grpc-encoding': 'gzip' }, '0'],
  ['no gzip under its name', frame(VALID, 1), { 'grpc-encoding': 'gzip' }, '3'],
  ['an encoding that is not known', frame(VALID, 1), { 'grpc-encoding': 'br' }, '12'],
  ['a bomb', frame(gzipSync(Buffer.alloc(50_000_000)), 1), { 'grpc-encoding': 'gzip' }, '8'],
  ['a deadline that cannot be read', frame(VALID), { 'grpc-timeout': 'soon' }, '0'],
  ['a deadline that has passed', frame(VALID), { 'grpc-timeout': '0n' }, '4'],
  ['an unknown method', frame(VALID), { ':path': '/example.accounts.v1.ConnectedAccounts/List' }, '12'],
  ['a path that is none', frame(VALID), { ':path': '/%%/../\u00ff?x' }, '12'],
  ['an authority that is none', frame(VALID), { ':authority': '%:%' }, '0'],
  [
    'a type of content that is not known',
    frame(VALID),
    { 'content-type': 'application/grpc+xml' },
    'HTTP 415',
  ],
])('a call with %s has the status that says so', async (_name, body, headers, status) => {
  expect(await withSession((session) => send(session, body, headers))).toBe(status);
});

test('streams that never end go with their connection', async () => {
  await withSession(async (session) => {
    const streams = Array.from({ length: 200 }, () =>
      session
        .request({ ':method': 'POST', ':path': LIST, 'content-type': 'application/grpc' })
        .on('error', () => {}),
    );
    for (const stream of streams) stream.write(frame(VALID).subarray(0, 7));
    await requireAlive();
    for (const stream of streams.slice(0, 100)) stream.close(constants.NGHTTP2_CANCEL);
    await requireAlive();
  });
  await requireAlive();
});

test('methods that there are not end with a status, however they are called', async () => {
  await withSession((session) =>
    fc.assert(
      fc.asyncProperty(fc.webPath(), fc.uint8Array({ maxLength: 50 }), async (path, body) => {
        expect(await send(session, body, { ':path': `/example.accounts.v1.${path}` })).toBe('12');
      }),
      { numRuns: RUNS },
    ),
  );
  await requireAlive();
});

test('messages of many sizes, up to twice what is taken, end with a status', async () => {
  await withSession((session) =>
    fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 8_000_000 }), fc.boolean(), async (size, isPacked) => {
        const message = Buffer.alloc(size, 7); // no field begins so
        const body = isPacked ? frame(gzipSync(message), 1) : frame(message);
        expect(await send(session, body, isPacked ? { 'grpc-encoding': 'gzip' } : {})).toMatch(/^(3|8)$/);
      }),
      {
        numRuns: Math.min(RUNS / 5, 200),
        examples: [
          [4_194_304, false],
          [4_194_305, false],
        ],
      },
    ),
  );
  await requireAlive();
});

const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';

/** Writes to a connection of its own, and goes. */
const talk = (parts: readonly (string | Uint8Array)[], isHalfClosed: boolean): Promise<void> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => {
      for (const part of parts) socket.write(part);
      if (isHalfClosed) socket.end();
      setTimeout(() => socket.destroy(), 5);
    });
    socket
      .on('error', () => {})
      .on('close', () => resolve())
      .resume();
  });

test('connections that begin as HTTP/2 and go on as anything do no harm', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat({ max: PREFACE.length }),
      fc.uint8Array({ maxLength: 60 }),
      fc.boolean(),
      (length, bytes, isHalfClosed) => talk([PREFACE.slice(0, length), bytes], isHalfClosed),
    ),
    { numRuns: Math.min(RUNS, 500) },
  );
  await requireAlive();
});

const SETTINGS = Buffer.from('000000040000000000', 'hex');

/** Any frame of HTTP/2, whether or not it may come here. */
const anyFrame = fc
  .record({
    type: fc.nat({ max: 12 }),
    flags: fc.nat({ max: 255 }),
    stream: fc.nat({ max: 5 }),
    payload: fc.uint8Array({ maxLength: 40 }),
    wrong: fc.constantFrom(0, 0, 0, 1, 100, 70_000),
  })
  .map(({ type, flags, stream, payload, wrong }) => {
    const head = Buffer.alloc(9);
    head.writeUIntBE(payload.length + wrong, 0, 3);
    head.writeUIntBE(type * 256 + flags, 3, 2);
    head.writeUInt32BE(stream, 5);
    return Buffer.concat([head, payload]);
  });

test('connections whose frames make no sense do no harm', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyFrame, { minLength: 1, maxLength: 8 }),
      fc.boolean(),
      (frames, isHalfClosed) => talk([PREFACE, SETTINGS, ...frames], isHalfClosed),
    ),
    { numRuns: Math.min(RUNS, 1_000) },
  );
  await requireAlive();
});

test('pings are answered, as many as come, while a call waits', async () => {
  await (await server.mock.environment()).faults.add({ operation: '*', delay_ms: 300, times: 1 });
  await withSession(async (session) => {
    await once(session, 'connect');
    const call = send(session, frame(VALID));
    for (let nth = 0; nth < 100; nth += 1)
      expect(await new Promise((resolve) => session.ping(resolve))).toBeNull();
    expect(await call).toBe('0');
  });
});

test('nothing is left of calls that are over', async () => {
  const sockets = (): number =>
    process.getActiveResourcesInfo().filter((one) => one.startsWith('TCPSocket')).length;
  await requireAlive();
  const before = sockets();
  for (let round = 0; round < 10; round += 1)
    await withSession((session) =>
      Promise.all(Array.from({ length: 20 }, () => send(session, frame(VALID)))),
    );
  while (sockets() > before) await new Promise((resolve) => setImmediate(resolve));
});
