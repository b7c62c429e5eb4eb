/** The commands of the program, one file each. A command is loaded when it runs, so that none waits for another's imports. */

/** What a command has to do with the process it runs in. */
export interface Process {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: { readonly isTTY?: boolean; write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  once(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
  cwd(): string;
}

/** Runs a command to its end. @returns the exit code @throws what the program reports in one message */
export type Run = (argv: readonly string[], process: Process) => Promise<number>;

export interface Command {
  /** What follows the command's name. */
  readonly operands: string;
  readonly summary: string;
  readonly load: () => Promise<Run>;
}

export const DEFAULT_COMMAND = 'start';

/** By name, in the order of the help text. */
export const COMMANDS: ReadonlyMap<string, Command> = new Map(
  Object.entries({
    start: {
      operands: '',
      summary: 'serve the mock; the default command',
      load: async () => (await import('./start.ts')).start,
    },
    list: {
      operands: '',
      summary: 'the scenarios there are, a line each',
      load: async () => (await import('./list.ts')).list,
    },
    validate: {
      operands: '[FILE...]',
      summary: 'check scenario files; without any, all there are',
      load: async () => (await import('./validate.ts')).validate,
    },
    init: {
      operands: '[FILE]',
      summary:
        'write a small commented scenario to start from; as JSON, without comments, if FILE ends in .json',
      load: async () => (await import('./init.ts')).init,
    },
    verify: {
      operands: '',
      summary: 'run the conformance suite against a server, this mock or another',
      load: async () => (await import('./verify.ts')).verify,
    },
  }),
);
