/** The global setup of test runners: one mock for the run, found by the same variables as with `ca-mock exec`. */
import process from 'node:process';
import { connectMock } from '../client.ts';
import { describe } from '../log.ts';
import type { Mock } from '../mock.ts';
import { readOptions, requireCompany } from '../option.ts';
import { RUN_OPTIONS, type RunOptions, requireOptions, unknownVariables } from '../options.ts';
import { judgeRun, requireFiles, startForTests } from '../run.ts';

/** Options of the mock, and of the reports and checks when the run ends. */
export type SetupOptions = RunOptions;

/** Ends the run and writes its reports. @throws Error if the run fails a check, such as `minCoverage` */
export type Teardown = () => Promise<void>;

/** The run whose mock this process has started, and how many setups use it: several if a runner has several projects. */
let running: { readonly mock: Mock; readonly stop: Teardown; users: number } | undefined;

/** Ends the run that was set up last, for runners that need setup and teardown in separate files. */
let endRun: Teardown = async () => {};

/**
 * Starts one mock for the whole run, unless `CA_MOCK_URL` is the address of a running mock. @returns a function that ends the run
 * @param options override environment variables such as `CA_MOCK_STRICT`
 */
export const setupMock = async (options: SetupOptions = {}): Promise<Teardown> => {
  requireOptions(options, RUN_OPTIONS);
  const given = { ...readOptions(RUN_OPTIONS, process.env), ...options };
  requireCompany(RUN_OPTIONS, given);
  requireFiles(given);
  if (!running) for (const warning of unknownVariables(process.env)) process.stderr.write(`${warning}\n`);
  if (!running && !process.env.CA_MOCK_URL) running = await startRun(given);
  const own = running;
  if (own) own.users += 1;
  const mock = own?.mock ?? (await connectMock());
  endRun = async () => {
    endRun = async () => {};
    if (own) own.users -= 1;
    if (own?.users) return; // the last of several projects ends the run
    try {
      const { failures, record } = await judgeRun(mock, given, process.stderr);
      atEnd(record);
      if (failures.length === 0) return;
      process.exitCode = 1; // Vitest 4 only prints the error of a teardown
      throw new Error(failures.join('\n'));
    } finally {
      await own?.stop();
    }
  };
  return endRun;
};

const startRun = async (options: SetupOptions) => {
  const { mock, variables } = await startForTests(options);
  const before = { ...process.env };
  Object.assign(process.env, variables);
  const stop = async (): Promise<void> => {
    running = undefined;
    for (const name of Object.keys(variables)) {
      if (before[name] === undefined)
        delete process.env[name]; // without the address, the next setup starts a new mock
      else process.env[name] = before[name];
    }
    await mock.close();
  };
  return { mock, stop, users: 0 };
};

/**
 * Writes the record of a run when it is known whether all tests passed. No runner tells before the process ends; Jest decides
 * it in a listener for `exit` that it adds after the teardown, so this listener has to come behind that one.
 */
const atEnd = (record: (hasPassed: boolean) => void): void => {
  const settle = (): void => {
    try {
      record(!process.exitCode);
    } catch (error) {
      process.stderr.write(`${describe(error)}\n`);
      process.exitCode = 1;
    }
  };
  process.once('exit', settle);
  process.once('beforeExit', () => {
    process.off('exit', settle);
    process.once('exit', settle);
  });
};

export default (): Promise<Teardown> => setupMock();

/** Ends the run that was set up in this process. */
export const teardownMock: Teardown = () => endRun();
