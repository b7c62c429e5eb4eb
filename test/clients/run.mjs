/** Runs every client of this folder against the built mock: `node test/clients/run.mjs [NAME...]`; see FLOW.md. */
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { CLIENTS } from './prepare.mjs';

const ROOT = resolve(import.meta.dirname, '../..');

/** The steps that FLOW.md names, in order. */
const steps = Array.from(
  readFileSync(join(import.meta.dirname, 'FLOW.md'), 'utf8')
    .split('| client |')[0]
    .matchAll(/^\| `([\w-]+)` \|/gm),
  ([, name]) => name,
);

const startMock = async () => {
  const mock = spawn(process.execPath, [join(ROOT, 'dist/cli.js'), 'start', '--port', '0', '--log', 'json'], {
    env: { ...process.env, CA_MOCK_SCENARIO: 'default' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: mock.stdout })) {
    const { event, url } = JSON.parse(line);
    if (event !== 'ready') continue;
    mock.stdout.resume();
    return { url, stop: () => mock.kill() };
  }
  throw new Error('The mock did not start. Run npm run build first.');
};

/** An environment of the client's own, as the variables that it reads. */
const environmentOf = async (url, name) => {
  const response = await fetch(`${url}/_mock/environments`, {
    method: 'POST',
    // No connection is kept: the clients run while this process stands still, and the mock ends idle ones meanwhile.
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify({ name: `client-${name}` }),
  });
  const { client_id, client_secret, name: environment } = await response.json();
  return {
    MOCK_URL: url,
    MOCK_CLIENT_ID: client_id,
    MOCK_CLIENT_SECRET: client_secret,
    MOCK_ENVIRONMENT: environment,
  };
};

/** What was wrong, or nothing. */
const walk = ({ command: [program, ...args], cwd }, variables) => {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd,
    env: { ...process.env, ...variables },
    encoding: 'utf8',
    timeout: 60_000,
  });
  const walked = Array.from(stdout.matchAll(/^ok ([\w-]+)$/gm), ([, name]) => name);
  const missing = steps.filter((name) => !walked.includes(name));
  if (status === 0 && missing.length === 0) return undefined;
  return `ended with ${status} after ${walked.at(-1) ?? 'no step'}; missing: ${missing.join(', ')}\n${stderr}`;
};

const isMissing = (program) => spawnSync(program, ['--help'], { stdio: 'ignore' }).error !== undefined;

/** Why the client cannot run on this machine, or nothing. */
const reasonToSkip = ({ needs = [], fetch: fetchTool }) => {
  const missing = needs.filter(isMissing);
  return missing.length > 0 ? `${missing.join(', ')} not found on this machine` : fetchTool?.();
};

/** Says how it went. @returns whether nothing failed */
const run = async (client, url) => {
  const { name } = client;
  const reason = reasonToSkip(client);
  if (reason !== undefined) {
    console.log(`SKIPPED ${name}: ${reason}`);
    return true;
  }
  const problem = client.prepare() ?? walk(client, await environmentOf(url, name));
  console.log(problem === undefined ? `ok ${name}: ${steps.length} steps` : `FAILED ${name}: ${problem}`);
  return problem === undefined;
};

const wanted = process.argv.slice(2);
const mock = await startMock();
try {
  for (const client of CLIENTS) {
    if (wanted.length > 0 && !wanted.includes(client.name)) continue;
    if (!(await run(client, mock.url))) process.exitCode = 1;
  }
} finally {
  mock.stop();
}
