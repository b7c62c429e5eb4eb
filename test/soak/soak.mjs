/**
 * Runs a mixed load on the built server for a chosen time: reads and writes in several environments, bodies of the
 * greatest size, resets, clock moves, snapshots, and environments that are created and deleted. At the same time, other
 * clients break off their calls, over HTTP/1.1 and HTTP/2, and hostile ones send what once made others wait. The server's
 * memory and descriptors must stay flat, and no call may fail.
 * All environments that exist at the end must exist after a restart. With `--save FOLDER`, they are saved there; if that
 * folder is on a small disk of its own, the disk is filled and emptied during the run.
 *
 *   mount -t tmpfs -o size=64m tmpfs FOLDER
 *   node test/soak/soak.mjs [--minutes 30] [--seed 1] [--save FOLDER]
 *
 * Memory is measured after each of twelve equal parts. The lowest value of the last three parts may be at most a fifth
 * and `SLACK` above the highest value of parts 3 to 5, when all caches are full. Needs `npm run build`, and Linux.
 */
import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startServerProcess } from '../support/server-process.mjs';
import { breakOff, breakOffHttp2 } from './breaking-off.mjs';
import { CALLS, CHANGE, LARGE, LARGE_ENVIRONMENT, MOVES, seeded } from './calls.mjs';
import { fillAndEmpty, findLost, isSmallDisk, listSaved } from './disk.mjs';
import { callGrpc, follow, neverRead, outlast, sendProducts, sendRaw, sendSlowly } from './hostile.mjs';
import { describeWaits, probe } from './latency.mjs';

const PARTS = 12;
const LANES = 8;
/** MiB that memory may grow in addition to the fifth, since in a short run the garbage collector frees less. */
const SLACK = 100;

const main = async () => {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '30' },
      seed: { type: 'string', default: '1' },
      save: { type: 'string' },
    },
  });
  // With gRPC descriptors, the port also serves HTTP/2.
  const args = ['accounts.binpb', 'names.yaml'].flatMap((file) => [
    '--grpc-descriptors',
    `test/grpc/${file}`,
  ]);
  const folder = values.save ?? mkdtempSync(join(tmpdir(), 'soak-'));
  args.push('--save', join(folder, 'state.json'));
  const server = await startServerProcess({ args });
  const run = { server, seed: Number(values.seed), calls: 0, brokenOff: 0, wrong: [] };
  const large = await makeEnvironment(run, LARGE_ENVIRONMENT);
  const end = Date.now() + Number(values.minutes) * 60_000;
  run.end = end;
  const fills = values.save !== undefined && isSmallDisk(folder);
  const opened = readdirSync(`/proc/${server.pid}/fd`).length;
  const memory = [];
  const descriptors = [];
  const measure = () => {
    memory.push(server.memory().resident);
    descriptors.push(readdirSync(`/proc/${server.pid}/fd`).length);
  };
  const watch = setInterval(measure, (end - Date.now()) / PARTS);
  const [waits, timesFull, ...wrong] = await Promise.all([
    probe(server, end),
    fills ? fillAndEmpty(folder, end) : 0,
    outlast(server.url, end),
    follow(server.url, end),
    changeLarge(run, large),
    ...Array.from({ length: LANES }, (_, number) => runLane(run, number)),
    ...Array.from({ length: LANES / 4 }, (_, number) => abuse(run, LANES + number)),
    attack(run),
  ]);
  clearInterval(watch);
  run.wrong.push(...wrong.flat().filter((one) => one !== undefined));
  // Connections of clients that left without a word end within two minutes; a short run does not wait for that.
  const isLong = Number(values.minutes) >= 10;
  if (isLong) await pause(150_000);
  measure();
  const { highest } = server.memory();
  const isAlive = server.isAlive();
  const saved = await listSaved(server.url);
  const { code } = await server.stop();
  run.wrong.push(...(await findLost(args, saved)));
  // If the disk is filled, complaints about failed saves are expected.
  const complaints = server.complaints.filter(({ event }) => !(fills && event === 'not_saved'));
  const isFlat = Math.min(...memory.slice(-3)) <= Math.max(...memory.slice(2, 5)) * 1.2 + SLACK;
  // A lane holds a few connections; a leak would be hundreds.
  const areFlat = descriptors.at(-1) <= (isLong ? opened : Math.max(...descriptors.slice(2, 5))) + 4 * LANES;
  for (const one of run.wrong.slice(0, 10)) console.log('Wrong answer:', one);
  for (const complaint of complaints.slice(0, 10))
    console.log('The server logged', JSON.stringify(complaint));
  console.log(`saved, and compared after a restart:\n${saved}`);
  console.log(describeWaits(waits));
  console.log(
    `soak: ${run.calls} calls and ${run.brokenOff} broken off in ${values.minutes} min, disk full ${timesFull} times, ${run.wrong.length} wrong answers, ${complaints.length} complaints; ` +
      `resident MiB by parts ${memory.join(' ')}, highest ${highest}; ${isFlat ? 'flat' : 'NOT FLAT'}; descriptors ${descriptors.join(' ')} ${areFlat ? 'flat' : 'NOT FLAT'}, ended with ${code}`,
  );
  process.exitCode =
    isFlat && areFlat && isAlive && code === 0 && run.wrong.length + complaints.length === 0 ? 0 : 1;
};

/** Makes one call, and counts an unexpected answer as wrong. */
const send = async (run, method, path, { body, token, right }) => {
  const kind = path === '/oauth/token' ? 'application/x-www-form-urlencoded' : 'application/json';
  const { status, text } = await ask(run.server.url + path, {
    method,
    headers: {
      connection: 'close', // the server may close a kept connection while a call is on its way
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': kind }),
    },
    ...(body && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  run.calls += 1;
  if (!right.includes(status)) run.wrong.push(`${method} ${path}: ${status} ${text.slice(0, 300)}`);
  return text;
};

/** @returns status 0 for a call that got no answer */
const ask = async (url, init) => {
  const startedAt = performance.now();
  try {
    const response = await fetch(url, init);
    return { status: response.status, text: await response.text() };
  } catch (error) {
    const ms = Math.round(performance.now() - startedAt);
    return { status: 0, text: `${error.cause ?? error} after ${ms} ms at ${new Date().toISOString()}` };
  }
};

const makeEnvironment = async (run, body = {}) =>
  JSON.parse(await send(run, 'POST', '/_mock/environments', { body, right: [201] }));

/** Changes the large environment twice a second, so that the server must save it again and again. */
const changeLarge = async (run, { access_token: token }) => {
  for (let at = 0; Date.now() < run.end; at += 1) {
    const [method, path, body, right] = CHANGE(at);
    await send(run, method, path, { body, token, right });
    await pause(500);
  }
};

/** Creates an environment, calls it at random and deletes it, again and again until the end of the run. */
const runLane = async (run, number) => {
  const draw = seeded(run.seed * 1_000 + number);
  while (Date.now() < run.end) {
    const { name, access_token: token } = await makeEnvironment(run);
    for (let round = 0; round < 400 && Date.now() < run.end; round += 1) {
      const [method, path, body, right] =
        draw(100) > 0 ? CALLS[draw(CALLS.length)](draw) : LARGE[draw(LARGE.length)];
      await send(run, method, path, { body, token, right });
      if (draw(40) > 0) continue;
      const [move, what, given] = MOVES[draw(MOVES.length)];
      await send(run, move, `/_mock/environments/${name}/${what}`, { body: given, right: [200, 201, 409] });
    }
    if (Date.now() < run.end) await send(run, 'DELETE', `/_mock/environments/${name}`, { right: [200] });
  }
};

/** Runs clients that break off. Waits for an answer of the server between them, since this does not test a flood. */
const abuse = async (run, number) => {
  const draw = seeded(run.seed * 1_000 + number);
  const { server } = run;
  while (Date.now() < run.end) {
    await breakOff(server.port, draw);
    await breakOffHttp2(server.url, draw);
    await send(run, 'GET', '/keys', { right: [200] });
    run.brokenOff += 2;
    // Otherwise the journal would grow for minutes, up to a thousand bodies of 64 KiB, which is not a leak.
    if (run.brokenOff % 100 === 0)
      await send(run, 'DELETE', '/_mock/environments/development/requests', { right: [200] });
  }
};

/** Sends what `hostile.mjs` has, again and again, in an environment of its own. */
const attack = async (run) => {
  const draw = seeded(run.seed * 1_000 + 99);
  const { url, port } = run.server;
  const { name, access_token: token } = await makeEnvironment(run);
  while (Date.now() < run.end) {
    await sendProducts((method, path, options) => send(run, method, path, options), { name, token });
    run.wrong.push(...(await sendRaw(port, draw)), ...(await callGrpc(url, draw)));
    await Promise.all([neverRead(port), sendSlowly(port).then((wrong) => run.wrong.push(...wrong))]);
  }
};

await main();
