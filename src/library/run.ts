/** A run of tests with a mock: what the tests get, and how the run is judged. */
import { existsSync, readFileSync } from 'node:fs';
import { coverageTable, shortCoverage } from '../engine/control/coverage-report.ts';
import { Unusable } from '../engine/core/errors.ts';
import { readRegularFile } from '../engine/core/files.ts';
import { defined, parseJson, valueAt } from '../engine/core/object.ts';
import type { Pact } from './calls.ts';
import { type Started, startServer } from './create.ts';
import type { MockClient } from './mock.ts';
import type { StartOptions } from './options.ts';
import type { ReportOptions } from './run-options.ts';
import { warmUp } from './warm.ts';
import { replaceText, requireReplaceable } from './write-text.ts';

/** Starts a mock for the tests of a run, warms it up, and tells the variables by which the tests find it. */
export const startForTests = async (given: StartOptions & ReportOptions) => {
  const { coverage, minCoverage, pact, pactConsumer, pactProvider, pactCheck, ...options } = given;
  const { mock, environments } = await startServer({ port: 0, ...options });
  await warmUp();
  const kept = !process.env.CA_MOCK_KEEP && { CA_MOCK_KEEP: 'none' }; // the mock ends with the run, and its environments too
  return { mock, variables: { ...variablesOf(mock, environments, options.controlToken), ...kept } };
};

/** Variables that tell tests the address of the mock and the credentials of its first environment. */
export const variablesOf = (
  { url }: MockClient,
  [first]: Started['environments'],
  controlToken: string | undefined,
): Readonly<Record<string, string>> => {
  const { clientId = '', clientSecret = '', accessToken = '' } = first?.credentials ?? {};
  return {
    CA_MOCK_URL: url,
    CA_MOCK_CLIENT_ID: clientId,
    CA_MOCK_CLIENT_SECRET: clientSecret,
    CA_MOCK_ACCESS_TOKEN: accessToken,
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

// The file of a Pact, which is committed like a lock file.

/** @throws Unusable if there is a file, but not one with a Pact */
const readPact = (file: string): Pact | undefined => {
  if (!existsSync(file)) return undefined;
  const read = readRegularFile(file);
  if ('problem' in read) throw new Unusable(`${file} ${read.problem}. Choose another file.`);
  const pact = parseJson(read.bytes.toString('utf8').replace(/^\uFEFF/, ''));
  if (!Array.isArray(valueAt(pact, 'interactions')))
    throw new Unusable(`${file} is not a Pact. Write it with "ca-mock exec --pact ${file} -- COMMAND".`);
  return pact as Pact; // anything else that is not as in a Pact shows as a difference
};

const MOST_LINES = 20;

/** @returns a list with one message that names what differs between the file and a run, or an empty list */
const comparePact = (file: string, pact: Pact): readonly string[] => {
  const lines = differences(byDescription(readPact(file)), byDescription(pact));
  if (lines.length === 0) return [];
  const more = lines.length > MOST_LINES ? [`  and ${lines.length - MOST_LINES} more`] : [];
  const advice = `${file} is not what this run relied on. To write it anew, run again without --pact-check.`;
  return [[advice, ...lines.slice(0, MOST_LINES), ...more].join('\n')];
};

/** Interactions by their description, so that a new one is one difference. */
const byDescription = (pact: Pact | undefined): unknown => {
  if (!pact) return { interactions: {} };
  const named = pact.interactions.map((one) => {
    const states = valueAt(one, 'providerStates', 0, 'name');
    return [`${valueAt(one, 'description')} (${states})`, one] as const;
  });
  return { ...pact, interactions: Object.fromEntries(named) };
};

/** `+` for what only the run has, `-` for what only the file has, `~` for what both have with other values. */
const differences = (before: unknown, after: unknown, place = ''): readonly string[] => {
  if (before === undefined) return [`  + ${place}`];
  if (after === undefined) return [`  - ${place}`];
  if (typeof before !== 'object' || typeof after !== 'object' || before === null || after === null)
    return before === after ? [] : [`  ~ ${place}: ${JSON.stringify(before)}, now ${JSON.stringify(after)}`];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) =>
    differences(
      valueAt(before, name),
      valueAt(after, name),
      place === 'interactions' || place === '' ? name : `${place} ${name}`,
    ),
  );
};
