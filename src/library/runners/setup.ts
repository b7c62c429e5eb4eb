/** The global setup of test runners: one mock for the run, found by the same variables as with `ca-mock exec`. */
import process from 'node:process';
import { defined } from '../../engine/core/object.ts';
import { connectMock } from '../client.ts';
import { describe } from '../log.ts';
import type { Mock } from '../mock.ts';
import { readOptions, requireCompany } from '../option.ts';
import { requireOptions, type StartOptions } from '../options.ts';
import { judgeRun, requireFiles, startForTests } from '../run.ts';
import { type ReportOptions, RUN_OPTIONS, unknownVariables } from '../run-options.ts';

/** Options of the mock, and of the reports and checks when the run ends. */
export type SetupOptions = StartOptions & ReportOptions;

/** Ends the run and writes its reports. @throws Error if the run fails a check, such as `minCoverage` */
export type Teardown = () => Promise<void>;

interface Run {
  readonly mock: Mock;
  /** What the variables were that tell tests of the mock. */
  readonly before: Readonly<Record<string, string | undefined>>;
  /** How many setups use the mock: several if a runner has several projects. */
  users: number;
}

/** The run whose mock this process has started. */
let running: Run | undefined;

/** Ends the run that was set up last, for runners that need setup and teardown in separate files. */
let endRun: Teardown = async () => {};

/**
 * Starts one mock for the whole run, unless `CA_MOCK_URL` is the address of a running mock.
 * @param options override environment variables such as `CA_MOCK_STRICT`
 * @returns a function that ends the run
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
    if (own && own.users > 0) return; // the last of several projects ends the run
    try {
      const { failures, record } = await judgeRun(mock, given, process.stderr);
      atEnd(record);
      if (failures.length === 0) return;
      process.exitCode = 1; // Vitest 4 only prints the error of a teardown
      throw new Error(failures.join('\n'));
    } finally {
      if (own) await stopRun(own);
    }
  };
  return endRun;
};

const startRun = async (options: SetupOptions): Promise<Run> => {
  const { mock, variables } = await startForTests(options);
  const before = Object.fromEntries(Object.keys(variables).map((name) => [name, process.env[name]]));
  Object.assign(process.env, variables);
  return { mock, before, users: 0 };
};

const stopRun = async ({ mock, before }: Run): Promise<void> => {
  running = undefined;
  for (const name of Object.keys(before)) delete process.env[name]; // without the address, the next setup starts a new mock
  Object.assign(process.env, defined(before));
  await mock.close();
};

/**
 * Writes the record of a run when it is known whether all tests passed. The runners tell nobody before the process ends; Jest even decides it
 * in a listener for `exit` that it adds after the teardown, so this listener has to come behind that one.
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
