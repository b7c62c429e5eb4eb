/** Calls the functions behind `coverage` and the end of a run directly, without a process. */
import { expect, test } from '@jest/globals';
import { startMock } from '#mock';
import { coverage as runCoverage } from '../../src/cli/checks.ts';
import { judgeRun } from '../../src/library/run.ts';
import { temporaryFolder } from '../support/folder.ts';

const folder = temporaryFolder();

const written = (): { write(text: string): void; text: string } => ({
  text: '',
  write(text) {
    this.text += text;
  },
});

test('coverage of exactly the minimum is enough, and each of several mocks must reach it', async () => {
  const mock = await startMock({ port: 0, log: 'silent' });
  const called = await startMock({ port: 0, log: 'silent' });
  await called.fetch('/keys');
  const [stdout, stderr] = [written(), written()];
  const process = { env: {}, stdout, stderr, once: () => {}, cwd: () => folder };
  const exitCode = (minCoverage: number, ...operands: string[]) =>
    runCoverage({ values: { minCoverage }, operands, flags: [] }, process);
  const codes = [exitCode(0, mock.url), exitCode(0.5, called.url), exitCode(0.5, called.url, mock.url)];
  expect(await Promise.all(codes)).toEqual([0, 0, 1]);
  expect(stderr.text).toBe(`${mock.url}: 0% is less than --min-coverage 0.5.\n`);
  const failures = async (least: number) =>
    (await judgeRun(mock, { coverage: 'off', minCoverage: least }, stderr)).failures;
  expect(await failures(0)).toEqual([]);
  expect(await failures(1)).toEqual(['Coverage is 0%, less than the minimum of 1%.']);
  await Promise.all([mock.close(), called.close()]);
});
