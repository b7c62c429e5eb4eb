/** Fills and empties a small disk on which environments are saved, and compares them before and after a restart. */
import { createHash } from 'node:crypto';
import { appendFileSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startServerProcess } from '../support/server-process.mjs';

/** Bytes. A larger file system is never filled, since other programs may use it too. */
const SMALL = 512 * 2 ** 20;
const PIECE = Buffer.alloc(64 * 1024);

/** Whether the folder is on a file system that is small enough to be filled. */
export const isSmallDisk = (folder) => {
  const { blocks, bsize } = statfsSync(folder);
  return blocks * bsize <= SMALL;
};

/** Fills the disk, leaves it full for a while, and empties it again, until `end`. @returns how often it was full */
export const fillAndEmpty = async (folder, end, seconds = 10) => {
  const ballast = join(folder, '.ballast');
  let times = 0;
  while (Date.now() < end - 2_000 * seconds) {
    // Space that the mock frees meanwhile is filled too.
    for (const full = Date.now() + 1_000 * seconds; Date.now() < full; await pause(100)) fill(ballast);
    times += 1;
    rmSync(ballast);
    await pause(1_000 * seconds);
  }
  return times;
};

const fill = (ballast) => {
  try {
    for (;;) appendFileSync(ballast, PIECE);
  } catch (error) {
    if (error.code !== 'ENOSPC') throw error;
  }
};

/** A line for each environment, sorted by name: the name, the count of accounts, and a digest of accounts and users. */
export const listSaved = async (url) => {
  const read = async (path) => (await fetch(url + path, { headers: { connection: 'close' } })).json();
  const { environments } = await read('/_mock/environments');
  const lines = environments.map(async ({ name }) => {
    const { connected_accounts = [], users = [] } = await read(`/_mock/environments/${name}/state`);
    const rows = [
      ...connected_accounts.map(({ id, api_config }) => [id, api_config]),
      ...users.map(({ id, memberships = [] }) => [id, memberships.map((one) => one.organization_id)]),
    ];
    const digest = createHash('sha256').update(JSON.stringify(rows)).digest('hex').slice(0, 12);
    return `${name} ${connected_accounts.length} accounts ${digest}`;
  });
  return (await Promise.all(lines)).sort().join('\n');
};

/** Starts the server again. @returns the difference from `saved`, if any, and the problems that the server logged */
export const findLost = async (args, saved) => {
  const again = await startServerProcess({ args });
  const found = await listSaved(again.url);
  await again.stop();
  const complaints = again.complaints.map((one) => JSON.stringify(one));
  return found === saved ? complaints : [`saved:\n${saved}\nfound after a restart:\n${found}`, ...complaints];
};
