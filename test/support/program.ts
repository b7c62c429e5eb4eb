/** The program as a user runs it: as the run's set-up has built it, started as a process of its own, told to stop by a signal. */
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
  /** Where it says it is. */
  readonly url: string;
  /** Resolves with all of standard output as soon as it, or standard error, holds the text. */
  untilSaid(text: string): Promise<string>;
  /** Closes its standard output, as `head -n 1` does. */
  closeOutput(): void;
  stop(signal?: Signal): Promise<Finished>;
}

export interface Program {
  /** The folder of the built files. */
  readonly folder: string;
  /** Runs to the end. */
  run(args: readonly string[], options?: RunOptions): Promise<Finished>;
  /** Runs until it has said where it is. @throws Error if it ends before that */
  serve(args: readonly string[], options?: RunOptions): Promise<Running>;
  /** Stops what still runs. */
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
