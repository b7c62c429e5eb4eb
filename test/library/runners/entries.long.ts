/** Tests the entries for Jest and Playwright in another project; test/examples/outside.mjs tests the Vitest entry. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from '@jest/globals';
import { startMock } from '#mock';
import { makeProject } from '../../support/pages.ts';
import { builtProgram } from '../../support/program.ts';

const project = makeProject(builtProgram());
afterAll(() => rmSync(project, { recursive: true, force: true }));

mkdirSync(join(project, 'tests'), { recursive: true });
writeFileSync(
  join(project, 'own.yaml'),
  'extends: empty\nenvironments:\n  development:\n    connections: [{ key_id: own, type: OAUTH }]\n',
);

const NAME = 'connected-accounts-mock';

/** The source of tests for either runner. @param load the code that imports the package's entry for the runner */
const tests = (load: string): string => `
  ${load}
  const ask = (env, path) =>
    fetch(env.url + path, { headers: { authorization: 'Bearer ' + env.credentials.accessToken } });
  test('passes', async ({ env }) => {
    await env.faults.add({ operation: 'listConnections', status: 503, times: 1 });
    for (const _ of [1, 2]) await ask(env, '/api/v1/connections');
    await expect(env).toHaveReceived('listConnections', { status: [503, 200] });
    await expect(env).not.toHaveSent();
  });
  test('fails', async ({ env }) => {
    await ask(env, '/api/v1/connections');
    await ask(env, '/api/v1/connected_accounts?page_size=none');
    await expect(env).toHaveReceived('listConnections', { times: 3 });
  });
  test('forgets', async ({ env }) => {
    await ask(env, '/api/v1/connections');
    expect(env).not.toHaveReceived('listConnections');
    await expect(env).toHaveReceived('listConnections');
  });
  test('goes elsewhere', async ({ env }) => {
    await ask({ url: env.url, credentials: { accessToken: 'dev-token' } }, '/api/v1/connections');
    await expect(env).toHaveReceived('listConnections');
  });
  createTest({ scenario: './own.yaml' })('own', async ({ env }) => {
    expect((await env.state()).connections).toMatchObject([{ key_id: 'own' }]);
  });
  createTest({ scenario: './none.yaml' })('lost', async ({ env }) => void env);`;

const run = (script: string, args: readonly string[], variables: Readonly<Record<string, string>> = {}) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [resolve('node_modules', script), ...args], {
    cwd: project,
    // NO_COLOR, since in CI the runners print colour codes even to a pipe.
    env: { ...process.env, JEST_WORKER_ID: undefined, CA_MOCK_LOG: 'silent', NO_COLOR: '1', ...variables },
    encoding: 'utf8',
  });
  return { status, said: stdout + stderr };
};

const TEST_MATCH = ['**/*.test.cjs'];
const JEST_CONFIG = {
  globalSetup: `${NAME}/jest/setup`,
  globalTeardown: `${NAME}/jest/teardown`,
  testMatch: TEST_MATCH,
  testTimeout: 60_000, // the machine may be busy
};

/** Expects that the output explains every failed test of `tests`, and reports the coverage of the contract. */
const expectExplained = (said: string): void => {
  for (const explained of [
    'calls to listConnections: 1, expected 3.',
    /starting with those that broke the contract:\s+GET \/api\/v1\/connected_accounts\?page_size=none 400 listConnectedAccounts: .*\s+GET \/api\/v1\/connections 200 listConnections/,
    'toHaveReceived(...) was not awaited. Write: await expect(env).toHaveReceived(...)',
    /> +\d+ \| +expect\(env\)\.not\.toHaveReceived\('listConnections'\);/,
    'there is no file none.yaml',
    /\d went to development \(dev-client\)\. Your application must pass on the header `baggage`, or use env\.credentials\./,
    /Coverage of the contract by this run: [\d.]+%\n/,
  ])
    expect(said).toMatch(explained);
};

const jestArguments = (config: object, name: string): readonly string[] => [
  'jest/bin/jest.js',
  ...['--rootDir', project, '--config', JSON.stringify(config), '-t', name],
];

const runJest = (config: object, name: string, variables = {}) => {
  const [script = '', ...args] = jestArguments(config, name);
  return run(script, args, variables);
};

/** Runs while a mock of this process answers. @returns what it printed */
const runAsync = async (
  [script = '', ...args]: readonly string[],
  variables: Readonly<Record<string, string>>,
) => {
  const child = spawn(process.execPath, [resolve('node_modules', script), ...args], {
    cwd: project,
    env: { ...process.env, JEST_WORKER_ID: undefined, NO_COLOR: '1', ...variables },
  });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return out + err;
};

writeFileSync(
  join(project, 'tests/entry.test.cjs'),
  tests(`const { createTest, expect, test } = require('${NAME}/jest');
    test.each([[1, 2]])('each %i', async (one, two, { env }) => { expect([one, two, typeof env.url]).toEqual([1, 2, 'string']); });`),
);

writeFileSync(
  join(project, 'playwright.config.mjs'),
  `export default { testMatch: '**/*.spec.mjs', reporter: 'list', globalSetup: '${NAME}/playwright/setup' };`,
);
writeFileSync(
  join(project, 'tests/entry.spec.mjs'),
  tests(`import { createTest, expect, test } from '${NAME}/playwright';`),
);

test('Jest: each test gets its own environment, a failed test shows its calls, and the run reports its coverage', () => {
  const { status, said } = runJest(JEST_CONFIG, '');
  expect(said).toContain('4 failed, 3 passed');
  expectExplained(said);
  expect(status).toBe(1);
});

test('Jest: a run fails if its coverage is below the minimum, or if globalSetup is not configured', () => {
  expect(runJest(JEST_CONFIG, 'passes')).toEqual({ status: 0, said: expect.any(String) });
  const low = runJest(JEST_CONFIG, 'passes', { CA_MOCK_MIN_COVERAGE: '90' });
  expect(low.said).toMatch(/Coverage is [\d.]+%, less than the minimum of 90%/);
  expect(low.status).toBe(1);
  const { said } = runJest({ testMatch: TEST_MATCH }, 'passes');
  expect(said).toContain(`Set globalSetup to '${NAME}/jest/setup'`);
});

test('a failed test at a running mock keeps its environment, and ends with its address in the console', async () => {
  await using mock = await startMock({ port: 0, log: 'silent' });
  const variables = { CA_MOCK_URL: mock.url };
  const jest = await runAsync(jestArguments({ testMatch: TEST_MATCH }, 'fails'), variables);
  const playwright = await runAsync(['@playwright/test/cli.js', 'test', '-g', 'fails'], variables);
  const kept = (await mock.environments()).map(({ name }) => name).slice(2);
  expect(kept).toHaveLength(2);
  [jest, playwright].forEach((said, nth) => {
    expect(said).toMatch(
      new RegExp(
        `listConnections: 1, expected 3[^]*The environment was kept: ${mock.url}/_mock/#/${kept[nth]}\\n`,
      ),
    );
  });
});

test('Playwright: each test gets its own environment, a failed test shows its calls, and the run reports its coverage', () => {
  const { status, said } = run('@playwright/test/cli.js', ['test']);
  expect(said).toMatch(/4 failed.*2 passed/s);
  expectExplained(said);
  expect(status).toBe(1);
});
