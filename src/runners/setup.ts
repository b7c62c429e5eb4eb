/**
 * The global setup of test runners. Starts one mock for the whole run, on a free port, unless `CA_MOCK_URL` names a
 * running mock. Tests find the mock through the same variables that `ca-mock exec` sets.
 */
import process from 'node:process';
import { readArguments } from '../cli/arguments.ts';
import { keepUsed, reportRun, variablesOf } from '../cli/exec.ts';
import { RUN_OPTIONS } from '../cli/options.ts';
import { connectMock } from '../mock/client.ts';
import { startServer } from '../mock/create.ts';
import type { StartOptions } from '../mock/options.ts';

export interface SetupOptions extends StartOptions {
  /** How much to write about the coverage of the contract when the run ends. Default: `short`, which is five lines. */
  readonly coverage?: 'full' | 'short' | 'off';
  /** The run fails if it calls less than this percentage of the contract. Default: 0. */
  readonly minCoverage?: number;
  /** A file to which the run, when it ends, writes what it relied on. */
  readonly used?: string;
  /** Compare the run with the file of `used` instead of writing the file. The run fails if they differ. */
  readonly usedCheck?: boolean;
}

/** Ends the run and writes the coverage of the contract. @throws Error if the coverage is below the minimum */
export type Teardown = () => Promise<void>;

/** Ends the run that was set up last. Some runners need the teardown in a separate file, which calls this. */
let endRun: Teardown = async () => {};

/** @param options override the environment variables of the same meaning (`CA_MOCK_SCENARIO` and so on) */
export const setupMock = async (options: SetupOptions = {}): Promise<Teardown> => {
  const { values } = readArguments([], RUN_OPTIONS, process.env);
  const { coverage, minCoverage, used, usedCheck, ...start } = { ...values, ...options };
  const started = process.env.CA_MOCK_URL ? undefined : await startServer({ port: 0, ...start });
  const mock = started?.mock ?? (await connectMock()); // a mock that is already running, and keeps running afterwards
  const variables = started ? variablesOf(started, start) : {};
  Object.assign(process.env, variables);
  endRun = async () => {
    endRun = async () => {};
    const report = await mock.coverage();
    const relied = await mock.used();
    for (const name of Object.keys(variables)) delete process.env[name]; // in watch mode, a runner calls the setup again
    await started?.mock.close();
    if (!keepUsed(relied, { used, usedCheck }, process.stderr))
      throw new Error('The run relied on other parts of the contract than the file lists.');
    if (!reportRun(report, { coverage, minCoverage }, process.stderr))
      throw new Error('The run called too little of the contract.');
  };
  return endRun;
};

export default (): Promise<Teardown> => setupMock();

/** Ends the run that was set up in this process. */
export const teardownMock: Teardown = () => endRun();
