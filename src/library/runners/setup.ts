/**
 * The global setup of test runners. Starts one mock for the whole run, on a free port, unless `CA_MOCK_URL` is the
 * address of a running mock. Tests find the mock through the same variables that `ca-mock exec` sets.
 */
import process from 'node:process';
import { readArguments } from '../../cli/arguments.ts';
import { judgeRun, variablesOf } from '../../cli/exec.ts';
import { type ReportOptions, RUN_OPTIONS } from '../../cli/options.ts';
import { connectMock } from '../client.ts';
import { startServer } from '../create.ts';
import type { StartOptions } from '../options.ts';

/** Options of the mock, and of the reports and checks when the run ends. */
export type SetupOptions = StartOptions & ReportOptions;

/** Ends the run and writes its reports. @throws Error if the run fails a check, such as `minCoverage` */
export type Teardown = () => Promise<void>;

/** Ends the run that was set up last, for runners that need setup and teardown in separate files. */
let endRun: Teardown = async () => {};

/**
 * Starts one mock for the whole run, unless `CA_MOCK_URL` is the address of a running mock.
 * @param options override environment variables such as `CA_MOCK_STRICT`
 * @returns a function that ends the run
 */
export const setupMock = async (options: SetupOptions = {}): Promise<Teardown> => {
  const { values } = readArguments([], RUN_OPTIONS, process.env);
  const { coverage, minCoverage, used, usedCheck, ...start } = { ...values, ...options };
  const started = process.env.CA_MOCK_URL ? undefined : await startServer({ port: 0, ...start });
  const mock = started?.mock ?? (await connectMock()); // if the mock was already running, `endRun` does not close it
  const variables = started ? variablesOf(started, start) : {};
  Object.assign(process.env, variables);
  endRun = async () => {
    endRun = async () => {};
    for (const name of Object.keys(variables)) delete process.env[name]; // without the variables, the next setup starts a new mock
    try {
      const failures = await judgeRun(mock, { coverage, minCoverage, used, usedCheck }, process.stderr);
      if (failures.length > 0) throw new Error(failures.join('\n'));
    } finally {
      await started?.mock.close();
    }
  };
  return endRun;
};

export default (): Promise<Teardown> => setupMock();

/** Ends the run that was set up in this process. */
export const teardownMock: Teardown = () => endRun();
