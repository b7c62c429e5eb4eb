/** Measures how long small calls wait during the load, and whether the server or the machine made them wait. */
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

/** The longest time in milliseconds for which one call may delay others. */
const MOST = 300;

/** Runs `ask` in a separate thread, which the load cannot delay. @returns the waits, for `describeWaits` */
export const probe = ({ url, pid }, end) =>
  new Promise((resolve, reject) => {
    const workerData = { url, pid, end };
    new Worker(new URL(import.meta.url), { workerData }).once('message', resolve).once('error', reject);
  });

/**
 * Makes small calls, one after the other, until `end`. Returns the milliseconds that each call took, and for each late
 * call also how long the server's main thread worked during the call, and the call's number. The first call comes with all
 * others to a process that has not compiled anything yet, so it is described apart.
 */
const ask = async ({ url, pid, end }) => {
  const waits = [];
  const late = [];
  while (Date.now() < end) {
    const [startedAt, workedBefore] = [performance.now(), readWork(pid)];
    await (await fetch(`${url}/keys`, { headers: { connection: 'close' } })).arrayBuffer();
    const wait = performance.now() - startedAt;
    waits.push(wait);
    if (wait > MOST) late.push({ wait, worked: readWork(pid) - workedBefore, number: waits.length });
    await pause(50);
  }
  return { waits, late };
};

/** Milliseconds of CPU time that the server's main thread has used so far. Linux only. */
const readWork = (pid) => {
  const text = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8');
  const [, user, system] = /\) (?:\S+ ){11}(\d+) (\d+)/.exec(text);
  return 10 * (Number(user) + Number(system)); // Linux counts hundredths of a second
};

/** Describes the result of `probe` in one line. */
export const describeWaits = ({ waits: [first, ...more], late }) => {
  const waits = more.sort((left, right) => left - right);
  const at = (share) => Math.round(waits[Math.floor((waits.length - 1) * share)] ?? 0);
  const warm = late.filter(({ number }) => number > 1);
  const busy = warm.filter(({ worked }) => worked > MOST);
  const worst = Math.max(0, ...warm.map(({ worked }) => worked));
  const which = busy.map(({ number }) => ` (call ${number})`).join('');
  return [
    `${waits.length} small calls during the load: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, highest ${at(1)} ms`,
    `${warm.length} over ${MOST} ms`,
    `in ${busy.length} of these the server itself worked longer than that${which}, at most ${worst} ms`,
    `the first, to a cold server, took ${Math.round(first ?? 0)} ms`,
  ].join('; ');
};

if (!isMainThread) parentPort.postMessage(await ask(workerData));
