/** `ca-mock exec`: starts a mock, and runs a command that finds the mock through environment variables. */
import { constants } from 'node:os';
import { resolve } from 'node:path';
import spawn from 'cross-spawn';
import { startServer } from '../library/create.ts';
import type { MockClient } from '../library/mock.ts';
import { judgeRun, requireFiles, variablesOf } from '../library/run.ts';
import { warmUp } from '../library/warm.ts';
import { replaceText, requireReplaceable } from '../library/write-text.ts';
import { type Process, type Run, type Signal, UsageError } from './arguments.ts';
import type { EXEC_OPTIONS } from './options.ts';

/** Runs a command with its own mock. The mock writes only to standard error, to keep the command's output clean. */
export const exec: Run<typeof EXEC_OPTIONS> = async ({ values, operands }, process) => {
  const { coverage, minCoverage, pact, pactConsumer, pactProvider, pactCheck, journal, ...options } = values;
  if (pact !== undefined && journal !== undefined && resolve(pact) === resolve(journal))
    throw new UsageError('--pact and --journal need a file each, but both have the same.');
  requireFiles(values);
  if (journal !== undefined) requireReplaceable(journal);
  const started = await startServer({ port: 0, log: 'pretty', ...options });
  const { mock } = started;
  try {
    const variables = variablesOf(started, options);
    await warmUp();
    const code = await runCommand(operands, { ...process.env, ...variables }, process);
    if (journal !== undefined) replaceText(journal, JSON.stringify(await readJournals(mock), null, 2));
    const { failures, record } = await judgeRun(mock, values, process.stderr);
    for (const failure of failures) process.stderr.write(`${failure}\n`);
    record(code === 0 && failures.length === 0);
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
    const child = spawn(command, args, { env, stdio: 'inherit' }); // on Windows, finds scripts such as npm.cmd
    passSignalsOn(process, (signal) => child.kill(signal));
    child.once('error', ({ code = '' }: NodeJS.ErrnoException) => {
      process.stderr.write(`${command} cannot be run: ${code}.\n`);
      resolve(NOT_STARTED[code] ?? 1);
    });
    child.once('close', (code, signal) => resolve(code ?? 128 + constants.signals[signal ?? 'SIGTERM']));
  });

/** Passes signals on, except Ctrl-C in a terminal, which sends it to the command too: twice could kill the command. */
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
