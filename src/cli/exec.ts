/**
 * `ca-mock exec`: runs a mock as long as another command runs. The command finds the address of the mock in environment
 * variables.
 */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { platform } from 'node:process';
import type { Mock } from '../index.ts';
import { startServer } from '../mock/create.ts';
import { writeText } from '../mock/write-text.ts';
import { UsageError } from './arguments.ts';
import type { Process, Run, Signal } from './command.ts';
import type { EXEC_OPTIONS } from './options.ts';
import { reportRun, variablesOf } from './run.ts';
import { keepUsed } from './used.ts';

/** Standard output belongs to the command; the mock writes to standard error. */
export const run: Run<typeof EXEC_OPTIONS> = async ({ values, operands }, process) => {
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
