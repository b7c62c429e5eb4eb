/**
 * Serves and calls the built mock on each runtime that we name, from the npm package of that runtime:
 * `node test/package/runtimes.mjs`. A runtime that cannot be installed is named and skipped.
 */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const run = promisify(execFile);
const CLI = resolve('dist/cli.js');

/** The npm package of a runtime, its program in there, and the flags before a script. */
const RUNTIMES = [
  ...['20', '22', '24', '26'].map((release) => [`node@${release}`, 'node']),
  ['bun@1', 'bun'],
  ['deno@2', 'deno', 'run', '--allow-all'],
];

const IN_PROCESS = `
  import { createMock } from ${JSON.stringify(resolve('dist/index.js'))};
  const mock = createMock();
  const { accessToken } = (await mock.environment()).credentials;
  const { status } = await mock.fetch('/api/v1/connections', { headers: { authorization: 'Bearer ' + accessToken } });
  await mock.close();
  console.log('status', status);
`;

const walk = async (url) => {
  const token = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'dev-client',
      client_secret: 'dev-secret',
    }),
  });
  const { access_token } = await token.json();
  const authorization = `Bearer ${access_token}`;
  const statusOf = async (path, options) =>
    (await fetch(url + path, { headers: { authorization }, ...options })).status;
  assert.equal(await statusOf('/api/v1/connected_accounts'), 200);
  assert.equal(await statusOf('/api/v1/nothing'), 404);
  assert.equal(await statusOf('/api/v1/connected_accounts?page_size=x'), 400);
  assert.equal(await statusOf('/_mock/docs'), 200);
  const own = `${url}/_mock/environments/development`;
  const headers = { 'Content-Type': 'application/json' };
  const advanced = await fetch(`${own}/clock/advance`, { method: 'POST', headers, body: '{"by":"15d"}' });
  assert.equal(advanced.status, 200);
  const events = await fetch(`${own}/events`, { headers: { Accept: 'text/event-stream' } });
  assert.match(events.headers.get('content-type'), /^text\/event-stream/);
  await events.body.cancel();
};

const serve = async (program, flags) => {
  const server = spawn(program, [...flags, CLI, '--port', '0', '--log', 'json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(server, 'exit');
  try {
    for await (const line of createInterface(server.stdout)) {
      const { event, url } = JSON.parse(line);
      if (event !== 'ready') continue;
      await walk(url);
      break;
    }
  } finally {
    server.kill('SIGTERM');
  }
  assert.equal((await ended)[0], 0);
};

const folder = await mkdtemp(join(tmpdir(), 'runtimes-'));
await writeFile(join(folder, 'package.json'), '{}'); // Deno resolves as Node does where it finds this file
await writeFile(join(folder, 'in-process.mjs'), IN_PROCESS);
try {
  for (const [name, command, ...flags] of RUNTIMES) {
    const home = join(folder, name);
    const install = ['install', '--silent', '--no-audit', '--no-fund', '--prefix', home, name];
    const failure = await run('npm', install).then(() => '', String);
    if (failure) {
      console.log(`skipped ${name}: ${failure}`);
      continue;
    }
    const program = join(home, 'node_modules/.bin', command);
    const { stdout } = await run(program, [...flags, join(folder, 'in-process.mjs')]);
    assert.match(stdout, /status 200/);
    await serve(program, flags);
    console.log(`${name} serves, and answers in process`);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
