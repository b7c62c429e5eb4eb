/**
 * `ca-mock exec`: starts a mock, and runs a command that finds the mock through environment variables. The setups of
 * test runners share parts of this code.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { platform } from 'node:process';
import { readUsed, type Used, withReads } from '../conformance/used/used.ts';
import { type Started, startServer } from '../library/create.ts';
import type { MockClient } from '../library/mock.ts';
import { writeText } from '../library/write-text.ts';
import { coverageTable, shortCoverage } from '../server/control/coverage-report.ts';
import { type Process, type Run, type Signal, UsageError } from './arguments.ts';
import type { EXEC_OPTIONS, ReportOptions } from './options.ts';

/** Runs a command with its own mock. The mock writes only to standard error, to keep the command's output clean. */
export const exec: Run<typeof EXEC_OPTIONS> = async ({ values, operands }, process) => {
  const { coverage, minCoverage, used, usedCheck, journal, ...options } = values;
  if (usedCheck && used === undefined) throw new UsageError('--used-check needs --used FILE.');
  const started = await startServer({ port: 0, log: 'pretty', ...options });
  const { mock } = started;
  try {
    const variables = variablesOf(started, options);
    const code = await runCommand(operands, { ...process.env, ...variables }, process);
    const saveJournal = async (): Promise<void> => {
      if (journal !== undefined) writeText(journal, JSON.stringify(await readJournals(mock), null, 2));
    };
    const judged = judgeRun(mock, { coverage, minCoverage, used, usedCheck }, process.stderr);
    const failures = await judged.finally(saveJournal); // saves the journal even if the `--used` file cannot be read
    for (const failure of failures) process.stderr.write(`${failure}\n`);
    return failures.length === 0 ? code : code || 1;
  } finally {
    await mock.close();
  }
};

/** The exit codes that shells use for a command that is missing or not executable. */
const NOT_STARTED: Readonly<Record<string, number>> = { ENOENT: 127, EACCES: 126 };

/** @returns the exit code of the command, or 128 plus the number of the signal that ended it */
const runCommand = (
  [command = '', ...args]: readonly string[],
  env: Process['env'],
  process: Process,
): Promise<number> =>
  new Promise((resolve) => {
    const child = spawn(command, args, { env, stdio: 'inherit', shell: platform === 'win32' });
    passSignalsOn(process, (signal) => child.kill(signal));
    child.once('error', ({ code = '' }: NodeJS.ErrnoException) => {
      process.stderr.write(`${command} cannot be run: ${code}.\n`);
      resolve(NOT_STARTED[code] ?? 1);
    });
    child.once('close', (code, signal) => resolve(code ?? 128 + constants.signals[signal ?? 'SIGTERM']));
  });

/**
 * Passes signals on to the command, except a Ctrl-C in a terminal: the terminal also sends this Ctrl-C to the command,
 * and receiving Ctrl-C twice could kill the command.
 */
const passSignalsOn = (process: Process, pass: (signal: Signal) => void): void => {
  const listen = (signal: Signal): void => {
    process.once(signal, () => {
      if (signal !== 'SIGINT' || !process.stdin?.isTTY) pass(signal);
      listen(signal);
    });
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) listen(signal);
};

/** The calls of all environments in one HTTP Archive. Each call has a custom field with the name of its environment. */
const readJournals = async (mock: MockClient): Promise<object> => {
  const environments = await mock.environments();
  const archives = await Promise.all(
    environments.map(async (environment) => {
      const { log } = await environment.har();
      const entries = log.entries as readonly object[];
      return { log, entries: entries.map((entry) => ({ ...entry, _environment: environment.name })) };
    }),
  );
  return { log: { ...archives[0]?.log, entries: archives.flatMap(({ entries }) => entries) } };
};

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
    ...(controlToken !== undefined && { CA_MOCK_CONTROL_TOKEN: controlToken }),
  };
};

/**
 * Writes the reports after a test run, and checks the run.
 * @returns the reasons why the run fails; an empty list if it passes
 * @throws Unusable if `usedCheck` is set and the file `used` cannot be read; MockError if that file cannot be written
 */
export const judgeRun = async (
  mock: MockClient,
  { coverage = 'short', minCoverage = 0, used, usedCheck }: ReportOptions,
  stderr: Process['stderr'],
): Promise<readonly string[]> => {
  const report = await mock.coverage();
  const { percent } = report;
  const write = coverage === 'full' ? coverageTable : shortCoverage;
  if (coverage !== 'off') stderr.write(`\n${write(report, 'this run')}`);
  const low =
    percent < minCoverage ? [`Coverage is ${percent}%, less than the minimum of ${minCoverage}%.`] : [];
  if (used === undefined) return low;
  const uses = await mock.used();
  if (usedCheck) return [...low, ...compareUsed(used, uses)];
  writeText(used, `${JSON.stringify(withReads(uses, used), null, 2)}\n`);
  return low;
};

/** Compares this run with an earlier run. @returns a list with one message about all differences, or an empty list */
export const compareUsed = (file: string, used: Used): readonly string[] => {
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
const namesIn = ({ operations }: Used): readonly string[] =>
  Object.entries(operations).flatMap(([operation, { sends, gets }]) => [
    ...sends.map((name) => `${operation} request: ${name}`),
    ...Object.entries(gets).flatMap(([status, names]) => [
      `${operation} reply ${status}`,
      ...names.map((name) => `${operation} reply ${status}: ${name}`),
    ]),
  ]);
