/**
 * Measures the time that a test file waits: for the import, a mock and its first answer in a fresh Jest worker, and for
 * each first call.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SCRATCH } from '../install.mjs';
import { runPinned } from '../machine.mjs';
import { median, round, table, withSpread } from '../stats.mjs';

const ROOT = new URL('../../../', import.meta.url).pathname;
const DIST = process.env.CA_MOCK_DIST ?? join(ROOT, 'dist');

/** The last commit of 1.x. The budgets are relative to it. */
const BASELINE = '623cf24';

export const measureFirstAnswers = ({ options, log }) => {
  const indexes = { 'ca-mock': join(DIST, 'index.js'), [BASELINE]: buildBaseline() };
  const worker = Object.fromEntries(Object.keys(indexes).map((name) => [name, []]));
  const calls = [];
  for (let nth = 0; nth < options.starts; nth += 1) {
    for (const [name, index] of Object.entries(indexes)) worker[name].push(answerInWorker(index));
    calls.push(JSON.parse(runPinned([join(ROOT, 'test/bench/first-calls.mjs'), indexes['ca-mock']])));
  }
  for (const [name, values] of Object.entries(worker))
    log(`jest worker: ${name} ${withSpread(values)} ms CPU`);
  return { worker, calls };
};

/** Builds that version from the repository's history, with its own packages. */
const buildBaseline = () => {
  const folder = join(SCRATCH, `baseline-${BASELINE}`);
  const index = join(folder, 'dist/index.js');
  if (existsSync(index)) return index;
  mkdirSync(folder, { recursive: true });
  const run = (command) => execFileSync('sh', ['-c', command], { cwd: folder, stdio: 'ignore' });
  run(`git -C '${ROOT}' archive ${BASELINE} | tar x && npm ci && npm run build`);
  return index;
};

const TEST = `
const { writeFileSync } = require('node:fs');
test('the first answer', async () => {
  const before = process.cpuUsage();
  const { createMock } = require(process.env.INDEX);
  const mock = await createMock({ log: 'silent' });
  const headers = { authorization: 'Bearer dev-token' };
  const response = await mock.fetch('/api/v1/connected_accounts', { headers });
  expect((await response.json()).connected_accounts).toHaveLength(10);
  const { user, system } = process.cpuUsage(before);
  writeFileSync(process.env.RESULT, String((user + system) / 1000));
  await mock.close();
});
`;

/** The CPU milliseconds until the first answer in a fresh Jest worker. */
const answerInWorker = (index) => {
  const folder = join(SCRATCH, 'worker');
  const result = join(folder, 'result');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'first.test.js'), TEST);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ jest: { transform: {} } }));
  runPinned([join(ROOT, 'node_modules/jest/bin/jest.js'), '--runInBand', '--silent'], {
    cwd: folder,
    env: { ...process.env, INDEX: index, RESULT: result },
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  return Number(readFileSync(result, 'utf8'));
};

export const firstAnswerRatio = ({ worker }) => median(worker['ca-mock']) / median(worker[BASELINE]);

export const presentFirstAnswers = ({ worker, calls }) =>
  [
    table(
      ['import, createMock and first answer in a fresh Jest worker', 'CPU ms'],
      Object.entries(worker).map(([name, values]) => [name, withSpread(values)]),
    ),
    table(
      ['first call of', 'CPU ms'],
      Object.keys(calls[0]).map((id) => [id, round(median(calls.map((call) => call[id])), 1)]),
    ),
  ].join('\n\n');
