/**
 * `ca-mock coverage`: shows how much of the contract was called on running mocks, for each mock or for all together.
 */
import { type CoverageReport, mergeReports } from '../control/coverage-report.ts';
import { coverageTable } from '../control/coverage-table.ts';
import { connectMock } from '../index.ts';
import { DEFAULTS } from '../mock/options.ts';
import type { Run } from './command.ts';
import type { COVERAGE_OPTIONS } from './options.ts';

export const run: Run<typeof COVERAGE_OPTIONS> = async ({ values, operands }, process) => {
  const { merge, json, minCoverage = 0, controlToken } = values;
  const urls = operands.length > 0 ? operands : [process.env.CA_MOCK_URL ?? DEFAULTS.url];
  const single = await Promise.all(
    urls.map(async (url) => ({
      of: url,
      report: await (await connectMock(url, { controlToken })).coverage(),
    })),
  );
  const shown: readonly { of: string; report: CoverageReport }[] = merge
    ? [{ of: urls.join(', '), report: mergeReports(single.map(({ report }) => report)) }]
    : single;
  for (const { of, report } of shown)
    process.stdout.write(json ? `${JSON.stringify(report)}\n` : coverageTable(report, of));
  const low = shown.filter(({ report }) => report.percent < minCoverage);
  for (const { of, report } of low)
    process.stderr.write(`${of}: ${report.percent} % is less than --min-coverage ${minCoverage}.\n`);
  return low.length === 0 ? 0 : 1;
};
