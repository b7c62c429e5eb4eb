/**
 * Sends a built server more than clients ever should: thousands of idle connections, slow senders, gigantic bodies and
 * headers. Meanwhile the server must serve other clients, and its memory must stay bounded.
 *
 *   node test/fuzz/flood.mjs [--connections 10000]
 *
 * Opens fewer connections if the limit of open files is too low. The last line of output says how many.
 * Needs `npm run build`, and Linux.
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { parseArgs } from 'node:util';
import { startServerProcess } from '../support/server-process.mjs';

const SLOW = 500;
const GIGANTIC = 100;
/** The resident memory that the server may use at most, in MiB. */
const MOST_MEMORY = 700;

const { values } = parseArgs({ options: { connections: { type: 'string', default: '10000' } } });
// Both ends of a connection count as open files, each in its own process.
const limit =
  Number(execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' })) || Number.POSITIVE_INFINITY;
const wanted = Math.min(Number(values.connections), limit - 200);

const server = await startServerProcess();
const failures = [];

const requireServed = async (during) => {
  const response = await fetch(`${server.url}/api/v1/connected_accounts`, {
    headers: { authorization: 'Bearer dev-token' },
  });
  await response.text();
  if (response.status !== 200) failures.push(`${response.status} during ${during}`);
};

const open = async () => {
  const socket = connect(server.port, '127.0.0.1');
  socket.on('error', () => {}); // the server may hang up
  await once(socket, 'connect');
  return socket;
};

/** Opens a few hundred connections at a time, since the queue of a listening socket is short. */
const openMany = async (count, greeting = '') => {
  const sockets = [];
  while (sockets.length < count) {
    const batch = Array.from({ length: Math.min(250, count - sockets.length) }, open);
    for (const socket of await Promise.all(batch)) {
      if (greeting) socket.write(greeting);
      sockets.push(socket);
    }
  }
  return sockets;
};

/** Resolves when a socket is closed. `once` of node:events would reject at an error. */
const closing = (socket) =>
  new Promise((resolve) => {
    if (socket.closed) resolve();
    else socket.once('close', resolve);
  });

const closeAll = (sockets) => {
  for (const socket of sockets) socket.destroy();
  return Promise.all(sockets.map(closing));
};

/** Sends a text, and waits until the server hangs up. Returns the status of the answer. */
const answer = async (text) => {
  const socket = await open();
  socket.write(text);
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
  });
  await closing(socket);
  return /^HTTP\/1\.1 (\d+)/.exec(received)?.[1] ?? 'none';
};

const AUTHORIZED =
  'Host: a\r\nAuthorization: Bearer dev-token\r\nContent-Type: application/json\r\nConnection: close\r\n';
const post = (body) =>
  `POST /api/v1/connected_accounts HTTP/1.1\r\n${AUTHORIZED}Content-Length: ${body.length}\r\n\r\n${body}`;
const KINDS = {
  'bodies of 8 MiB': [post('a'.repeat(8 * 2 ** 20)), ['413']],
  'bodies of 8 MiB in chunks': [
    `POST /api/v1/connected_accounts HTTP/1.1\r\n${AUTHORIZED}Transfer-Encoding: chunked\r\n\r\n${'10000\r\n'}${'a'.repeat(65_536)}\r\n`.concat(
      `10000\r\n${'a'.repeat(65_536)}\r\n`.repeat(127),
      '0\r\n\r\n',
    ),
    ['413'],
  ],
  'headers of 50,000 lines': [
    `GET /keys HTTP/1.1\r\n${Array.from({ length: 50_000 }, (_, at) => `X-${at}: 1\r\n`).join('')}\r\n`,
    ['431', 'none'],
  ],
  'JSON of 100,000 levels': [post('{"a":'.repeat(100_000)), ['400']],
  'lengths of 1 TiB, hung up': [
    `POST /api/v1/connected_accounts HTTP/1.1\r\n${AUTHORIZED}Content-Length: ${2 ** 40}\r\n\r\n`,
    undefined,
  ],
};

const idle = await openMany(wanted);
await requireServed(`${wanted} idle connections`);
const withIdle = server.memory().resident;
await closeAll(idle);

const slow = [
  ...(await openMany(SLOW, 'GET /keys HTTP/1.1\r\nHost: a\r\nX-')),
  ...(await openMany(
    SLOW,
    `POST /api/v1/connected_accounts HTTP/1.1\r\n${AUTHORIZED}Content-Length: 9\r\n\r\n{`,
  )),
];
for (const socket of slow) socket.write('s');
await requireServed(`${slow.length} slow senders`);

for (const [what, [text, right]] of Object.entries(KINDS)) {
  if (!right) {
    await closeAll(await openMany(GIGANTIC, text));
  } else {
    for (let sent = 0; sent < GIGANTIC; sent += 10) {
      const statuses = await Promise.all(Array.from({ length: 10 }, () => answer(text)));
      for (const status of statuses) if (!right.includes(status)) failures.push(`${status} to ${what}`);
    }
  }
  await requireServed(what);
}
await closeAll(slow);
await requireServed('the end');

/** Opens more connections than a server can have, which must say so once, and go on when they are closed. */
const crowd = async () => {
  const small = await startServerProcess({ openFiles: 64 });
  const sockets = Array.from({ length: 200 }, () => connect(small.port, '127.0.0.1').on('error', () => {}));
  await Promise.any(sockets.map(closing));
  await closeAll(sockets);
  const response = await fetch(`${small.url}/keys`);
  if (response.status !== 200) failures.push(`${response.status} after too many connections`);
  const { code } = await small.stop();
  const told = small.complaints.map(({ message }) => String(message));
  if (code !== 0 || told.length !== 1 || !told[0].includes('open files'))
    failures.push(`a server with too many connections ended with ${code} and logged ${told}`);
};
await crowd();

const { highest } = server.memory();
if (highest > MOST_MEMORY) failures.push(`${highest} MiB of memory`);
if (!server.isAlive()) failures.push('the server died');
const { code } = await server.stop();
if (code !== 0) failures.push(`the server ended with ${code}`);
for (const failure of [...new Set(failures)]) console.log('Failed:', failure);
for (const complaint of server.complaints.slice(0, 10))
  console.log('The server logged', JSON.stringify(complaint));
console.log(
  `flood: ${wanted} idle connections (${withIdle} MiB), ${slow.length} slow senders, ${GIGANTIC} each of ${Object.keys(KINDS).join(', ')}; ` +
    `${failures.length} failures, ${server.complaints.length} complaints, at most ${highest} MiB`,
);
process.exitCode = failures.length + server.complaints.length === 0 ? 0 : 1;
