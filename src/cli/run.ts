/** What `ca-mock exec` and the test runners share: a run of tests with a mock of its own. */
import { coverageTable, shortCoverage } from '../control/coverage-table.ts';
import type { Coverage } from '../index.ts';
import type { Started } from '../mock/create.ts';
import type { Process } from './command.ts';

/** The environment variables that give tests the address of the mock and the credentials of its first environment. */
export const variablesOf = (
  { mock, environments: [first] }: Started,
  { controlToken }: { readonly controlToken?: string | undefined },
): Readonly<Record<string, string>> => {
  const { clientId = '', clientSecret = '', accessToken = '' } = first?.credentials ?? {};
  return {
    CA_MOCK_URL: mock.url,
    CA_MOCK_CLIENT_ID: clientId,
    CA_MOCK_CLIENT_SECRET: clientSecret,
    CA_MOCK_ACCESS_TOKEN: accessToken,
    ...(controlToken !== undefined && { CA_MOCK_CONTROL_TOKEN: controlToken }),
  };
};

interface CoverageOptions {
  /** Default: `short`. */
  readonly coverage?: 'full' | 'short' | 'off' | undefined;
  readonly minCoverage?: number | undefined;
}

/** Writes how much of the contract the run covered. @returns whether that reaches the minimum */
export const reportRun = (
  report: Coverage,
  { coverage = 'short', minCoverage = 0 }: CoverageOptions,
  stderr: Process['stderr'],
): boolean => {
  const write = coverage === 'full' ? coverageTable : shortCoverage;
  if (coverage !== 'off') stderr.write(`\n${write(report, 'this run')}`);
  if (report.percent >= minCoverage) return true;
  stderr.write(`Coverage is ${report.percent} %, less than the minimum of ${minCoverage} %.\n`);
  return false;
};
