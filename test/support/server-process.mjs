/** The built server as a process of its own, for scripts that measure it from outside. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';

const ROOT = resolve(import.meta.dirname, '../..');

/** What a server says that has nothing to complain of. */
const USUAL = new Set(['request', 'environment', 'address']);

/**
 * Starts `dist/cli.js` on a free port. What it logs beyond single requests is kept, since a server that is well has nothing
 * more to say.
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
    /** Resident memory in MiB; with its highest so far. Linux only. */
    memory: () => readMemory(child.pid),
    /** Resolves with how it ended. */
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

/** A bearer of an environment of its own. */
export const makeEnvironment = async (url, options = {}) => {
  const response = await fetch(`${url}/_mock/environments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(options),
  });
  if (response.status !== 201) throw new Error(`No environment: ${response.status} ${await response.text()}`);
  return response.json();
};
