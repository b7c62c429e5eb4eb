/** Gives tests their environments: one for each test, or one for each file. All test runners share this code. */
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { monotonicNow, realNow } from '../../engine/core/clock.ts';
import { show } from '../../engine/core/contains.ts';
import { invalid, MockError } from '../ask.ts';
import { connectMock } from '../client.ts';
import type { RemoteMock } from '../mock.ts';
import type { MockEnvironment } from '../mock-environment.ts';
import type { EnvironmentOptions } from '../published-types.ts';
import { refuseLike } from '../unknown-names.ts';
import { waitsEnd } from '../waits.ts';
import { notAwaited, watchChanges } from './awaited.ts';
import { addToFailure, isKept, keep, whereKept } from './keep.ts';
import { reportCalls, started } from './reports.ts';

/** Options of the environments that tests get. */
export interface TestOptions extends EnvironmentOptions {
  /** `test` (default): each test has its own environment. `file`: the tests of a file share one, which is not reset. */
  readonly per?: 'test' | 'file';
}

/** What a test function gets. */
export interface Fixtures {
  /** The test's environment. `env.url` and `env.credentials` are for the application; the methods are for the test. */
  readonly env: MockEnvironment;
}

export type TestEnvironments = ReturnType<typeof createTestEnvironments>;

/** The part of a test's time limit that is available for waiting. The rest is for printing why a wait failed. */
const WAITING_SHARE = 0.8;

/** Does not call the mock before the first test needs an environment. @param runner such as `vitest` */
export const createTestEnvironments = ({ per = 'test', ...options }: TestOptions, runner: string) => {
  if (per !== 'test' && per !== 'file')
    throw new TypeError(`per is ${show(per)}, but must be "test" or "file".`);
  refuseLike('per', options);
  const shared = new Map<string, Promise<MockEnvironment>>();
  const make = async (file: string): Promise<MockEnvironment> => {
    const mock = await connect(runner);
    const environment = await mock.createEnvironment({ ...options, ...findScenario(options.scenario, file) });
    const errors = new Set<Error>();
    notAwaited.set(environment, errors);
    watchChanges(environment, errors);
    started.set(environment, { mock, since: realNow() });
    return environment;
  };
  /** The environments of tests that have not ended. */
  const taken = new Set<MockEnvironment>();
  /** The shared environments of failed tests. */
  const failed = new Set<MockEnvironment>();
  const end = async (environment: MockEnvironment): Promise<void> => {
    if (isKept(failed.has(environment))) await keep(environment, await connect(runner));
    else await environment.delete();
  };
  const release = async (environment: MockEnvironment, failures: readonly unknown[]): Promise<void> => {
    if (failures.length > 0) failed.add(environment);
    if (failures.length > 0 && isKept(true)) {
      const where = whereKept(environment, await connect(runner));
      for (const failure of failures) addToFailure(failure, where);
    }
    if (per === 'test') await end(environment);
  };
  const giveBack = async (environment: MockEnvironment, failures: readonly unknown[]): Promise<string> => {
    taken.delete(environment);
    const errors = notAwaited.get(environment);
    const [forgotten] = errors ?? [];
    errors?.clear();
    const hasFailed = failures.length > 0;
    const calls = hasFailed ? await reportCalls(environment) : '';
    if (hasFailed) console.error(calls);
    if (hasFailed && forgotten) for (const failure of failures) addToFailure(failure, forgotten.message);
    await release(environment, hasFailed || !forgotten ? failures : [forgotten]);
    if (forgotten && !hasFailed) throw forgotten;
    return calls;
  };
  return {
    /** @param limit the time limit of the test in milliseconds; 0 if the test has none, or if it is not known */
    take: async (file: string, limit = 0): Promise<MockEnvironment> => {
      const end = limit > 0 ? monotonicNow() + limit * WAITING_SHARE : Infinity;
      const making = shared.get(file) ?? make(file);
      if (per === 'file') shared.set(file, making);
      const environment = await making;
      taken.add(environment);
      waitsEnd.set(environment, end);
      return environment;
    },
    /**
     * Ends a test: prints its calls if the test has failed, and deletes its environment unless tests share it, or unless
     * it is kept. The failures then end with its address in the console.
     * @param failures the errors of a test that has failed; none if it has passed
     * @returns the printed text; "" if the test has passed
     * @throws Error if a test that has passed forgot to await an assertion or a change
     */
    giveBack,
    /** Ends the tests that their runner gave up, and deletes the environments that the tests of a file share. */
    close: async (): Promise<void> => {
      for (const environment of taken) await giveBack(environment, ['The test did not end.']);
      for (const environment of shared.values()) await end(await environment);
      shared.clear();
    },
  };
};

/** Looks for a scenario file relative to the test's file, then relative to the working directory. */
const findScenario = (
  scenario: EnvironmentOptions['scenario'],
  file: string,
): Pick<EnvironmentOptions, 'scenario'> => {
  if (typeof scenario !== 'string' || !/[./\\]/.test(scenario)) return {}; // `scenario` is not a path
  const places = [resolve(dirname(file), scenario), resolve(scenario)];
  const found = places.find((place) => existsSync(place));
  if (found !== undefined) return { scenario: found };
  throw invalid(
    `There is no scenario file ${scenario}. Looked for ${[...new Set(places)].join(' and ')}.`,
    'Give a path relative to the test file or to the working directory.',
  );
};

let connection: Promise<RemoteMock> | undefined;

/** Connects on the first call only. @throws MockError if no mock was started, or the mock is not responding */
const connect = (runner: string): Promise<RemoteMock> => {
  if (!process.env.CA_MOCK_URL)
    throw new MockError({
      code: 'FAILED_PRECONDITION',
      message: 'No mock was started for this run.',
      hint: `Set globalSetup to 'connected-accounts-mock/${runner}/setup' in the runner's configuration, run the tests with ca-mock exec, or set CA_MOCK_URL.`,
    });
  connection ??= connectMock();
  return connection;
};
