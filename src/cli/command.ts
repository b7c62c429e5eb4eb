/** A command of the program. */
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

/** Runs a command to its end. @returns the exit code @throws what the program reports in one message */
export type Run<Table extends Options> = (given: Arguments<Table>, process: Process) => Promise<number>;

export interface Command {
  /** What follows the command's name besides options. */
  readonly operands: string;
  readonly words: string;
  readonly options: Options;
  run(argv: readonly string[], process: Process): Promise<number>;
}

/** @param load imports the command when it runs, so that no command waits for the imports of another */
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
