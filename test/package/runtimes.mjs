/**
 * Imports, requires, serves and calls the package (`ARCHIVE`, else it is packed) on each runtime that we name, from the npm
 * package of that runtime: `node test/package/runtimes.mjs`. A runtime that cannot be installed is named and skipped.
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
const NAME = 'connected-accounts-mock';

/** The npm package of a runtime, its program in there, and the flags before a script. */
const RUNTIMES = [
  ...['20', '22', '24', '26'].map((release) => [`node@${release}`, 'node']),
  ['bun@1', 'bun'],
  ['deno@2', 'deno', 'run', '--allow-all'],
];

const PROGRAMS = Object.entries({
  'imports.mjs': `import { createMock } from '${NAME}';`,
  'requires.cjs': `const { createMock } = require('${NAME}');`,
});
const IN_PROCESS = `
  (async () => {
    const mock = createMock();
    const { accessToken } = (await mock.environment()).credentials;
    const { status } = await mock.fetch('/api/v1/connections', { headers: { authorization: 'Bearer ' + accessToken } });
    await mock.close();
    console.log('status', status);
  })();
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
  const ask = (path, options) =>
    fetch(url + path, { headers: { authorization: `Bearer ${access_token}` }, ...options });
  assert.equal((await ask('/api/v1/connected_accounts')).status, 200);
  assert.equal((await ask('/api/v1/nothing')).status, 404);
  assert.equal((await ask('/api/v1/connected_accounts?page_size=x')).status, 400);
  assert.equal((await ask('/_mock/docs')).status, 200);
  const own = '/_mock/environments/development';
  const headers = { 'Content-Type': 'application/json' };
  const advanced = await ask(`${own}/clock/advance`, { method: 'POST', headers, body: '{"by":"15d"}' });
  assert.equal(advanced.status, 200);
  const events = await ask(`${own}/events`, { headers: { Accept: 'text/event-stream' } });
  assert.match(events.headers.get('content-type'), /^text\/event-stream/);
  await events.body.cancel();
};

const serve = async (folder, program, flags) => {
  const cli = join(folder, 'node_modules', NAME, 'dist/cli.js');
  const server = spawn(program, [...flags, cli, '--port', '0', '--log', 'json'], {
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
const install = (home, name) =>
  run('npm', ['install', '--silent', '--no-audit', '--no-fund', '--prefix', home, name]);
try {
  for (const [name, first] of PROGRAMS) await writeFile(join(folder, name), first + IN_PROCESS);
  const { ARCHIVE } = process.env;
  const packed =
    ARCHIVE ?? (await run('npm', ['pack', '--silent', '--pack-destination', folder])).stdout.trim();
  await install(folder, resolve(folder, packed));
  for (const [name, command, ...flags] of RUNTIMES) {
    const home = join(folder, name);
    const failure = await install(home, name).then(() => '', String);
    if (failure) {
      console.log(`skipped ${name}: ${failure}`);
      continue;
    }
    const program = join(home, 'node_modules/.bin', command);
    for (const [file] of PROGRAMS) {
      const { stdout, stderr } = await run(program, [...flags, join(folder, file)]);
      assert.match(stdout, /status 200/);
      assert.doesNotMatch(stderr, /Warning/);
    }
    await serve(folder, program, flags);
    console.log(`${name} imports and requires the package, and serves`);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
