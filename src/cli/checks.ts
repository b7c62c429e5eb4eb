/** The commands that check: `ca-mock coverage` and `ca-mock verify`. */
import { coverageTable } from '../engine/control/coverage-report.ts';
import { connectMock } from '../index.ts';
import { flagName, UsageError } from '../library/option.ts';
import { replaceText, requireReplaceable } from '../library/write-text.ts';
import { defaultUrl, type Run } from './arguments.ts';
import type { COVERAGE_OPTIONS, VERIFY_OPTIONS } from './options.ts';

export const printCoverage: Run<typeof COVERAGE_OPTIONS> = async ({ values, operands }, process) => {
  const { json, minCoverage = 0, controlToken } = values;
  const urls = operands.length > 0 ? operands : [defaultUrl('coverage URL', process)];
  const reports = await Promise.all(
    urls.map(async (url) => ({ url, report: await (await connectMock(url, { controlToken })).coverage() })),
  );
  for (const { url, report } of reports)
    process.stdout.write(json ? `${JSON.stringify(report)}\n` : coverageTable(report, url));
  const low = reports.filter(({ report }) => report.percent < minCoverage);
  for (const { url, report } of low)
    process.stderr.write(`${url}: ${report.percent}% is less than --min-coverage ${minCoverage}.\n`);
  return low.length === 0 ? 0 : 1;
};

export const verify: Run<typeof VERIFY_OPTIONS> = async ({ values }, process) => {
  const { baseUrl, clientId, clientSecret } = values;
  if (baseUrl === undefined || clientId === undefined || clientSecret === undefined) {
    const required = Object.entries({ baseUrl, clientId, clientSecret });
    const missing = required.flatMap(([name, value]) => (value === undefined ? [flagName(name)] : []));
    throw new UsageError(`verify needs ${missing.join(' and ')}.`);
  }
  if (values.junit !== undefined) requireReplaceable(values.junit);
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  process.once('SIGTERM', () => stop.abort());
  const { runVerify } = await import('../conformance/verify.ts'); // imported on demand: `verify.ts` loads a lot of code
  return runVerify(
    { ...values, baseUrl, clientId, clientSecret, signal: stop.signal },
    { out: (text) => process.stdout.write(text), file: replaceText },
  );
};
