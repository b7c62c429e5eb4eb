/** How long a small call waits while the others have theirs, and who made it wait: the server, or the machine. */
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

/** Milliseconds that no call may hold others. */
const MOST = 300;

/** Asks in a thread of its own, which the load cannot hold up. @returns what it found, for `describeWaits` */
export const probe = ({ url, pid }, end) =>
  new Promise((resolve, reject) => {
    const workerData = { url, pid, end };
    new Worker(new URL(import.meta.url), { workerData }).once('message', resolve).once('error', reject);
  });

/**
 * Asks for something small, again and again, until `end`: milliseconds of every answer, and of each late one how long the
 * server's main thread worked meanwhile.
 */
const ask = async ({ url, pid, end }) => {
  const waits = [];
  const late = [];
  while (Date.now() < end) {
    const [startedAt, workedBefore] = [performance.now(), readWork(pid)];
    await (await fetch(`${url}/keys`, { headers: { connection: 'close' } })).arrayBuffer();
    const wait = performance.now() - startedAt;
    waits.push(wait);
    if (wait > MOST) late.push({ wait, worked: readWork(pid) - workedBefore });
    await pause(50);
  }
  return { waits: waits.sort((left, right) => left - right), late };
};

/** Milliseconds of CPU time of the main thread so far. Linux only. */
const readWork = (pid) => {
  const text = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8');
  const [, user, system] = /\) (?:\S+ ){11}(\d+) (\d+)/.exec(text);
  return 10 * (Number(user) + Number(system)); // in hundredths of a second
};

/** One line about what `probe` found. */
export const describeWaits = ({ waits, late }) => {
  const at = (share) => Math.round(waits[Math.floor((waits.length - 1) * share)] ?? 0);
  const busy = late.filter(({ worked }) => worked > MOST);
  return `${waits.length} small calls beside: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, highest ${at(1)} ms; ${late.length} over ${MOST} ms, of them ${busy.length} while the server itself worked that long, at most ${Math.max(0, ...late.map(({ worked }) => worked))} ms`;
};

if (!isMainThread) parentPort.postMessage(await ask(workerData));
