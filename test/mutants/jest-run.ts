/** The tests that name a rule, run in a copy. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Copy } from './copy.ts';

/** What jest's report says, as far as it is read here. */
interface JestReport {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

/** Milliseconds; a mutant that hangs is ended. */
const LONGEST = 300_000;

const JEST = ['--disable-warning=ExperimentalWarning', '--experimental-vm-modules'];

/**
 * Full names of the tests that fail. A file that cannot even be loaded fails no test, so a mutant that does not
 * compile never counts as caught.
 * @throws Error if jest gives no report, as when it hangs
 * Tests that need the package use the one that the copy built last.
 * @param files from the root
 * @param titles a pattern for jest's `-t`
 * @param more such as `-i`
 */
export const failingTests = async (
  { root, built }: Copy,
  files: readonly string[],
  titles: string,
  more: readonly string[],
): Promise<readonly string[]> => {
  const report = join(root, 'report.json');
  rmSync(report, { force: true });
  const args = [
    ...JEST,
    'node_modules/jest/bin/jest.js',
    ...['--globalSetup', './test/mutants/no-build.mjs'],
    ...more,
    ...['--testMatch', '**/test/**/*.{test,long}.ts'],
    ...['--silent', '--json', '--outputFile', report, '-t', titles, '--runTestsByPath', ...files],
  ];
  const printed = await new Promise<string>((done) => {
    // Its exit code says no more than the report.
    const env = { ...process.env, CA_MOCK_BUILT: built };
    const options = { cwd: root, env, timeout: LONGEST, maxBuffer: 2 ** 28 };
    execFile(process.execPath, args, options, (_failure, _stdout, stderr) => done(stderr));
  });
  if (!existsSync(report)) throw new Error(`jest ended without a report: ${printed.slice(-2_000)}`);
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as JestReport; // written by jest just now
  return testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'failed')
    .map(({ fullName }) => fullName);
};
