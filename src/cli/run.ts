/** Begins and ends a run of tests that has its own mock, whatever started the run. */
import { coverageTable } from '../control/coverage-table.ts';
import type { Coverage } from '../index.ts';
import type { Started } from '../mock/create.ts';
import type { Process } from './command.ts';

/** The variables by which tests find the mock, with the credentials of its first environment. */
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

/** Writes the coverage of the contract. @returns whether it reaches the minimum */
export const reportRun = (
  coverage: Coverage,
  minCoverage: number | undefined,
  stderr: Process['stderr'],
): boolean => {
  stderr.write(`\n${coverageTable(coverage, 'this run')}`);
  if (coverage.percent >= (minCoverage ?? 0)) return true;
  stderr.write(`Coverage is ${coverage.percent} %, less than the minimum of ${minCoverage} %.\n`);
  return false;
};
