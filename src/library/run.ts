/** A run of tests with a mock: what the tests get, and how the run is judged. */
import { existsSync, readFileSync } from 'node:fs';
import { coverageTable, shortCoverage } from '../engine/control/coverage-report.ts';
import { Unusable } from '../engine/core/errors.ts';
import { readRegularFile } from '../engine/core/files.ts';
import { defined, parseJson, valueAt } from '../engine/core/object.ts';
import type { Pact } from './calls.ts';
import { type Started, startServer } from './create.ts';
import type { MockClient } from './mock.ts';
import type { RunOptions } from './options.ts';
import { warmUp } from './warm.ts';
import { replaceText, requireReplaceable } from './write-text.ts';

/** Starts a mock for the tests of a run, warms it up, and tells the variables by which the tests find it. */
export const startForTests = async (given: RunOptions) => {
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
  const { client_id = '', client_secret = '', access_token = '' } = first ?? {};
  return {
    CA_MOCK_URL: url,
    CA_MOCK_CLIENT_ID: client_id,
    CA_MOCK_CLIENT_SECRET: client_secret,
    CA_MOCK_ACCESS_TOKEN: access_token,
    ...(controlToken !== undefined && { CA_MOCK_CONTROL_TOKEN: controlToken }),
  };
};

/** @throws MockError if the file of the Pact cannot be written; Unusable if the file to compare with cannot be read */
export const requireFiles = ({ pact, pactCheck }: RunOptions): void => {
  if (pact === undefined) return;
  if (pactCheck) readPact(pact);
  else requireReplaceable(pact);
};

/** @returns why the run fails, and a function that writes its record if the tests passed, else says so (behaviour N3) */
export const judgeRun = async (
  mock: MockClient,
  { coverage = 'short', minCoverage = 0, pact, pactCheck, pactConsumer, pactProvider }: RunOptions,
  stderr: { write(text: string): unknown },
) => {
  const report = await mock.coverage();
  const { percent } = report;
  const write = coverage === 'full' ? coverageTable : shortCoverage;
  if (coverage !== 'off') stderr.write(`\n${write(report, 'this run')}`);
  const failures =
    percent < minCoverage ? [`Coverage is ${percent}%, less than the minimum of ${minCoverage}%.`] : [];
  if (pact === undefined) return { failures, record: () => {} };
  const consumer = pactConsumer ?? nameOfPackage();
  const content = await mock.pact(defined({ consumer, provider: pactProvider }));
  if (pactCheck) failures.push(...comparePact(pact, content));
  const record = (hasPassed: boolean): void => {
    if (pactCheck) return;
    if (hasPassed) replaceText(pact, `${JSON.stringify(content, null, 2)}\n`);
    else stderr.write(`${pact} was not written, because the run failed.\n`);
  };
  return { failures, record };
};

const nameOfPackage = (): string | undefined => {
  const text = existsSync('package.json') ? readFileSync('package.json', 'utf8') : '';
  const name = valueAt(parseJson(text), 'name');
  return typeof name === 'string' && name !== '' ? name : undefined;
};

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
  const [before, after] = [partsOf(readPact(file)), partsOf(pact)];
  const lines = [...new Set([...before.keys(), ...after.keys()])]
    .filter((name) => before.get(name) !== after.get(name))
    .map((name) => `  ${!before.has(name) ? '+' : after.has(name) ? '~' : '-'} ${name}`);
  if (lines.length === 0) return [];
  const more = lines.length > MOST_LINES ? [`  and ${lines.length - MOST_LINES} more`] : [];
  const advice = `${file} is not what this run relied on (- only in the file, + only in the run, ~ otherwise there). To write it anew, run again without --pact-check.`;
  return [[advice, ...lines.slice(0, MOST_LINES), ...more].join('\n')];
};

/** What a Pact says, by name. */
const partsOf = ({ interactions = [], ...rest }: Partial<Pact> = {}): ReadonlyMap<string, string> => {
  const named = interactions.map((one) => {
    const state = valueAt(one, 'providerStates', 0, 'name');
    return [`${valueAt(one, 'description')} (${state})`, one] as const;
  });
  return new Map([...Object.entries(rest), ...named].map(([name, part]) => [name, JSON.stringify(part)]));
};
