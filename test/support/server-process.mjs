/** Runs the built server as a separate process, for scripts that measure it from outside. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';

const ROOT = resolve(import.meta.dirname, '../..');

/** The log events of a server without problems. */
const USUAL = new Set(['request', 'environment', 'address']);

/**
 * Starts `dist/cli.js` on a free port. Keeps the log entries whose event is not in `USUAL`, since these report problems.
 * @param {{ args?: readonly string[] }} options
 */
export const startServerProcess = async ({ args = [] } = {}) => {
  const child = spawn(process.execPath, ['dist/cli.js', 'start', '--port', '0', '--log', 'json', ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.once('exit', () => child.kill('SIGKILL'));
  const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
  /** @type {Record<string, unknown>[]} */
  const complaints = [];
  const url = await new Promise((ready, failed) => {
    child.once('exit', () => failed(new Error('The server ended before it was ready.')));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const entry = JSON.parse(line);
      if (entry.event === 'ready') ready(entry.url);
      else if (!USUAL.has(entry.event)) complaints.push(entry);
    });
  });
  return {
    url,
    port: Number(new URL(url).port),
    pid: child.pid,
    complaints,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    /** The resident memory and its peak, in MiB. Linux only. */
    memory: () => readMemory(child.pid),
    /** Stops the server. Resolves with its exit code or signal. */
    stop: () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
};

const readMemory = (pid) => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const read = (name) =>
    Math.round(Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024);
  return { resident: read('VmRSS'), highest: read('VmHWM') };
};

/** Makes an environment and returns its access token. */
export const makeEnvironment = async (url, options = {}) => {
  const response = await fetch(`${url}/_mock/environments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(options),
  });
  if (response.status !== 201)
    throw new Error(`The environment was not created: ${response.status} ${await response.text()}`);
  return response.json();
};
