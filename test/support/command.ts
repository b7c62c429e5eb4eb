/** Runs a CLI command in this process. Returns its exit code and output. */
import type { Process, Signal } from '../../src/cli/arguments.ts';
import { runProgram } from '../../src/cli/program.ts';

interface Surroundings extends Partial<Pick<Process, 'once' | 'stdin'>> {
  readonly env?: Record<string, string>;
  readonly cwd?: string;
  /** Whether standard output is a terminal. */
  readonly isTTY?: boolean;
  /** Called after each write to standard output, with all that was written. */
  readonly onOut?: (out: string) => void;
}

export const runCommand = async (
  argv: readonly string[],
  { env = {}, cwd = process.cwd(), isTTY = false, once = () => {}, onOut, ...more }: Surroundings = {},
) => {
  const written = { out: '', err: '' };
  const code = await runProgram(argv, {
    env,
    stdout: {
      isTTY,
      write: (text: string) => {
        written.out += text;
        onOut?.(written.out);
      },
    },
    stderr: { isTTY, write: (text: string) => (written.err += text) },
    once,
    cwd: () => cwd,
    ...more,
  });
  return { code, ...written };
};

/** The listeners of a command for signals. `send` calls the last one, once. */
export const signals = () => {
  const listeners = new Map<Signal, () => void>();
  return {
    once: (signal: Signal, listener: () => void): void => void listeners.set(signal, listener),
    send: (signal: Signal): void => {
      const listener = listeners.get(signal);
      listeners.delete(signal);
      listener?.();
    },
  };
};
