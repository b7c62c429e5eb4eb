/** `ca-mock exec`: runs a command that finds a mock, new or already running, through environment variables. */
import { constants } from 'node:os';
import { resolve } from 'node:path';
import spawn from 'cross-spawn';
import type { ControlReply } from '../library/ask.ts';
import { connectMock } from '../library/client.ts';
import { formatCall, oneLine } from '../library/log.ts';
import type { MockClient } from '../library/mock.ts';
import { type FlagValues, flagName, UsageError } from '../library/option.ts';
import { START_OPTIONS } from '../library/options.ts';
import { judgeRun, requireFiles, startForTests, variablesOf } from '../library/run.ts';
import { replaceText, requireReplaceable } from '../library/write-text.ts';
import type { Process, Run, Signal } from './arguments.ts';
import type { EXEC_OPTIONS } from './options.ts';

/** Runs a command with a mock. The mock writes only to standard error, to keep the command's output clean. */
export const exec: Run<typeof EXEC_OPTIONS> = async ({ values, operands, flags }, process) => {
  const { pact, journal } = values;
  if (pact !== undefined && journal !== undefined && resolve(pact) === resolve(journal))
    throw new UsageError('--pact and --journal need a file each, but both have the same.');
  requireFiles(values);
  if (journal !== undefined) requireReplaceable(journal);
  const { mock, variables } = await openMock(values, flags, process);
  const { stderr } = process;
  try {
    if (stderr.isTTY) stderr.write(`The mock is ready at ${mock.url}, its console at ${mock.url}/_mock/\n`);
    const code = await runCommand(operands, { ...process.env, ...variables }, process);
    const { archive, refused, refused_control } = await mock.ask('getRun'); // of deleted environments too (behaviour N7)
    if (journal !== undefined) replaceText(journal, JSON.stringify(archive, null, 2));
    tell('Control calls that were refused', refused_control, stderr);
    if (code !== 0) tell('API calls that were refused, or that no operation has', refused, stderr);
    const { failures, record } = await judgeRun(mock, values, stderr);
    for (const failure of failures) stderr.write(`${failure}\n`);
    record(code === 0 && failures.length === 0);
    return failures.length === 0 ? code : code || 1;
  } finally {
    await mock.close();
  }
};

/** The mock that runs already, if `CA_MOCK_URL` has its address (behaviour N7); else a new one. */
const openMock = async (
  values: FlagValues<typeof EXEC_OPTIONS>,
  flags: readonly string[],
  { env }: Process,
): Promise<{ mock: MockClient; variables: Process['env'] }> => {
  const { journal, ...options } = values;
  if (!env.CA_MOCK_URL) return startForTests(options);
  const lost = flags.find((name) => name !== 'controlToken' && Object.hasOwn(START_OPTIONS, name));
  if (lost !== undefined)
    throw new UsageError(
      `${flagName(lost)} has no effect: exec uses the mock that runs at ${env.CA_MOCK_URL} (CA_MOCK_URL). Leave the flag out, or unset CA_MOCK_URL.`,
    );
  const { controlToken } = options;
  const mock = await connectMock(env.CA_MOCK_URL, { controlToken });
  const { environments } = await mock.ask('listEnvironments');
  return { mock, variables: { ...variablesOf(mock, environments, controlToken), ...env } };
};

/** Lists calls on standard error, if there are any. */
const tell = (
  what: string,
  { total, first }: ControlReply<'getRun'>['refused'],
  stderr: Process['stderr'],
): void => {
  if (total === 0) return;
  const lines = first.map((call) => `  ${formatCall(call)}`);
  const more = total > first.length ? [`  and ${total - first.length} more`] : [];
  stderr.write(`${[`${what}:`, ...lines, ...more].map(oneLine).join('\n')}\n`);
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
      const isQuoted = code === 'ENOENT' && args.length === 0 && /\s/.test(command);
      const advice = isQuoted ? ` Leave the quotes out: ca-mock exec -- ${command}` : '';
      process.stderr.write(`${command} cannot be run: ${code}.${advice}\n`);
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
