/** Measures the time from the start of each process to the first 200, in interleaved rounds. */
import { freePort, SERVER_CORE, startPinned, stop, untilFirst200 } from '../machine.mjs';
import { median, round, table, withSpread } from '../stats.mjs';
import { TOKEN } from '../work.mjs';

export const measureStartup = async ({ peers, files, options, log }) => {
  const rows = new Map(peers.map(({ name }) => [name, []]));
  for (let nth = 0; nth <= options.starts; nth += 1) {
    for (const peer of peers) {
      const milliseconds = await startOnce(peer, files);
      if (nth > 0) rows.get(peer.name).push(milliseconds); // the first start reads the files from disk
    }
  }
  for (const [name, values] of rows) log(`start: ${name} ${withSpread(values)} ms`);
  return rows;
};

const startOnce = async (peer, files) => {
  const port = await freePort();
  const child = startPinned(SERVER_CORE, peer.command(String(port), files, peer.folder));
  try {
    return await untilFirst200(child, port, peer.path, TOKEN);
  } finally {
    await stop(child);
  }
};

export const presentStartup = (rows) => {
  const own = median(rows.get('ca-mock'));
  return table(
    ['server', 'spawn to first 200, ms', 'ca-mock is'],
    [...rows].map(([name, values]) => [
      name,
      withSpread(values),
      name === 'ca-mock' ? '' : `${round(own / median(values), 2)} of it`,
    ]),
  );
};
