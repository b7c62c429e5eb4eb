/** A run of tests with a mock: what the tests get, and how the run is judged. */
import { existsSync, readFileSync } from 'node:fs';
import { readUsed, type UsedFile, withReads } from '../conformance/used/used.ts';
import { parseJson, valueAt } from '../core/object.ts';
import { coverageTable, shortCoverage } from '../server/control/coverage-report.ts';
import type { Started } from './create.ts';
import type { MockClient } from './mock.ts';
import type { ReportOptions } from './run-options.ts';
import { requireWritable, writeText } from './write-text.ts';

/** Variables that tell tests the address of the mock and the credentials of its first environment. */
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
    ...(!process.env.CA_MOCK_KEEP && { CA_MOCK_KEEP: 'none' }), // the mock ends with the run, and its environments too
    ...(controlToken !== undefined && { CA_MOCK_CONTROL_TOKEN: controlToken }),
  };
};

/** @throws MockError if a file of the reports cannot be written; Unusable if the file to compare with cannot be read */
export const requireFiles = ({ used, usedCheck, pact }: ReportOptions): void => {
  if (pact !== undefined) requireWritable(pact);
  if (used === undefined) return;
  if (!usedCheck) requireWritable(used);
  if (existsSync(used)) readUsed(used);
};

/** The end of a run: why it fails, and what is written only if it passes (behaviour N3). */
export interface Judged {
  readonly failures: readonly string[];
  /** Writes the record of the run if the tests passed too, else says so. @throws MockError if the file cannot be written */
  record(hasPassed: boolean): void;
}

export const judgeRun = async (
  mock: MockClient,
  { coverage = 'short', minCoverage = 0, used, usedCheck, pact, pactConsumer }: ReportOptions,
  stderr: { write(text: string): unknown },
): Promise<Judged> => {
  const report = await mock.coverage();
  const { percent } = report;
  const write = coverage === 'full' ? coverageTable : shortCoverage;
  if (coverage !== 'off') stderr.write(`\n${write(report, 'this run')}`);
  const low =
    percent < minCoverage ? [`Coverage is ${percent}%, less than the minimum of ${minCoverage}%.`] : [];
  const uses = used === undefined ? undefined : await mock.used();
  const interactions = pact === undefined ? undefined : await mock.pact(pactConsumer ?? nameOfPackage());
  return {
    failures: used !== undefined && uses && usedCheck ? [...low, ...compareUsed(used, uses)] : low,
    record: (hasPassed) => {
      const write = (file: string | undefined, content: object | undefined): void => {
        if (file === undefined || content === undefined) return;
        if (hasPassed) writeText(file, `${JSON.stringify(content, null, 2)}\n`);
        else stderr.write(`${file} was not written, because the run failed.\n`);
      };
      if (used !== undefined && uses && !usedCheck) write(used, withReads(uses, used));
      write(pact, interactions);
    },
  };
};

const nameOfPackage = (): string | undefined => {
  const text = existsSync('package.json') ? readFileSync('package.json', 'utf8') : '';
  const name = valueAt(parseJson(text), 'name');
  return typeof name === 'string' && name !== '' ? name : undefined;
};

/** Compares this run with an earlier run. @returns a list with one message about all differences, or an empty list */
export const compareUsed = (file: string, used: UsedFile): readonly string[] => {
  const before = existsSync(file) ? namesIn(readUsed(file)) : [];
  const after = namesIn(used);
  const lines = [
    ...after.filter((name) => !before.includes(name)).map((name) => `  + ${name}`),
    ...before.filter((name) => !after.includes(name)).map((name) => `  - ${name}`),
  ];
  if (lines.length === 0) return [];
  const advice = 'To update the file, run again without --used-check.';
  return [
    [`${file} does not list exactly the parts of the API that this run used. ${advice}`, ...lines].join('\n'),
  ];
};

/** Lists what an application used, such as `listConnections request: include=all` and `listConnections reply 200`. */
const namesIn = ({ operations }: UsedFile): readonly string[] =>
  Object.entries(operations).flatMap(([operation, { sends, gets }]) => [
    ...sends.map((name) => `${operation} request: ${name}`),
    ...Object.entries(gets).flatMap(([status, names]) => [
      `${operation} reply ${status}`,
      ...names.map((name) => `${operation} reply ${status}: ${name}`),
    ]),
  ]);
