/** What a run of tests with a mock of its own begins and ends with, whatever started it. */
import { coverageTable } from '../control/coverage-table.ts';
import type { Coverage } from '../index.ts';
import type { Started } from '../mock/create.ts';
import type { Process } from './command.ts';

/** How tests find the mock; the credentials are those of the first environment. */
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

/** Writes what of the contract was called. @returns whether that is enough */
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
