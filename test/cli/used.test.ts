/** Calls the functions behind `exec --used-check` and `coverage` directly, without a process. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { startMock } from '#mock';
import { coverage as runCoverage } from '../../src/cli/checks.ts';
import type { UsedFile } from '../../src/conformance/used/used.ts';
import { compareUsed, judgeRun } from '../../src/library/run.ts';
import { temporaryFolder } from '../support/folder.ts';

const folder = temporaryFolder();

const written = (): { write(text: string): void; text: string } => ({
  text: '',
  write(text) {
    this.text += text;
  },
});

const used = (operation: string): UsedFile => ({
  format: 1,
  api: '1',
  operations: { [operation]: { sends: [], gets: { 200: [] } } },
});

test('--used-check lists newly used parts and parts that are no longer used', () => {
  const file = join(folder, 'used.json');
  writeFileSync(file, JSON.stringify(used('getKeys')));
  expect(compareUsed(file, used('getKeys'))).toEqual([]);
  expect(compareUsed(file, used('listConnections'))).toEqual([
    expect.stringMatching(/\n {2}\+ listConnections reply 200\n {2}- getKeys reply 200$/),
  ]);
});

test('coverage of exactly the minimum is enough, and each of several mocks must reach it', async () => {
  const mock = await startMock({ port: 0, log: 'silent' });
  const called = await startMock({ port: 0, log: 'silent' });
  await called.fetch('/keys');
  const [stdout, stderr] = [written(), written()];
  const process = { env: {}, stdout, stderr, once: () => {}, cwd: () => folder };
  const exitCode = (minCoverage: number, ...operands: string[]) =>
    runCoverage({ values: { minCoverage }, operands }, process);
  const codes = [exitCode(0, mock.url), exitCode(0.5, called.url), exitCode(0.5, called.url, mock.url)];
  expect(await Promise.all(codes)).toEqual([0, 0, 1]);
  expect(stderr.text).toBe(`${mock.url}: 0% is less than --min-coverage 0.5.\n`);
  const failures = async (least: number) =>
    (await judgeRun(mock, { coverage: 'off', minCoverage: least }, stderr)).failures;
  expect(await failures(0)).toEqual([]);
  expect(await failures(1)).toEqual(['Coverage is 0%, less than the minimum of 1%.']);
  await Promise.all([mock.close(), called.close()]);
});
