#!/usr/bin/env node
/** `ca-mock`: picks the command and turns what it throws into one message and an exit code. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { didYouMean } from '../core/nearest.ts';
import { packageRoot } from '../openapi/package-root.ts';
import { COMMANDS, type Command, DEFAULT_COMMAND } from './commands.ts';
import { isUsageError, UsageError } from './usage-error.ts';

const runProgram = async (argv: readonly string[]): Promise<number> => {
  if (argv.some((argument) => argument === '--help' || argument === '-h')) {
    const { helpText } = await import('./help.ts');
    process.stdout.write(helpText());
    return 0;
  }
  if (argv.includes('--version')) {
    process.stdout.write(`${readVersion()}\n`);
    return 0;
  }
  const { command, rest } = chooseCommand(argv);
  const run = await command.load();
  return run(rest, process);
};

const chooseCommand = (argv: readonly string[]): { command: Command; rest: readonly string[] } => {
  const [first] = argv;
  const isNamed = first !== undefined && !first.startsWith('-');
  const name = isNamed ? first : DEFAULT_COMMAND;
  const command = COMMANDS.get(name);
  if (!command) throw new UsageError(`There is no command "${name}".${didYouMean(name, COMMANDS.keys())}`);
  return { command, rest: isNamed ? argv.slice(1) : argv };
};

const readVersion = (): string => {
  const { version } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as {
    version: string; // the package's own file
  };
  return version;
};

const report = (error: unknown): number => {
  if (isUsageError(error)) {
    process.stderr.write(`ca-mock: ${error.message}\nAll commands and flags: ca-mock --help\n`);
    return 2;
  }
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  return 1;
};

// Whoever wants the ready line alone closes the pipe after it; that is no reason to end.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

process.exitCode = await runProgram(process.argv.slice(2)).catch(report);
