/** Runs the clients that both FLOW.md describe against the built mock: `node test/clients/run.mjs [NAME...]`. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { startServerProcess } from '../support/server-process.mjs';
import { GRPC_CLIENTS } from './grpc/prepare.mjs';
import { CLIENTS } from './prepare.mjs';

/** The steps that a FLOW.md names, in order. */
const readSteps = (file) =>
  Array.from(
    readFileSync(join(import.meta.dirname, file), 'utf8')
      .split('| client |')[0]
      .matchAll(/^\| `([\w-]+)` \|/gm),
    ([, name]) => name,
  );

/** Makes an environment for a client. Returns it as the variables that the client reads. */
const environmentOf = async (url, name) => {
  const made = await post(`${url}/_mock/environments`, { name: `client-${name}` });
  return {
    MOCK_URL: url,
    MOCK_CLIENT_ID: made.client_id,
    MOCK_CLIENT_SECRET: made.client_secret,
    MOCK_ENVIRONMENT: made.name,
  };
};

/** Posts JSON without `fetch`, which would refuse the certificate of the tests. */
const post = (url, body) =>
  new Promise((resolve, reject) => {
    const { request } = url.startsWith('https:') ? https : http;
    // Keeps no connection open: the mock closes idle connections while this process waits for a client.
    const options = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      agent: false,
      rejectUnauthorized: false,
    };
    request(url, options, (response) => json(response).then(resolve, reject))
      .on('error', reject)
      .end(JSON.stringify(body));
  });

/** Runs a client. @returns what was wrong; undefined if the client took every step */
const walk = ({ command: [program, ...args], flow = 'FLOW.md', variables }, given) => {
  const steps = readSteps(flow);
  const { status, stdout, stderr } = spawnSync(program, args, {
    env: { ...process.env, ...variables, ...given },
    encoding: 'utf8',
  });
  const walked = Array.from(stdout.matchAll(/^ok ([\w-]+)$/gm), ([, name]) => name);
  const missing = steps.filter((name) => !walked.includes(name));
  if (status === 0 && missing.length === 0) return undefined;
  return `ended with ${status} after ${walked.at(-1) ?? 'no step'}; missing: ${missing.join(', ')}\n${stderr}`;
};

const isMissing = (program) => spawnSync(program, ['--help'], { stdio: 'ignore' }).error !== undefined;

/** Why the client cannot run on this machine; undefined if it can. */
const reasonToSkip = ({ needs = [], fetch: fetchTool }) => {
  const missing = needs.filter(isMissing);
  return missing.length > 0 ? `${missing.join(', ')} not found on this machine` : fetchTool?.();
};

/** Installs the client, and runs it against a mock of its own. @returns what was wrong; undefined if all is well */
const run = async (client) => {
  const problem = client.prepare();
  if (problem !== undefined) return problem;
  const mock = await startServerProcess({ args: ['--scenario', 'default', ...(client.flags ?? [])] });
  try {
    return walk(client, await environmentOf(mock.url, client.name));
  } finally {
    await mock.stop();
  }
};

const wanted = process.argv.slice(2);
for (const client of [...CLIENTS, ...GRPC_CLIENTS]) {
  if (wanted.length > 0 && !wanted.includes(client.name)) continue;
  const reason = reasonToSkip(client);
  const problem = reason === undefined ? await run(client) : undefined;
  if (reason !== undefined) console.log(`SKIPPED ${client.name}: ${reason}`);
  else console.log(problem === undefined ? `ok ${client.name}` : `FAILED ${client.name}: ${problem}`);
  if (problem !== undefined) process.exitCode = 1;
}
