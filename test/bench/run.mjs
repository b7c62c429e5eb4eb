/**
 * `npm run bench`: measures start, calls and the first calls of a test worker of the built package on this machine, beside
 * servers that people write by hand, and prints each figure with its target.
 *
 *   npm run bench                       everything
 *   npm run bench -- --quick            short rounds, to see that it works; the figures mean little
 *   npm run bench -- --only start       one of start, calls, worker
 */
import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import {
  askLoad,
  cpuSeconds,
  describeMachine,
  getJson,
  requireMachine,
  startLoad,
  startServer,
  stop,
} from './machine.mjs';
import { DIST, prepareServers } from './servers.mjs';
import { LIST } from './work.mjs';

const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, only: { type: 'string' } },
});
const { rounds, seconds, starts } = values.quick
  ? { rounds: 1, seconds: 0.5, starts: 2 }
  : { rounds: 5, seconds: 1.5, starts: 9 };
const CONNECTIONS = 10;

/** Each work of ours, the peer and its work to compare with, and how much less CPU time than the peer's it must take. */
const WORKS = [
  ['list', 'Express', 'list', 2.5],
  ['list, first time', 'Express + EOV', 'list', 0.97],
  ['auth', 'Express', 'auth', 0.9],
  ['create', 'Express + EOV', 'create', 0.95],
];

const median = (all) => all.toSorted((left, right) => left - right)[all.length >> 1];
const round = (value, digits = 0) => value.toLocaleString('en-US', { maximumFractionDigits: digits });
/** The median, and half the distance between the extremes, in percent of it. */
const spread = (all, digits) =>
  `${round(median(all), digits)} ±${round((50 * (Math.max(...all) - Math.min(...all))) / median(all))}%`;
const table = (head, rows) => {
  const lines = [head, head.map((_, nth) => (nth === 0 ? '---' : '---:')), ...rows];
  console.log(`\n${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}`);
};

/** From the start of each process to its first 200, in interleaved rounds. */
const measureStart = async ({ starting }) => {
  const found = Object.fromEntries(Object.keys(starting).map((name) => [name, []]));
  for (let nth = 0; nth <= starts; nth += 1)
    for (const [name, command] of Object.entries(starting)) {
      const { child, milliseconds } = await startServer(command);
      await stop(child);
      if (nth > 0) found[name].push(milliseconds); // the first start reads the files from disk
    }
  const ratio = median(found['ca-mock']) / median(found['Express + EOV']);
  table(
    ['server', 'spawn to first 200, ms', 'target'],
    Object.entries(found).map(([name, all]) => [
      name,
      spread(all),
      name === 'ca-mock' ? `${round(ratio, 2)} of Express + EOV, at most 0.36` : '',
    ]),
  );
};

/** All servers start before the measurements. While one is measured, the others are idle. */
const measureCalls = async ({ serving, list }) => {
  const load = startLoad();
  const servers = {};
  try {
    for (const [name, command] of Object.entries(serving)) {
      servers[name] = await startServer(command);
      await requireSameList(servers[name].port, list);
    }
    const rows = [];
    for (const [work, peer, peersWork, target] of WORKS) {
      const [own, other] = await measureBoth(load, [servers['ca-mock'], work], [servers[peer], peersWork]);
      const ratio = `${round(median(other) / median(own), 2)}x ${peer}, at least ${target}x`;
      rows.push([work, spread(own, 1), spread(other, 1), ratio]);
    }
    const alone = { 'verify flow': 'no worse than the version before', reset: 'less than 1,000' };
    for (const [work, target] of Object.entries(alone)) {
      const [own] = await measureBoth(load, [servers['ca-mock'], work]);
      rows.push([work, spread(own, 1), '', target]);
    }
    table([`CPU µs per call, ${CONNECTIONS} connections`, 'ca-mock', 'peer', 'target'], rows);
  } finally {
    await Promise.all([load, ...Object.values(servers).map(({ child }) => child)].map(stop));
  }
};

/** Every server must list the same rows. `updated_at` differs at each start. */
const requireSameList = async (port, { connected_accounts: wanted }) => {
  const { connected_accounts: rows } = await getJson(port, LIST);
  const signature = ({ updated_at: _, ...row }) => JSON.stringify(Object.entries(row).sort());
  for (const [nth, row] of rows.entries())
    if (signature(row) !== signature(wanted[nth]))
      throw new Error(`row ${nth} differs: ${JSON.stringify(row)}`);
};

/** The CPU microseconds of each round, in rounds of which the first one warms up. */
const measureBoth = async (load, ...all) => {
  const found = all.map(() => []);
  for (let nth = 0; nth <= rounds; nth += 1)
    for (const [index, [{ child, port }, work]] of all.entries()) {
      const before = cpuSeconds(child.pid);
      const { requests, wrong } = await askLoad(load, { port, work, connections: CONNECTIONS, seconds });
      if (wrong !== undefined) throw new Error(`A wrong reply to ${work}: ${wrong}`);
      if (nth > 0) found[index].push(((cpuSeconds(child.pid) - before) / requests) * 1e6);
    }
  return found;
};

/** The first environment, token, read, write, fault and journal read after a runner's setup. */
const measureWorker = () => {
  const script = new URL('./first-round.mjs', import.meta.url).pathname;
  const found = Array.from({ length: starts }, () =>
    JSON.parse(execFileSync(process.execPath, [script, DIST, 'setup'], { encoding: 'utf8' })),
  );
  table(
    ['round of calls of a test worker', 'CPU ms', 'target'],
    Object.entries({ first: 'at most 40', second: '' }).map(([name, target]) => [
      name,
      spread(
        found.map((one) => one[name]),
        1,
      ),
      target,
    ]),
  );
};

requireMachine();
const servers = await prepareServers();
console.log(describeMachine());
const SECTIONS = { start: measureStart, calls: measureCalls, worker: measureWorker };
for (const name of values.only?.split(',') ?? Object.keys(SECTIONS)) await SECTIONS[name](servers);
