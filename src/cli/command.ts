/** What a command of the program is. */
import type { Options } from '../mock/option.ts';

export type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/** What a command has to do with the process it runs in. */
export interface Process {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin?: { readonly isTTY?: boolean };
  readonly stdout: { readonly isTTY?: boolean; write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  once(signal: Signal, listener: () => void): unknown;
  cwd(): string;
}

/** Runs a command to its end. @returns the exit code @throws what the program reports in one message */
export type Run = (argv: readonly string[], process: Process) => Promise<number>;

export interface Command {
  /** What follows the command's name besides options. */
  readonly operands: string;
  readonly words: string;
  readonly options: Options;
  /** The command is loaded when it runs, so that none waits for another's imports. */
  readonly load: () => Promise<Run>;
}

/** A command line that cannot be understood: the program says why, points at the help, and exits with 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
