/** Measures the time from the start of each process to the first 200, in interleaved rounds. */
import { freePort, SERVER_CORE, startPinned, stop, untilFirst200 } from '../machine.mjs';
import { median, round, table, withSpread } from '../stats.mjs';
import { LIST, TOKEN } from '../work.mjs';

export const measureStartup = async ({ peers, files, options }) => {
  const rows = new Map(peers.map(({ name }) => [name, []]));
  for (let nth = 0; nth <= options.starts; nth += 1) {
    for (const peer of peers) {
      const milliseconds = await startOnce(peer, files);
      if (nth > 0) rows.get(peer.name).push(milliseconds); // the first start reads the files from disk
    }
  }
  return present(rows);
};

const startOnce = async (peer, files) => {
  const port = await freePort();
  const child = startPinned(SERVER_CORE, peer.command(String(port), files));
  try {
    return await untilFirst200(child, port, LIST, TOKEN);
  } finally {
    await stop(child);
  }
};

const present = (rows) => {
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
