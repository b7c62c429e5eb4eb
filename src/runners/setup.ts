/**
 * The global setup of test runners. It starts one mock for the whole run, on a free port, unless `CA_MOCK_URL` names a
 * running mock. Tests find it by the variables that `ca-mock exec` sets.
 */
import process from 'node:process';
import { readArguments } from '../cli/arguments.ts';
import { RUN_OPTIONS } from '../cli/options.ts';
import { reportRun, variablesOf } from '../cli/run.ts';
import { keepUsed } from '../cli/used.ts';
import { connectMock } from '../mock/connect.ts';
import { startServer } from '../mock/create.ts';
import type { Coverage, Used } from '../mock/generated.ts';
import type { StartOptions } from '../mock/options.ts';

export interface SetupOptions extends StartOptions {
  /** How much is written about the coverage of the contract when the run ends. Default: `short`, five lines. */
  readonly coverage?: 'full' | 'short' | 'off';
  /** Percent of the contract that the run has to call, or it fails. Default: 0. */
  readonly minCoverage?: number;
  /** File to write what the run relied on to. */
  readonly used?: string;
  /** Compare with that file instead of writing it; the run fails if it differs. */
  readonly usedCheck?: boolean;
}

/** Ends the run and writes the coverage of the contract. @throws Error if it is below the minimum */
export type Teardown = () => Promise<void>;

/** Ends the run that was set up last; for runners that want the teardown in a separate file. */
let endRun: Teardown = async () => {};

/** @param options come before the environment variables of the same meaning (`CA_MOCK_SCENARIO` and so on) */
export const setupMock = async (options: SetupOptions = {}): Promise<Teardown> => {
  const { values } = readArguments([], RUN_OPTIONS, process.env);
  const { coverage, minCoverage, used, usedCheck, ...start } = { ...values, ...options };
  const server = process.env.CA_MOCK_URL ? await join() : await open({ port: 0, ...start });
  endRun = async () => {
    endRun = async () => {};
    const report = await server.coverage();
    const relied = await server.used();
    await server.close();
    const isSame = keepUsed(relied, { used, usedCheck }, process.stderr);
    if (!isSame) throw new Error('The run did not use exactly what its file lists.');
    if (!reportRun(report, { coverage, minCoverage }, process.stderr))
      throw new Error('Too little of the contract was called.');
  };
  return endRun;
};

interface Server {
  coverage(): Promise<Coverage>;
  used(): Promise<Used>;
  close(): Promise<void>;
}

const open = async (options: StartOptions): Promise<Server> => {
  const started = await startServer(options);
  const { mock } = started;
  const variables = variablesOf(started, options);
  Object.assign(process.env, variables);
  return {
    coverage: () => mock.coverage(),
    used: () => mock.used(),
    close: async () => {
      for (const name of Object.keys(variables)) delete process.env[name]; // a runner that watches sets up once more
      await mock.close();
    },
  };
};

/** A mock that somebody else started: it keeps running. */
const join = async (): Promise<Server> => {
  const mock = await connectMock();
  return { coverage: () => mock.coverage(), used: () => mock.used(), close: async () => {} };
};

export default (): Promise<Teardown> => setupMock();

/** Ends what was set up in this process. */
export const teardownMock: Teardown = () => endRun();
