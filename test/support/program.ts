/** Runs the built program as a user does: as a separate process, which a signal stops. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

export type Program = ReturnType<typeof builtProgram>;
export type Running = Awaited<ReturnType<Program['serve']>>;

export const builtProgram = () => {
  const folder = process.env.BUILT_MOCK ?? '';
  const started: ReturnType<typeof startProcess>[] = [];
  const start = (args: readonly string[], options: RunOptions = {}) => {
    const child = startProcess(folder, args, options);
    started.push(child);
    return child;
  };
  return {
    /** The folder of the built files. */
    folder,
    /** Runs the program to its end. */
    run: (args: readonly string[], options?: RunOptions) => start(args, options).finished,
    /** Starts the program, and waits until it prints its address. @throws Error if the program ends first */
    serve: async (args: readonly string[], options?: RunOptions) => {
      const child = start(args, options);
      const [url = ''] = /https?:\/\/[^\s"]+/.exec(await child.untilSaid('://')) ?? [];
      return { url, ...child };
    },
    /** Stops all running programs. */
    stop: async () => {
      await Promise.all(started.map((child) => child.stop()));
    },
  };
};

const startProcess = (folder: string, args: readonly string[], { env = {}, cwd = folder }: RunOptions) => {
  const child = spawn(process.execPath, [join(folder, 'cli.js'), ...args], {
    cwd,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { stdout: '', stderr: '' };
  const listeners = new Set<() => void>();
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
      for (const listener of listeners) listener();
    });
  }
  const finished = new Promise<{ code: number | null } & typeof said>((done) => {
    child.once('close', (code) => done({ code, ...said }));
  });
  return {
    finished,
    /** Resolves with the whole standard output as soon as standard output or standard error contains the text. */
    untilSaid: (text: string) =>
      new Promise<string>((done, fail) => {
        const listen = (): void => {
          if (said.stdout.includes(text) || said.stderr.includes(text)) done(said.stdout);
        };
        listeners.add(listen);
        finished.then(({ code, stderr }) =>
          fail(new Error(`The program ended with ${code} before it printed "${text}". ${stderr}`)),
        );
        listen();
      }),
    /** Closes the pipe of standard output, as `head -n 1` does. */
    closeOutput: () => child.stdout.destroy(),
    stop: (signal: NodeJS.Signals = 'SIGTERM') => {
      child.kill(signal);
      return finished;
    },
  };
};
