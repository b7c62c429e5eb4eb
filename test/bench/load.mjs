/**
 * The load generator, a process of its own. It keeps plain sockets open, with one request at a time on each. It prepares
 * requests as bytes and reads little more of a reply than its length, so that one core of load keeps one core of the
 * server busy. A client library would be slower than the server.
 *
 * Its parent sends the message `{ port, work, connections, seconds }`, and gets the message
 * `{ requests, seconds, median, p99, wrong }` with latencies in microseconds.
 */
import { connect } from 'node:net';
import { WORK } from './work.mjs';

process.on('message', async (job) => process.send(await run(job)));

const run = async (job) => {
  const { port, work, connections, seconds } = job;
  const tally = { requests: 0, wrong: 0, sample: undefined, micros: [] };
  const startedAt = performance.now();
  const until = startedAt + seconds * 1_000;
  await Promise.all(
    Array.from({ length: connections }, (_, nth) => keepAsking(port, WORK[work](port, nth), until, tally)),
  );
  const micros = tally.micros.sort((a, b) => a - b);
  return {
    requests: tally.requests,
    seconds: (performance.now() - startedAt) / 1_000,
    median: micros[micros.length >> 1],
    p99: micros[Math.floor(micros.length * 0.99)],
    wrong: tally.wrong,
    sample: tally.sample,
  };
};

/** Sends one request after another over a connection until the time is over. */
const keepAsking = (port, { next, status, readsBody }, until, tally) =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let received;
    let askedAt;
    const ask = (reply) => {
      askedAt = performance.now();
      if (askedAt >= until) {
        socket.destroy();
        resolve();
      } else socket.write(next(reply));
    };
    socket.once('connect', () => ask());
    socket.once('error', reject);
    socket.on('data', (chunk) => {
      received = received ? Buffer.concat([received, chunk]) : chunk;
      const reply = readReply(received, readsBody);
      if (!reply) return;
      received = undefined;
      count(reply, status, tally, performance.now() - askedAt);
      ask(reply);
    });
  });

const SAMPLES = 200_000;

const count = (reply, expected, tally, milliseconds) => {
  tally.requests += 1;
  if (tally.micros.length < SAMPLES) tally.micros.push(milliseconds * 1_000);
  if (expected.includes(reply.status)) return;
  tally.wrong += 1;
  tally.sample ??= reply.text ?? String(reply.status);
};

/** Returns the status of a complete reply, and its text if the work reads it. */
const readReply = (bytes, readsBody) => {
  const head = bytes.latin1Slice(0, Math.min(bytes.length, 2_048));
  const end = head.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const status = Number(head.slice(9, 12));
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  const isWhole =
    length === undefined
      ? status === 304 || status === 204 || bytes.latin1Slice(bytes.length - 5) === '0\r\n\r\n'
      : bytes.length >= end + 4 + Number(length);
  if (!isWhole) return undefined;
  return readsBody ? { status, text: bytes.toString('utf8') } : { status };
};
