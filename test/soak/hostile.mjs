/** Calls that once made others wait, or never ended: products of allowed limits, raw requests, gRPC and silent readers. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

const many = (count, make) => Array.from({ length: count }, (_, index) => make(index));
const ITEMS = many(20, (index) => ({ name: `role-${index}` }));
const FAULT = {
  operation: 'createMembership',
  status: 503,
  times: 1,
  match: { body: { roles: [...ITEMS.slice(1), { name: 'never' }] } },
};
const WIDE = { roles: many(6_000, (index) => ({ name: `role-${index % 20}` })) };
/** About 45 KB, which the journal keeps whole. */
const KEPT = { roles: many(2_600, (index) => ({ name: `role-${index % 20}` })) };
const nested = (levels, inner) => (levels === 0 ? inner : { roles: [nested(levels - 1, inner)] });
const named = (count) => Object.fromEntries(many(count, (index) => [`a${index}`, '1']));
const DEEP = { operation: '*', status: 503, match: { body: nested(15, 'never') } };
const WIDE_QUERY = { operation: '*', status: 503, match: { query: { ...named(1_300), other: '1' } } };
const MEMBERSHIP = '/api/v1/memberships/organizations/org_100000000000000002/users/usr_100000000000000005';

/** Control and API calls in an environment: method, path, body, whether it is an API call, and the expected statuses. */
const PRODUCTS = (name) => {
  const at = `/_mock/environments/${name}`;
  const filter = encodeURIComponent(JSON.stringify({ roles: ITEMS }));
  return [
    ...many(5, () => ['POST', `${at}/faults`, FAULT, [201]]),
    ['POST', `${at}/faults`, FAULT, [400]], // one more than the items of all faults allow
    ['POST', MEMBERSHIP, WIDE, [400]],
    ['POST', MEMBERSHIP, KEPT, [400]],
    ['GET', `${at}/requests?body=${filter}`, undefined, [200]],
    ['GET', `${at}/requests?text=nowhere`, undefined, [200]],
    ['GET', `${at}/requests?body=${filter}&wait=100ms`, undefined, [200]],
    ['GET', `${at}/requests?format=har`, undefined, [200]],
    ['DELETE', `${at}/faults`, undefined, [200]],
    ['POST', `${at}/faults`, DEEP, [201]],
    ...many(10, () => ['POST', `${at}/faults`, WIDE_QUERY, [201]]),
    ['POST', `${MEMBERSHIP}?${new URLSearchParams(named(1_300))}`, nested(60, 'other'), [400]],
    ['DELETE', `${at}/faults`, undefined, [200]],
  ];
};

/** Makes the calls of `PRODUCTS` with `send`, in their order. */
export const sendProducts = async (send, { name, token }) => {
  for (const [method, path, body, right] of PRODUCTS(name))
    await send(method, path, { body, right, ...(path.startsWith(MEMBERSHIP) && { token }) });
};

/** Requests that no HTTP client writes, and the status of each. */
const RAW = [
  ['GET /_mock/#top HTTP/1.1\r\nHost: 127.0.0.1\r\n', 400],
  ['GET /api/v1/connections#x HTTP/1.1\r\nHost: 127.0.0.1\r\n', 400],
  ['GET /keys HTTP/1.1\r\nHost: evil.test\r\n', 200],
];

/** Sends a request of `RAW`. @returns what is wrong with the answer, if anything */
export const sendRaw = async (port, draw) => {
  const [head, status] = RAW[draw(RAW.length)];
  const socket = connect(port, '127.0.0.1');
  socket.write(`${head}Connection: close\r\n\r\n`);
  let text = '';
  for await (const chunk of socket) text += chunk;
  const found = Number(text.slice(9, 12));
  return found >= status && found < 500 ? [] : [`${head}: ${text.slice(0, 200)}`];
};

const STATE = 'GET /_mock/environments/development/state HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';

/** Asks for far more than the sockets of the system hold, reads nothing for a while, and leaves. */
export const neverRead = async (port) => {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {}).pause(); // the server may hang up first
  socket.write(STATE.repeat(300));
  await pause(2_000);
  socket.destroy();
  if (!socket.closed) await once(socket, 'close');
};

/** Sends a request in pieces of one byte, with pauses. @returns what is wrong with the answer, if anything */
export const sendSlowly = async (port) => {
  const socket = connect(port, '127.0.0.1');
  for (const byte of 'GET /keys HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n') {
    socket.write(byte);
    await pause(20);
  }
  let text = '';
  for await (const chunk of socket) text += chunk;
  return text.startsWith('HTTP/1.1 200') ? [] : [`a slow client: ${text.slice(0, 200)}`];
};

/** The server disconnects a client that reads nothing after a minute, and notices it up to a minute later. */
const MOST_UNREAD = 180_000;

/** Each of these clients asks for much, reads nothing, and waits until the server hangs up. */
const SILENT = {
  'over HTTP/1.1': (url) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1').pause();
    socket.write(STATE.repeat(300));
    return socket;
  },
  'over HTTP/2': (url) => askUnread(url),
  'over HTTP/2, and sends pings': (url) => {
    const session = askUnread(url);
    const timer = setInterval(() => session.destroyed || session.ping(() => {}), 500);
    return session.once('close', () => clearInterval(timer));
  },
};

const askUnread = (url) => {
  const session = connectHttp2(url);
  for (let call = 0; call < 5; call += 1)
    session.request({ ':path': '/_mock/openapi.json' }).on('error', () => {}); // never read
  return session;
};

/**
 * Runs each client of `SILENT` again and again until `end`. Asks the system whether the server has hung up, since clients
 * that do not read never learn it. Linux only. @returns those that the server did not disconnect
 */
export const outlast = async (url, end) => {
  const wrong = [];
  const keepOn = async ([what, open]) => {
    while (Date.now() < end) {
      const client = open(url).on('error', () => {});
      await once(client, 'connect');
      const { localPort } = client.socket ?? client;
      const late = Date.now() + MOST_UNREAD;
      while (isConnected(new URL(url).port, localPort) && Date.now() < Math.min(late, end))
        await pause(1_000);
      if (Date.now() >= late)
        wrong.push(`A client that reads nothing ${what} is still connected after ${MOST_UNREAD} ms.`);
      client.destroy();
    }
  };
  await Promise.all(Object.entries(SILENT).map(keepOn));
  return wrong;
};

/** Whether the server's end of a connection on this machine is established. */
const isConnected = (serverPort, clientPort) => {
  const hex = (port) => Number(port).toString(16).toUpperCase().padStart(4, '0');
  return new RegExp(`:${hex(serverPort)} \\w+:${hex(clientPort)} 01 `).test(
    readFileSync('/proc/net/tcp', 'utf8'),
  );
};

/** Follows the events of an environment and reads them. @returns what is wrong if the server ends the stream early */
export const follow = async (url, end) => {
  const leave = AbortSignal.timeout(end - Date.now());
  try {
    const headers = { accept: 'text/event-stream' };
    const response = await fetch(`${url}/_mock/environments/development/events`, { headers, signal: leave });
    for await (const _chunk of response.body);
    return ['An event stream that was read ended early.'];
  } catch (error) {
    return leave.aborted ? [] : [`An event stream that was read broke off: ${error.cause ?? error}`];
  }
};

const framed = (flag, bytes) => {
  const head = Buffer.alloc(5);
  head.writeUInt8(flag);
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
};
const PATH = '/example.accounts.v1.ConnectedAccounts/ListConnectedAccounts';
const BOMB = framed(1, gzipSync(Buffer.alloc(100 * 2 ** 20, ' ')));
const LIST = framed(0, Buffer.from('{"pageSize":10}'));

/** gRPC calls: the message, the expected `grpc-status`, and further headers. */
const GRPC = [
  [LIST, '0', {}],
  [LIST, '0', { 'grpc-timeout': '99999999H' }],
  [BOMB, '8', { 'grpc-encoding': 'gzip' }],
  [framed(0, Buffer.alloc(7 * 2 ** 20)), '8', {}],
  [framed(1, Buffer.from('not gzip')), '3', { 'grpc-encoding': 'gzip' }],
];

/** Makes twenty gRPC calls on one connection. @returns what is wrong with the answers */
export const callGrpc = async (url, draw) => {
  // With the default limit of 10 MB, Node's client itself resets calls that have messages of 7 MiB.
  const session = connectHttp2(url, { maxSessionMemory: 1_000 }).on('error', () => {});
  const wrong = [];
  for (let call = 0; call < 20; call += 1) {
    const [message, right, more] = GRPC[draw(GRPC.length)];
    const found = await callOnce(session, message, more);
    if (found !== right) wrong.push(`gRPC of ${message.length} bytes ${JSON.stringify(more)}: ${found}`);
  }
  session.close();
  return wrong;
};

const callOnce = (session, message, more) =>
  new Promise((resolve) => {
    const stream = session.request({
      ':method': 'POST',
      ':path': PATH,
      'content-type': 'application/grpc+json',
      te: 'trailers',
      authorization: 'Bearer dev-token',
      ...more,
    });
    let status = 'no answer';
    const read = (headers) => {
      status = headers['grpc-status'] ?? status;
    };
    stream
      .on('response', read)
      .on('trailers', read)
      .on('error', () => {})
      .resume();
    stream.once('close', () => resolve(status));
    stream.end(message);
  });
