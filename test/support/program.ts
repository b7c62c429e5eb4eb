/** Runs the built program as a user does: as a separate process, which a signal stops. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

type Signal = 'SIGINT' | 'SIGTERM' | 'SIGKILL';

export interface Running {
  /** The address that the program prints. */
  readonly url: string;
  /** Resolves with the whole standard output as soon as standard output or standard error has the text. */
  untilSaid(text: string): Promise<string>;
  /** Closes the pipe of standard output, as `head -n 1` does. */
  closeOutput(): void;
  stop(signal?: Signal): Promise<Finished>;
}

export interface Program {
  /** The folder of the built files. */
  readonly folder: string;
  /** Runs the program to its end. */
  run(args: readonly string[], options?: RunOptions): Promise<Finished>;
  /** Starts the program, and waits until it prints its address. @throws Error if the program ends before */
  serve(args: readonly string[], options?: RunOptions): Promise<Running>;
  /** Stops all running programs. */
  stop(): Promise<void>;
}

export const builtProgram = (): Program => {
  const folder = process.env.CA_MOCK_BUILT ?? '';
  const started = new Set<Talk>();
  const open = (args: readonly string[], options: RunOptions): Talk => {
    const talk = startProcess(folder, args, options);
    started.add(talk);
    return talk;
  };
  return {
    folder,
    run: (args, options = {}) => open(args, options).finished,
    serve: async (args, options = {}) => {
      const talk = open(args, options);
      const stdout = await talk.untilSaid('://');
      const [url = ''] = /https?:\/\/[^\s"]+/.exec(stdout) ?? [];
      const closeOutput = () => talk.child.stdout?.destroy();
      return {
        url,
        untilSaid: talk.untilSaid,
        closeOutput,
        stop: (signal = 'SIGTERM') => stopProcess(talk, signal),
      };
    },
    stop: async () => {
      await Promise.all([...started].map((talk) => stopProcess(talk, 'SIGTERM')));
    },
  };
};

interface Talk {
  readonly child: ChildProcess;
  readonly finished: Promise<Finished>;
  readonly untilSaid: (text: string) => Promise<string>;
}

const startProcess = (folder: string, args: readonly string[], { env = {}, cwd }: RunOptions): Talk => {
  const child = spawn(process.execPath, [join(folder, 'cli.js'), ...args], {
    cwd: cwd ?? folder,
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
  const finished = new Promise<Finished>((done) => {
    child.once('close', (code) => done({ code, ...said }));
  });
  const untilSaid = (text: string): Promise<string> =>
    new Promise((done, fail) => {
      const listen = (): void => {
        if (said.stdout.includes(text) || said.stderr.includes(text)) done(said.stdout);
      };
      listeners.add(listen);
      finished.then(({ code, stderr }) =>
        fail(new Error(`It ended with ${code} before it said "${text}". ${stderr}`)),
      );
      listen();
    });
  return { child, finished, untilSaid };
};

const stopProcess = ({ child, finished }: Talk, signal: Signal): Promise<Finished> => {
  child.kill(signal);
  return finished;
};
