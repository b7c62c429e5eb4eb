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
import { TOKEN } from '../work.mjs';

export const measureThroughput = async ({ peers, files, list, options, log }) => {
  const servers = await startAll(peers, files, list, log);
  const load = startLoad();
  try {
    const results = [];
    for (const [work, connections] of options.loads)
      results.push(await measureWork(servers, load, { work, connections, ...options }, log));
    const memory = servers.map(({ name, child }) => ({ name, peak: peakMemory(child.pid) }));
    return { results, memory };
  } finally {
    await Promise.all([...servers.map(({ child }) => stop(child)), stop(load)]);
  }
};

/** Starts all servers before the measurements. While one is measured, the others are idle. */
const startAll = async (peers, files, list, log) => {
  const servers = [];
  for (const peer of peers) {
    const port = await freePort();
    const child = startPinned(SERVER_CORE, peer.command(String(port), files, peer.folder));
    try {
      await untilFirst200(child, port, peer.path, TOKEN);
      await peer.fill?.(port);
      await requireSameBody(peer, port, list);
      servers.push({ ...peer, port, child });
    } catch (error) {
      await stop(child);
      log(`${peer.name} left out: ${error.message}`);
    }
  }
  return servers;
};

/** Every server must list ten rows. Servers of our contract must list the same ten. */
const requireSameBody = async (peer, port, list) => {
  const body = await getJson(port, peer.path);
  const rows = body.connected_accounts ?? body.data;
  if (rows?.length !== 10) throw new Error(`its list has ${rows?.length} rows`);
  if (!body.connected_accounts) return;
  for (const [nth, row] of rows.entries())
    if (signature(row) !== signature(list.connected_accounts[nth]))
      throw new Error(`row ${nth} differs: ${JSON.stringify(row)}`);
};

/** A text to compare rows by. Ignores the order of members, and updated_at, which differs at each start. */
const signature = ({ updated_at: _, ...row }) => JSON.stringify(Object.entries(row).sort());

const measureWork = async (servers, load, { work, connections, rounds, seconds, warmUp }, log) => {
  const able = servers.filter(({ works }) => works.includes(work));
  const rows = new Map(able.map(({ name }) => [name, { rates: [], cpus: [], medians: [], p99s: [] }]));
  for (const server of able) await ask(load, server, work, connections, warmUp);
  for (let nth = 0; nth < rounds; nth += 1) {
    for (const server of able) {
      const before = cpuSeconds(server.child.pid);
      const result = await ask(load, server, work, connections, seconds);
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
  for (const [name, { rates, cpus }] of rows)
    log(
      `${work}, ${connections} connections: ${name} ${withSpread(rates)} req/s, ${round(median(cpus), 1)} µs CPU`,
    );
  return { work, connections, rows };
};

const ask = (load, { port, workAs }, work, connections, seconds) =>
  askLoad(load, { port, work: workAs?.[work] ?? work, connections, seconds });

/** The tables, with ratios of medians to the first row, which is our server. */
export const presentThroughput = ({ results, memory }) => {
  const parts = results.map(({ work, connections, rows }) => {
    const own = median(rows.get('ca-mock')?.rates ?? [Number.NaN]);
    return `### ${work}, ${connections} connection${connections === 1 ? '' : 's'}\n\n${table(
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

export const rateOf = ({ results }, work, connections, name) =>
  median(
    results.find((one) => one.work === work && one.connections === connections)?.rows.get(name)?.rates ?? [],
  );
export const cpuOf = ({ results }, work, connections, name) =>
  median(
    results.find((one) => one.work === work && one.connections === connections)?.rows.get(name)?.cpus ?? [],
  );
