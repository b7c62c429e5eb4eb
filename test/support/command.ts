/** Runs a CLI command in this process. Returns its exit code and output. */
import { runProgram } from '../../src/cli/program.ts';

export const runCommand = async (
  argv: readonly string[],
  { env = {}, cwd = process.cwd() }: { readonly env?: Record<string, string>; readonly cwd?: string } = {},
) => {
  const written = { out: '', err: '' };
  const code = await runProgram(argv, {
    env,
    stdout: { write: (text: string) => (written.out += text) },
    stderr: { write: (text: string) => (written.err += text) },
    once: () => undefined,
    cwd: () => cwd,
  });
  return { code, ...written };
};
