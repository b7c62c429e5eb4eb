/**
 * Runs a mixed load on the built server for a chosen time: reads and writes in several environments, resets, clock
 * moves, snapshots, environments that are created and deleted, and clients that leave in the middle of a call. The
 * server's memory and descriptors must stay flat, and no call may fail. All environments that exist at the end must
 * exist after a restart.
 *
 *   node test/soak/soak.mjs [--minutes 30] [--seed 1]
 *
 * Memory is measured after each of twelve equal parts. The lowest value of the last three parts may be at most a fifth
 * and `SLACK` above the highest value of parts 3 to 5, when all caches are full. Needs `npm run build`, and Linux.
 */
import { once } from 'node:events';
import { mkdtempSync, readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startServerProcess } from '../support/server-process.mjs';
import { CALLS, MOVES, seeded } from './calls.mjs';

const PARTS = 12;
const LANES = 8;
/** MiB that memory may grow in addition to the fifth, since in a short run the garbage collector frees less. */
const SLACK = 100;

const main = async () => {
  const options = { minutes: { type: 'string', default: '30' }, seed: { type: 'string', default: '1' } };
  const { values } = parseArgs({ options });
  const args = ['--save', join(mkdtempSync(join(tmpdir(), 'soak-')), 'state.json')];
  const server = await startServerProcess({ args });
  const end = Date.now() + Number(values.minutes) * 60_000;
  const run = { server, end, seed: Number(values.seed), calls: 0, brokenOff: 0, wrong: [] };
  const memory = [];
  const descriptors = [];
  const measure = () => {
    memory.push(server.memory().resident);
    descriptors.push(readdirSync(`/proc/${server.pid}/fd`).length);
  };
  const watch = setInterval(measure, (end - Date.now()) / PARTS);
  await Promise.all([
    ...Array.from({ length: LANES }, (_, number) => runLane(run, number)),
    leave(run, seeded(run.seed * 1_000 + LANES)),
  ]);
  clearInterval(watch);
  measure();
  const { highest } = server.memory();
  const saved = await listEnvironments(server.url);
  const { code } = await server.stop();
  const again = await startServerProcess({ args });
  const found = await listEnvironments(again.url);
  await again.stop();
  if (found !== saved) run.wrong.push(`saved:\n${saved}\nfound after a restart:\n${found}`);
  const complaints = [...server.complaints, ...again.complaints];
  const isFlat = Math.min(...memory.slice(-3)) <= Math.max(...memory.slice(2, 5)) * 1.2 + SLACK;
  // A lane holds a few connections; a leak would be hundreds.
  const areFlat = descriptors.at(-1) <= Math.max(...descriptors.slice(2, 5)) + 4 * LANES;
  for (const one of run.wrong.slice(0, 10)) console.log('Wrong answer:', one);
  for (const complaint of complaints.slice(0, 10))
    console.log('The server logged', JSON.stringify(complaint));
  console.log(
    `soak: ${run.calls} calls and ${run.brokenOff} broken off in ${values.minutes} min, ${run.wrong.length} wrong answers, ${complaints.length} complaints; ` +
      `resident MiB by parts ${memory.join(' ')}, highest ${highest}; ${isFlat ? 'flat' : 'NOT FLAT'}; descriptors ${descriptors.join(' ')} ${areFlat ? 'flat' : 'NOT FLAT'}, ended with ${code}`,
  );
  process.exitCode = isFlat && areFlat && code === 0 && run.wrong.length + complaints.length === 0 ? 0 : 1;
};

/** Makes one call, and counts an unexpected answer as wrong. */
const send = async (run, method, path, { body, token, right }) => {
  const { status, text } = await ask(run.server.url + path, {
    method,
    headers: {
      connection: 'close', // the server may close a kept connection while a call is on its way
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  run.calls += 1;
  if (!right.includes(status)) run.wrong.push(`${method} ${path}: ${status} ${text.slice(0, 300)}`);
  return text;
};

/** @returns status 0 for a call that got no answer */
const ask = async (url, init) => {
  try {
    const response = await fetch(url, init);
    return { status: response.status, text: await response.text() };
  } catch (error) {
    return { status: 0, text: String(error.cause ?? error) };
  }
};

/** Creates an environment, calls it at random and deletes it, again and again until the end of the run. */
const runLane = async (run, number) => {
  const draw = seeded(run.seed * 1_000 + number);
  while (Date.now() < run.end) {
    const made = await send(run, 'POST', '/_mock/environments', { body: {}, right: [201] });
    const { name, access_token: token } = JSON.parse(made);
    for (let round = 0; round < 400 && Date.now() < run.end; round += 1) {
      const [method, path, body, right] = CALLS[draw(CALLS.length)](draw);
      await send(run, method, path, { body, token, right });
      if (draw(40) > 0) continue;
      const [move, what, given] = MOVES[draw(MOVES.length)];
      await send(run, move, `/_mock/environments/${name}/${what}`, { body: given, right: [200, 201, 409] });
    }
    if (Date.now() < run.end) await send(run, 'DELETE', `/_mock/environments/${name}`, { right: [200] });
  }
};

const AUTHORIZED = 'Host: 127.0.0.1\r\nAuthorization: Bearer dev-token\r\n';
/** What a client sends before it leaves: complete requests, and the beginning of one. */
const BEGUN = [
  `GET /api/v1/connected_accounts?page_size=100 HTTP/1.1\r\n${AUTHORIZED}\r\n`,
  'GET /_mock/live?environments=development HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
  'GET /_mock/environments/development/requests?wait=4m&status=599 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
  `POST /api/v1/connected_accounts HTTP/1.1\r\n${AUTHORIZED}Content-Type: application/json\r\nContent-Length: 500000\r\n\r\n{`,
];

/** Sends a random item of `BEGUN`, and closes the connection up to 50 milliseconds later, until the end of the run. */
const leave = async (run, draw) => {
  while (Date.now() < run.end) {
    const socket = connect(run.server.port, '127.0.0.1');
    socket.on('error', () => {}); // the server may hang up first
    socket.resume().write(BEGUN[draw(BEGUN.length)]);
    await pause(draw(50));
    socket.resetAndDestroy();
    if (!socket.closed) await once(socket, 'close');
    run.brokenOff += 1;
  }
};

/** A line for each environment, sorted by name: the name, and its accounts. */
const listEnvironments = async (url) => {
  const read = async (path) => (await fetch(url + path, { headers: { connection: 'close' } })).json();
  const { environments } = await read('/_mock/environments');
  const lines = environments.map(async ({ name }) => {
    const { connected_accounts = [] } = await read(`/_mock/environments/${name}/state`);
    return `${name} ${JSON.stringify(connected_accounts.map(({ id, api_config }) => [id, api_config]))}`;
  });
  return (await Promise.all(lines)).sort().join('\n');
};

await main();
