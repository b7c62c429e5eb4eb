/**
 * The load generator, a process of its own. It keeps plain sockets open, with one request at a time on each. It prepares
 * requests as bytes and reads little more of a reply than its length, so that one core of load keeps one core of the
 * server busy. A client library would be slower than the server. Its parent sends `{ port, work, connections, seconds }`,
 * and gets `{ requests, seconds, wrong }`.
 */
import { connect } from 'node:net';
import { WORK } from './work.mjs';

process.on('message', async ({ port, work, connections, seconds }) => {
  const tally = { requests: 0, wrong: undefined };
  const startedAt = performance.now();
  const until = startedAt + seconds * 1_000;
  await Promise.all(
    Array.from({ length: connections }, (_, nth) =>
      keepAsking(port, WORK[work].begin(port, nth), [WORK[work].status].flat(), until, tally),
    ),
  );
  process.send({ ...tally, seconds: (performance.now() - startedAt) / 1_000 });
});

/** Sends one request after another over a connection until the time is over. @param next gets the reply before */
const keepAsking = (port, next, statuses, until, tally) =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let received;
    const ask = (reply) => {
      if (performance.now() < until) return socket.write(next(reply));
      socket.destroy();
      resolve();
    };
    socket.once('connect', () => ask());
    socket.once('error', reject);
    socket.on('data', (chunk) => {
      received = received ? Buffer.concat([received, chunk]) : chunk;
      const found = statusOf(received);
      if (found === undefined) return;
      tally.requests += 1;
      if (!statuses.includes(found)) tally.wrong ??= received.toString('utf8');
      const reply = received;
      received = undefined;
      ask(reply);
    });
  });

/** The status of a complete reply. */
const statusOf = (bytes) => {
  const head = bytes.latin1Slice(0, Math.min(bytes.length, 2_048));
  const end = head.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [, length] = /\r\ncontent-length: *(\d+)/i.exec(head) ?? [];
  const isWhole =
    length === undefined
      ? bytes.latin1Slice(bytes.length - 5) === '0\r\n\r\n'
      : bytes.length >= end + 4 + Number(length);
  return isWhole ? Number(head.slice(9, 12)) : undefined;
};
