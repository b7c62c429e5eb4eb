/** Measures requests per second, CPU time per request and peak memory of every server, in interleaved rounds. */
import {
  askLoad,
  cpuSeconds,
  freePort,
  peakMemory,
  SERVER_CORE,
  startLoad,
  startPinned,
  stop,
  untilFirst200,
} from '../machine.mjs';
import { getJson } from '../prepare.mjs';
import { median, round, table, withSpread } from '../stats.mjs';
import { LIST, TOKEN } from '../work.mjs';

const CONNECTIONS = 10;

export const measureThroughput = async ({ peers, files, list, options }) => {
  const servers = [];
  const load = startLoad();
  try {
    for (const peer of peers) servers.push(await start(peer, files));
    for (const { port } of servers) await requireSameBody(port, list);
    const results = [];
    for (const work of peers[0].works) results.push(await measureWork(servers, load, work, options));
    const memory = servers.map(({ name, child }) => ({ name, peak: peakMemory(child.pid) }));
    return present({ results, memory });
  } finally {
    await Promise.all([...servers.map(({ child }) => stop(child)), stop(load)]);
  }
};

/** All servers start before the measurements. While one is measured, the others are idle. */
const start = async (peer, files) => {
  const port = await freePort();
  const child = startPinned(SERVER_CORE, peer.command(String(port), files));
  await untilFirst200(child, port, LIST, TOKEN);
  return { ...peer, port, child };
};

/** Every server must list the same rows. */
const requireSameBody = async (port, list) => {
  const rows = (await getJson(port, LIST)).connected_accounts;
  for (const [nth, row] of rows.entries())
    if (signature(row) !== signature(list.connected_accounts[nth]))
      throw new Error(`row ${nth} differs: ${JSON.stringify(row)}`);
};

/** A text to compare rows by. Ignores the order of members, and updated_at, which differs at each start. */
const signature = ({ updated_at: _, ...row }) => JSON.stringify(Object.entries(row).sort());

const measureWork = async (servers, load, work, { rounds, seconds, warmUp }) => {
  const able = servers.filter(({ works }) => works.includes(work));
  const rows = new Map(able.map(({ name }) => [name, { rates: [], cpus: [], medians: [], p99s: [] }]));
  for (const server of able) await ask(load, server, work, warmUp);
  for (let nth = 0; nth < rounds; nth += 1) {
    for (const server of able) {
      const before = cpuSeconds(server.child.pid);
      const result = await ask(load, server, work, seconds);
      const cpu = (cpuSeconds(server.child.pid) - before) / result.requests;
      if (result.wrong > 0)
        throw new Error(`${server.name}, ${work}: ${result.wrong} wrong replies, e.g. ${result.sample}`);
      const row = rows.get(server.name);
      row.rates.push(result.requests / result.seconds);
      row.cpus.push(cpu * 1e6);
      row.medians.push(result.median);
      row.p99s.push(result.p99);
    }
  }
  return { work, rows };
};

const ask = (load, { port }, work, seconds) =>
  askLoad(load, { port, work, connections: CONNECTIONS, seconds });

/** The tables, with ratios of medians to the first row, which is our server. */
const present = ({ results, memory }) => {
  const parts = results.map(({ work, rows }) => {
    const own = median(rows.get('ca-mock')?.rates ?? [Number.NaN]);
    return `### ${work}, ${CONNECTIONS} connections\n\n${table(
      ['server', 'requests/s', 'CPU µs/request', 'latency µs, median', 'p99', 'ca-mock is'],
      [...rows].map(([name, { rates, cpus, medians, p99s }]) => [
        name,
        withSpread(rates),
        round(median(cpus), 1),
        round(median(medians)),
        round(median(p99s)),
        name === 'ca-mock' || Number.isNaN(own) ? '' : `${round(own / median(rates), 2)}x`,
      ]),
    )}`;
  });
  const peaks = table(
    ['server', 'peak memory after all of this, MiB'],
    memory.map(({ name, peak }) => [name, round(peak)]),
  );
  return [...parts, peaks].join('\n\n');
};
