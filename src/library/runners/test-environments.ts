/** Gives each test an environment of its own, and reports the calls of a failed test. */
import { realNow } from '../../engine/core/clock.ts';
import { show } from '../../engine/core/contains.ts';
import type { EnvironmentOptions } from '../calls.ts';
import { connectMock } from '../client.ts';
import { MockError, requireChoice } from '../given.ts';
import type { RemoteMock } from '../mock.ts';
import { describeCall, type MockEnvironment } from '../mock-environment.ts';

/** Options of the environments that tests get. */
export type TestOptions = EnvironmentOptions;

/** What a test function gets. */
export interface Fixtures {
  /** The test's environment. `env.url` and `env.credentials` are for the application; the methods are for the test. */
  readonly env: MockEnvironment;
}

/** Declares a test. The values of its row, if it has one, come before the environment. */
export type Declare<Row extends readonly unknown[] = []> = (
  name: string,
  body: (...given: [...row: Row, fixtures: Fixtures]) => unknown,
  timeout?: number,
) => void;

/** Declares a test for each row of a table. */
export type Each = <Row>(
  table: readonly Row[],
) => Declare<Row extends readonly unknown[] ? Row : readonly [row: Row]>;

/** Does not call the mock before the first test needs an environment. @param runner such as `vitest` */
export const createTestEnvironments = (options: TestOptions, runner: string) => {
  /** Those of tests that have not ended. Tests of another `createTest` may go on when these end. */
  const taken = new Set<MockEnvironment>();
  return {
    take: async (): Promise<MockEnvironment> => {
      const mock = await connect(runner);
      const env = await mock.createEnvironment(options);
      const errors = new Set<Error>();
      underTest.set(env, { mock, since: realNow(), errors });
      watchChanges(env, errors);
      taken.add(env);
      return env;
    },
    giveBack: (env: MockEnvironment, failures: readonly unknown[]): Promise<string> => {
      taken.delete(env);
      return giveBack(env, failures);
    },
    /** Ends the tests that their runner gave up. */
    close: async (): Promise<void> => {
      for (const env of taken) await giveBack(env, ['The test did not end.']);
      taken.clear();
    },
  };
};

/**
 * Ends a test: prints its calls if the test has failed, and deletes its environment unless it is kept.
 * @param failures the errors of a test that has failed, which then end with the address of an environment that is kept
 * @returns the printed text; "" if the test has passed
 * @throws Error if a test that has passed forgot to await an assertion or a change, which then proves nothing or comes too late
 */
const giveBack = async (env: MockEnvironment, failures: readonly unknown[]): Promise<string> => {
  const [forgotten] = underTest.get(env)?.errors ?? [];
  const hasPassed = failures.length === 0;
  const calls = hasPassed ? '' : await reportCalls(env);
  const errors = hasPassed && forgotten ? [forgotten] : failures;
  const isLeft = isKept(errors.length > 0);
  const words = forgotten && errors === failures ? [forgotten.message] : [];
  const where = isLeft ? [`The environment was kept: ${env.url}/_mock/#/${env.name}`] : [];
  for (const error of errors) addToFailure(error, [...words, ...where]);
  await end(env, isLeft);
  if (errors !== failures) throw forgotten;
  return calls;
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

/** Whether the environment of a test is kept. @throws MockError for an unknown value of the variable */
const isKept = (hasFailed: boolean): boolean => {
  const kept = process.env.CA_MOCK_KEEP || 'failed';
  requireChoice('CA_MOCK_KEEP', kept, ['failed', 'all', 'none']);
  return kept === 'all' || (kept === 'failed' && hasFailed);
};

const MOST_KEPT = 20;
/** The snapshot that marks an environment as kept. */
const MARK = 'end of the test';

/** Deletes an environment, or marks it as kept, so that a person can look at it, and deletes the oldest of those that are too many. */
const end = async (env: MockEnvironment, isLeft: boolean): Promise<void> => {
  if (!isLeft) return env.delete();
  await env.snapshot(MARK);
  const kept: MockEnvironment[] = [];
  for (const one of (await underTest.get(env)?.mock.environments()) ?? []) {
    const snapshots = await one.snapshots().catch(() => []); // another worker may have deleted it
    if (snapshots.some(({ name }) => name === MARK)) kept.push(one);
  }
  for (const oldest of kept.slice(0, -MOST_KEPT)) await oldest.delete().catch(() => {});
};

/** Adds texts to the end of a failure's message, and to the copy of the message in its stack, which some runners print. */
const addToFailure = (failure: unknown, texts: readonly string[]): void => {
  const error: { message?: unknown; stack?: unknown } = Object(failure);
  const { message, stack } = error;
  if (typeof message === 'string') error.message = [message, ...texts].join('\n\n');
  else for (const text of texts) console.error(text); // the test threw something else than an error
  if (typeof stack === 'string') error.stack = stack.replace(String(message), () => String(error.message));
};

/** The client id of an environment that is not part of the scenario. */
const DRAWN_CLIENT = /^client_[\w-]{22}$/;

/** A message for an environment without calls. Says which environments of the scenario received calls, if any did. */
export const noCalls = async (env: MockEnvironment): Promise<string> => {
  const { mock, since = 0 } = underTest.get(env) ?? {};
  const found: string[] = [];
  for (const { name, credentials, requests } of (await mock?.environments()) ?? []) {
    if (DRAWN_CLIENT.test(credentials.clientId)) continue;
    const { length } = (await requests()).filter(({ real_time }) => Date.parse(real_time) >= since);
    if (length > 0) found.push(`${length} went to ${name} (${credentials.clientId || 'no client'})`);
  }
  const advice = found.length
    ? `Of other calls ${found.join(', ')}. Your application must pass on the header \`baggage\`, or use env.credentials.`
    : 'Does your application use env.url and env.credentials?';
  return `The mock received no call in this environment. ${advice}`;
};

const MOST_LISTED = 50;

/** Prints the calls of a test, those first that broke the contract, and the faults that took effect on none. */
const reportCalls = async (env: MockEnvironment): Promise<string> => {
  const calls = await env.requests();
  const broken = calls.filter(({ violations }) => violations.length > 0);
  const shown = [...new Set([...broken, ...calls])].slice(0, MOST_LISTED);
  const left = calls.length - shown.length;
  const order = broken.length > 0 ? ', starting with those that broke the contract' : '';
  const head = calls.length > 0 ? `Calls in environment ${env.name}${order}:` : await noCalls(env);
  const idle = (await env.faults.list()).filter(({ applied }) => applied === 0);
  const report = [
    head,
    ...shown.map(describeCall),
    ...(left > 0 ? [`  and ${left} more`] : []),
    ...(idle.length > 0 ? ['Faults that took effect on no call:'] : []),
    ...idle.map(({ id, calls: _calls, applied, used_up, ...rule }) => `  ${id} ${show(rule)}`),
  ].join('\n');
  console.error(report);
  return report;
};

/** What is known of an environment that a runner gave to a test. Those that tests created themselves are not watched. */
interface UnderTest {
  readonly mock: RemoteMock;
  /** When the environment was made, in milliseconds of real time. */
  readonly since: number;
  /** An error for each assertion and change that the test has not awaited yet, which thus proves nothing or comes too late. */
  readonly errors: Set<Error>;
}

const underTest = new WeakMap<object, UnderTest>();

/** Wraps a runner's `expect`, so that a failed assertion on an environment shows its line, and a forgotten one fails. */
export const watched = <Expect extends object>(expect: Expect, errors?: Set<Error>): Expect =>
  new Proxy(expect, {
    apply: (target, self, given) =>
      watched(Reflect.apply(target as never, self, given), underTest.get(given[0])?.errors), // the cast is safe: `expect` is a function
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (name === 'not') return watched(Object(value), errors);
      const isOurs = name === 'toHaveReceived' || name === 'toHaveSent';
      return isOurs ? noteAwait(target, value as Method, name, 'expect(env).', errors) : value;
    },
  });

/** The methods that change nothing. */
const READING =
  /^(ask|requests|har|coverage|pact|outbox|events|(relativeS|s)cenario|state|snapshots|clock|settings|list)$/;

/** Makes each method that changes the environment note whether the test awaits it. */
const watchChanges = (env: object, errors: Set<Error>, group = ''): void => {
  for (const [name, member] of [...Object.entries(env), ['delete', Reflect.get(env, 'delete')] as const]) {
    if (typeof member === 'object') watchChanges(member, errors, `${name}.`); // a group of methods
    if (READING.test(name) || typeof member !== 'function') continue;
    Reflect.set(env, name, noteAwait(env, member, group + name, 'env.', errors));
  }
};

type Method = (...given: never[]) => Promise<unknown>;

/** Wraps a method, to note when the test awaits its promise, and to show where a call that failed stands in the test. */
const noteAwait = (self: object, method: Method, name: string, on: string, errors?: Set<Error>) => {
  const noted = (...given: never[]): PromiseLike<unknown> => {
    const error = new Error(`${name}(...) was not awaited. Write: await ${on}${name}(...)`);
    Error.captureStackTrace(error, noted);
    errors?.add(error);
    const located = Reflect.apply(method, self, given).catch((failure) =>
      Promise.reject(withFrames(failure, error)),
    );
    located.catch(() => {}); // a failed assertion without `await` is not reported here, but at the end of the test
    return Object.assign(Object.create(Promise.prototype), {
      // biome-ignore lint/suspicious/noThenProperty: `await`, `catch` and `finally` call `then`
      then: (...reactions: Parameters<typeof located.then>) => {
        errors?.delete(error);
        return located.then(...reactions);
      },
    });
  };
  return noted;
};

/** Gives a failure the stack of the call, since the stack of an asynchronous matcher ends before the test. */
const withFrames = (failure: unknown, call: Error): unknown => {
  if (typeof failure !== 'object' || failure === null || !('message' in failure)) return failure;
  const frames = (call.stack ?? '').slice(`${call.name}: ${call.message}`.length);
  return Object.assign(failure, { stack: `Error: ${failure.message}${frames}` });
};
