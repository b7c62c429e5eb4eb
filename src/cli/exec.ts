/**
 * Runs tests with their own mock: `ca-mock exec`, and the code that it shares with the setups of test runners. The tests
 * find the address of the mock in environment variables.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { platform } from 'node:process';
import { coverageTable, shortCoverage } from '../control/coverage-report.ts';
import type { Coverage, Mock } from '../index.ts';
import { type Started, startServer } from '../mock/create.ts';
import { writeText } from '../mock/write-text.ts';
import { readUsed, type Used } from '../relied-on/used.ts';
import { type Process, type Run, type Signal, UsageError } from './arguments.ts';
import type { EXEC_OPTIONS } from './options.ts';

/** Standard output belongs to the command; the mock writes to standard error. */
export const exec: Run<typeof EXEC_OPTIONS> = async ({ values, operands }, process) => {
  const { coverage, minCoverage, journal, used, usedCheck, ...options } = values;
  if (usedCheck && used === undefined) throw new UsageError('--used-check needs --used FILE.');
  const started = await startServer({ port: 0, log: 'pretty', ...options });
  const { mock } = started;
  try {
    const variables = variablesOf(started, options);
    const code = await runCommand(operands, { ...process.env, ...variables }, process);
    const isEnough = reportRun(await mock.coverage(), { coverage, minCoverage }, process.stderr);
    if (journal !== undefined) writeText(journal, JSON.stringify(await wholeJournal(mock), null, 2));
    const isSame = keepUsed(await mock.used(), { used, usedCheck }, process.stderr);
    return isEnough && isSame ? code : code || 1;
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
 * Passes signals on to the command, except Ctrl-C: a terminal sends Ctrl-C to the command itself, and a second Ctrl-C
 * could kill it.
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

/**
 * The calls of all environments that exist at the end. Each call names its environment in a custom field, as HTTP
 * Archive 1.2 allows.
 */
const wholeJournal = async (mock: Mock): Promise<object> => {
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

/** How a run is judged when it ends. */
interface ReportOptions {
  /** Default: `short`. */
  readonly coverage?: 'full' | 'short' | 'off' | undefined;
  readonly minCoverage?: number | undefined;
  /** The file to which the run writes what it relied on, or with which the run is compared. */
  readonly used?: string | undefined;
  readonly usedCheck?: boolean | undefined;
}

/** Writes how much of the contract the run covered. @returns whether the coverage reaches the minimum */
export const reportRun = (
  report: Coverage,
  { coverage = 'short', minCoverage = 0 }: ReportOptions,
  stderr: Process['stderr'],
): boolean => {
  const write = coverage === 'full' ? coverageTable : shortCoverage;
  if (coverage !== 'off') stderr.write(`\n${write(report, 'this run')}`);
  if (report.percent >= minCoverage) return true;
  stderr.write(`Coverage is ${report.percent}%, less than the minimum of ${minCoverage}%.\n`);
  return false;
};

/** Writes the file of uses, or compares the run with it. @returns false if the comparison finds a difference @throws Unusable */
export const keepUsed = (
  used: Used,
  { used: file, usedCheck }: ReportOptions,
  stderr: Process['stderr'],
): boolean => {
  if (file === undefined) return true;
  if (!usedCheck) {
    writeText(file, `${JSON.stringify(used, null, 2)}\n`);
    return true;
  }
  const before = existsSync(file) ? namesIn(readUsed(file)) : [];
  const after = namesIn(used);
  const lines = [
    ...after.filter((name) => !before.includes(name)).map((name) => `  + ${name}\n`),
    ...before.filter((name) => !after.includes(name)).map((name) => `  - ${name}\n`),
  ];
  if (lines.length === 0) return true;
  stderr.write(
    `\n${file} differs from what this run used. To update the file, run again without --used-check.\n${lines.join('')}`,
  );
  return false;
};

/** Each use as a line: `listConnections sends include=all`, `listConnections gets 200 connections[].id`. */
const namesIn = ({ operations }: Used): readonly string[] =>
  Object.entries(operations).flatMap(([operation, { sends, gets }]) => [
    ...sends.map((name) => `${operation} sends ${name}`),
    ...Object.entries(gets).flatMap(([status, names]) => [
      `${operation} gets ${status}`,
      ...names.map((name) => `${operation} gets ${status} ${name}`),
    ]),
  ]);
