/** Runs the clients that both FLOW.md describe against the built mock: `node test/clients/run.mjs [NAME...]`. */
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startMock } from '../../dist/index.js';
import { GRPC_CLIENTS } from './grpc/prepare.mjs';
import { CLIENTS } from './prepare.mjs';

/** The steps that a FLOW.md names. */
const readSteps = (file) => {
  const [steps] = readFileSync(join(import.meta.dirname, file), 'utf8').split('| client |');
  return Array.from(steps.matchAll(/^\| `([\w-]+)` \|/gm), ([, name]) => name);
};

/** Runs a client against a mock of its own. @throws Error if it fails, or does not take every step */
const walk = async ({ name, command: [program, ...args], flow = 'FLOW.md' }, { options, variables }) => {
  const mock = await startMock({ port: 0, log: 'silent', scenario: 'default', ...options });
  try {
    const env = await mock.createEnvironment({ name: `client-${name}` });
    const own = {
      MOCK_URL: mock.url,
      MOCK_ENVIRONMENT: env.name,
      MOCK_CLIENT_ID: env.credentials.clientId,
      MOCK_CLIENT_SECRET: env.credentials.clientSecret,
    };
    const { stdout } = await promisify(execFile)(program, args, {
      env: { ...process.env, ...variables, ...own },
    });
    const walked = stdout.split('\n');
    const missing = readSteps(flow).filter((step) => !walked.includes(`ok ${step}`));
    if (missing.length > 0) throw new Error(`missing steps: ${missing.join(', ')}`);
  } finally {
    await mock.close();
  }
};

/** Why the client cannot run on this machine; undefined if it can. */
const reasonToSkip = ({ needs = [], fetch: fetchTool }) => {
  const missing = needs.filter((program) => spawnSync(program, ['--help'], { stdio: 'ignore' }).error);
  if (missing.length > 0) return `${missing.join(', ')} not found on this machine`;
  try {
    fetchTool?.();
    return undefined;
  } catch (error) {
    return describe(error);
  }
};

/** What is known of a failure. A program that fails has its last words on either output. */
const describe = ({ message, stdout = '' }) => `${message}\n${String(stdout).slice(-3_000)}`;

const wanted = process.argv.slice(2);
for (const client of [...CLIENTS, ...GRPC_CLIENTS]) {
  const { name, walks = [{}] } = client;
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const reason = reasonToSkip(client);
  if (reason !== undefined) {
    console.log(`SKIPPED ${name}: ${reason}`);
    continue;
  }
  try {
    client.prepare();
    for (const each of walks) await walk(client, each);
    console.log(`ok ${name}, walks: ${walks.length}`);
  } catch (error) {
    console.log(`FAILED ${name}: ${describe(error)}`);
    process.exitCode = 1;
  }
}
