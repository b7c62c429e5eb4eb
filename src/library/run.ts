/** A run of tests with a mock: what the tests get, and how the run is judged. */
import { existsSync, readFileSync } from 'node:fs';
import { coverageTable, shortCoverage } from '../engine/control/coverage-report.ts';
import { defined, parseJson, valueAt } from '../engine/core/object.ts';
import type { Started } from './create.ts';
import type { MockClient } from './mock.ts';
import { comparePact, readPact } from './pact-file.ts';
import type { ReportOptions } from './run-options.ts';
import { replaceText, requireReplaceable } from './write-text.ts';

/** Variables that tell tests the address of the mock and the credentials of its first environment. */
export const variablesOf = (
  { mock, environments: [first] }: Pick<Started, 'environments'> & { readonly mock: MockClient },
  { controlToken }: { readonly controlToken?: string | undefined },
): Readonly<Record<string, string>> => {
  const { clientId = '', clientSecret = '', accessToken = '' } = first?.credentials ?? {};
  return {
    CA_MOCK_URL: mock.url,
    CA_MOCK_CLIENT_ID: clientId,
    CA_MOCK_CLIENT_SECRET: clientSecret,
    CA_MOCK_ACCESS_TOKEN: accessToken,
    ...(!process.env.CA_MOCK_KEEP && { CA_MOCK_KEEP: 'none' }), // the mock ends with the run, and its environments too
    ...(controlToken !== undefined && { CA_MOCK_CONTROL_TOKEN: controlToken }),
  };
};

/** @throws MockError if the file of the Pact cannot be written; Unusable if the file to compare with cannot be read */
export const requireFiles = ({ pact, pactCheck }: ReportOptions): void => {
  if (pact === undefined) return;
  if (pactCheck) readPact(pact);
  else requireReplaceable(pact);
};

/** The end of a run: why it fails, and what is written only if it passes (behaviour N3). */
export interface Judged {
  readonly failures: readonly string[];
  /** Writes the record of the run if the tests passed too, else says so. @throws MockError if the file cannot be written */
  record(hasPassed: boolean): void;
}

export const judgeRun = async (
  mock: MockClient,
  { coverage = 'short', minCoverage = 0, pact, pactCheck, pactConsumer, pactProvider }: ReportOptions,
  stderr: { write(text: string): unknown },
): Promise<Judged> => {
  const report = await mock.coverage();
  const { percent } = report;
  const write = coverage === 'full' ? coverageTable : shortCoverage;
  if (coverage !== 'off') stderr.write(`\n${write(report, 'this run')}`);
  const isLow = percent < minCoverage;
  const low = isLow ? [`Coverage is ${percent}%, less than the minimum of ${minCoverage}%.`] : [];
  if (pact === undefined) return { failures: low, record: () => {} };
  const consumer = pactConsumer ?? nameOfPackage();
  const content = await mock.pact(defined({ consumer, provider: pactProvider }));
  if (pactCheck) return { failures: [...low, ...comparePact(pact, content)], record: () => {} };
  return {
    failures: low,
    record: (hasPassed) => {
      if (hasPassed) replaceText(pact, `${JSON.stringify(content, null, 2)}\n`);
      else stderr.write(`${pact} was not written, because the run failed.\n`);
    },
  };
};

const nameOfPackage = (): string | undefined => {
  const text = existsSync('package.json') ? readFileSync('package.json', 'utf8') : '';
  const name = valueAt(parseJson(text), 'name');
  return typeof name === 'string' && name !== '' ? name : undefined;
};
