/** What each command of the program consists of. */
import type { Options } from '../mock/option.ts';
import { type Arguments, readArguments } from './arguments.ts';

export type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/** The parts of its process that a command uses. */
export interface Process {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin?: { readonly isTTY?: boolean };
  readonly stdout: { readonly isTTY?: boolean; write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  once(signal: Signal, listener: () => void): unknown;
  cwd(): string;
}

/** Runs a command to its end. @returns the exit code @throws an error that the program prints as one message */
export type Run<Table extends Options> = (given: Arguments<Table>, process: Process) => Promise<number>;

export interface Command {
  /** The operands after the command's name, as the help text shows them. */
  readonly operands: string;
  readonly words: string;
  readonly options: Options;
  run(argv: readonly string[], process: Process): Promise<number>;
}

/** @param load imports the command when it runs, so that a command does not load the code of other commands */
export const command = <Table extends Options>(
  operands: string,
  words: string,
  options: Table,
  load: () => Promise<{ readonly run: Run<Table> }>,
): Command => ({
  operands,
  words,
  options,
  run: async (argv, process) => {
    const given = readArguments(argv, options, process.env, operands);
    return (await load()).run(given, process);
  },
});
