/** Runs processes on fixed cores, and reads their figures from /proc. Linux only. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { cpus, release, totalmem } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

export const SERVER_CORE = 0;
export const LOAD_CORE = 1;

/** How many clock ticks of /proc make a second. */
const TICKS = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

export const requireMachine = () => {
  if (!existsSync('/proc/self/stat')) throw new Error('The benchmark reads /proc; run it on Linux.');
  if (cpus().length < 2) throw new Error('The benchmark needs two cores: one for servers, one for load.');
};

export const describeMachine = () =>
  `${cpus()[0]?.model.trim()}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Linux ${release()}, Node ${process.versions.node}`;

/** Starts a program on one core. Keeps its standard error, to report it if the program ends too soon. */
export const startPinned = (core, [command, ...args], options = {}) => {
  const child = spawn('taskset', ['-c', String(core), command, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    ...options,
  });
  let complaint = '';
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    complaint = (complaint + text).slice(-2_000);
  });
  return Object.assign(child, { complaint: () => complaint });
};

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

const memoryOf = (pid, name) =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) /
  1_024;

/** The peak memory of a process, in MiB. */
export const peakMemory = (pid) => memoryOf(pid, 'VmHWM');
export const residentMemory = (pid) => memoryOf(pid, 'VmRSS');

/** A port that is free now. */
export const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** Sends one request over a new connection. Returns the whole reply; undefined if nothing listens. */
export const askOnce = (port, bytes) =>
  new Promise((resolve) => {
    let text = '';
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(bytes));
    socket.setEncoding('utf8').on('data', (part) => {
      text += part;
    });
    socket.once('error', () => resolve(undefined));
    socket.once('close', () => resolve(text === '' ? undefined : text));
  });

/** The milliseconds until the first 200. @throws Error if the server ends, or takes longer than a minute */
export const untilFirst200 = async (child, port, path, token) => {
  const startedAt = performance.now();
  const bytes = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`;
  for (;;) {
    const text = await askOnce(port, bytes);
    if (text?.startsWith('HTTP/1.1 200')) return performance.now() - startedAt;
    if (child.exitCode !== null) throw new Error(`The server ended: ${child.complaint()}`);
    if (performance.now() - startedAt > 60_000)
      throw new Error(`No 200 in a minute, last: ${text?.slice(0, 300)}`);
    await sleep(2);
  }
};

const LOAD = new URL('./load.mjs', import.meta.url).pathname;

/** Starts the load generator on its core. */
export const startLoad = () =>
  startPinned(LOAD_CORE, [process.execPath, LOAD], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });

/** Sends a job to the load generator. Returns its result. */
export const askLoad = (load, job) =>
  new Promise((resolve) => {
    load.once('message', resolve);
    load.send({ connections: 1, ...job });
  });
