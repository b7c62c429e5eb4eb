#!/usr/bin/env node
/** `ca-mock`: picks the command and turns what it throws into one message and an exit code. */
import module from 'node:module';
import { didYouMean } from '../core/nearest.ts';
import { describe } from '../mock/log.ts';
import { packageVersion } from '../openapi/package-root.ts';
import { UsageError } from './arguments.ts';
import type { Command } from './command.ts';
import { COMMANDS, DEFAULT_COMMAND } from './commands.ts';

const runProgram = async (argv: readonly string[]): Promise<number> => {
  const [first] = argv;
  const named = first === undefined || first.startsWith('-') ? undefined : first;
  const own = argv.slice(0, argv.includes('--') ? argv.indexOf('--') : undefined); // the rest is another program's
  if (named === 'help') return showHelp(argv[1]);
  if (own.some((argument) => argument === '--help' || argument === '-h')) return showHelp(named);
  if (own.some((argument) => argument === '--version' || argument === '-v')) {
    process.stdout.write(`${packageVersion()}\n`);
    return 0;
  }
  return named === undefined
    ? DEFAULT_COMMAND.run(argv, process)
    : findCommand(named).run(argv.slice(1), process);
};

const showHelp = async (name: string | undefined): Promise<number> => {
  const { commandHelp, helpText } = await import('./help.ts');
  const isOfAll = name === undefined || name === 'help';
  process.stdout.write(isOfAll ? helpText() : commandHelp(name, findCommand(name)));
  return 0;
};

const findCommand = (name: string): Command => {
  const command = COMMANDS.get(name);
  if (command) return command;
  throw new UsageError(`There is no command "${name}".${didYouMean(name, [...COMMANDS.keys(), 'help'])}`);
};

const report = (error: unknown): number => {
  const message = describe(error);
  const isUsageError = error instanceof UsageError;
  process.stderr.write(
    isUsageError
      ? `ca-mock: ${message}\nCommands and flags: ca-mock help, ca-mock help COMMAND\n`
      : `${message}\n`,
  );
  return isUsageError ? 2 : 1;
};

/**
 * Keeps the server running if its reader closes the pipe after the ready line or the disk is full. Reports it once,
 * if it still can.
 */
const surviveFailedOutput = (): void => {
  let isSaid = false;
  process.stderr.on('error', () => {});
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code !== 'EPIPE' && !isSaid) process.stderr.write(`Standard output cannot be written: ${code}.\n`);
    isSaid = true;
  });
};

surviveFailedOutput();
// From Node 22.8 on, later starts reuse what the first one compiled.
(module as { enableCompileCache?: () => unknown }).enableCompileCache?.();
void runProgram(process.argv.slice(2))
  .catch(report)
  .then((code) => {
    process.exitCode = code;
  });
