/** Runs processes on fixed cores, and reads their CPU time from /proc. Linux only. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { cpus, release, totalmem } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { LIST, TOKEN } from './work.mjs';

const SERVER_CORE = 0;
const LOAD_CORE = 1;

/** How many clock ticks of /proc make a second. */
const TICKS = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

export const requireMachine = () => {
  if (!existsSync('/proc/self/stat')) throw new Error('The benchmark reads /proc; run it on Linux.');
  if (cpus().length < 2) throw new Error('The benchmark needs two cores: one for servers, one for load.');
  // This process mostly waits during measurements. It runs on the core that has no server.
  execFileSync('taskset', ['-pc', String(LOAD_CORE), String(process.pid)], { stdio: 'ignore' });
};

export const describeMachine = () =>
  `${cpus()[0]?.model.trim()}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Linux ${release()}, Node ${process.versions.node}`;

const startPinned = (core, args, stdio) =>
  spawn('taskset', ['-c', String(core), process.execPath, ...args], { stdio });

export const stop = async (child) => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
};

/** The CPU seconds that a process and its threads have used so far. */
export const cpuSeconds = (pid) => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
};

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** Gets a path. @returns the JSON of the 200 answer @throws Error for any other, or if nothing listens */
export const getJson = async (port, path) => {
  const headers = { authorization: `Bearer ${TOKEN}` };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text.slice(0, 500)}`);
  return JSON.parse(text);
};

/** Starts a server on its core. Resolves with its process, its port, and the milliseconds until its first 200. */
export const startServer = async ([file, ...args]) => {
  const port = await freePort();
  const startedAt = performance.now();
  const given = args.map((each) => each.replace('PORT', String(port)));
  const child = startPinned(SERVER_CORE, [file, ...given], ['ignore', 'ignore', 'inherit']);
  for (;;) {
    const failure = await getJson(port, LIST).then(() => undefined, String);
    const milliseconds = performance.now() - startedAt;
    if (failure === undefined) return { child, port, milliseconds };
    if (child.exitCode !== null) throw new Error(`${file} ended with ${child.exitCode}.`);
    if (milliseconds > 60_000) throw new Error(`No 200 of ${file} in a minute, last: ${failure}`);
    await sleep(2);
  }
};

const LOAD = new URL('./load.mjs', import.meta.url).pathname;

/** Starts the load generator on its core. */
export const startLoad = () => startPinned(LOAD_CORE, [LOAD], ['ignore', 'inherit', 'inherit', 'ipc']);

/** Sends a job to the load generator. Returns its result. */
export const askLoad = (load, job) =>
  new Promise((resolve) => {
    load.once('message', resolve);
    load.send(job);
  });
