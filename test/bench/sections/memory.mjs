/** Measures memory after one call of each operation, with the contract's examples. */
import {
  askOnce,
  freePort,
  peakMemory,
  residentMemory,
  SERVER_CORE,
  startPinned,
  stop,
  untilFirst200,
} from '../machine.mjs';
import { ours } from '../peers.mjs';
import { readRequests } from '../requests.mjs';
import { round, table } from '../stats.mjs';
import { LIST, TOKEN } from '../work.mjs';

export const measureMemory = async () => {
  const rows = [];
  for (const scenario of ['default', 'large']) {
    const port = await freePort();
    const child = startPinned(SERVER_CORE, ours(scenario).command(String(port)));
    const loaded = await untilFirst200(child, port, LIST, TOKEN);
    const statuses = [];
    for (const request of readRequests())
      statuses.push((await askOnce(port, toBytes(port, request)))?.slice(9, 12));
    rows.push({
      scenario,
      loaded,
      resident: residentMemory(child.pid),
      peak: peakMemory(child.pid),
      statuses,
    });
    await stop(child);
  }
  return present(rows);
};

const toBytes = (port, { method, path, headers, body }) =>
  [
    `${method} ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');

const present = (rows) =>
  table(
    ['scenario', 'calls', 'resident, MiB', 'peak, MiB', 'spawn to first 200, ms'],
    rows.map(({ scenario, resident, peak, statuses, loaded }) => [
      scenario,
      statuses.length,
      round(resident),
      round(peak),
      round(loaded),
    ]),
  );
