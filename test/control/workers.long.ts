/** Two hundred tests in eight Jest workers share one server through nothing but their own client and bearer. */
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { listeningServer } from '../support/server.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const WORKERS = 8;

const server = await listeningServer();
let project: string;
beforeAll(() => {
  project = realpathSync(mkdtempSync(join(tmpdir(), 'ca-mock-workers-')));
  for (let file = 1; file <= WORKERS; file += 1) {
    mkdirSync(join(project, String(file)));
    copyFileSync(join(ROOT, 'test/control/worker-story.mjs'), join(project, String(file), 'story.test.mjs'));
  }
});
afterAll(() => rmSync(project, { recursive: true }));

const runJest = async (url: string) => {
  const jest = join(ROOT, 'node_modules/jest/bin/jest.js');
  const flags = [
    '--rootDir',
    project,
    '--testMatch',
    '**/*.test.mjs',
    '--maxWorkers',
    String(WORKERS),
    '--json',
  ];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      '--experimental-vm-modules',
      jest,
      '--config',
      '{"transform":{},"testTimeout":60000}',
      ...flags,
    ],
    { env: { ...process.env, MOCK_URL: url }, cwd: project, maxBuffer: 2 ** 24 },
  );
  return JSON.parse(stdout);
};

test('behaviour E5: 200 tests in 8 Jest workers, each in its own environment, do not affect each other', async () => {
  const before = await server.call('GET', '/api/v1/connected_accounts');
  const { numPassedTests, numFailedTests } = await runJest(server.mock.url);
  const after = await server.call('GET', '/api/v1/connected_accounts');
  expect([numPassedTests, numFailedTests]).toEqual([200, 0]);
  expect(after.body).toEqual(before.body);
  expect((await server.mock.environments()).map(({ name }) => name)).toEqual(['development', 'production']);
});
