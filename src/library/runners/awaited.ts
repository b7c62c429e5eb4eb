/** Finds assertions and changes that a test forgot to await: they prove nothing or come too late, so the test fails. */
import { Calls } from '../calls.ts';
import type { RemoteMock } from '../mock.ts';

/** What is known of an environment that a runner gave to a test. Environments that tests created themselves are not watched. */
interface UnderTest {
  readonly mock: RemoteMock;
  /** When the environment was made, in milliseconds of real time. */
  readonly since: number;
  /** An error for each assertion and change that the test has not awaited yet, whose stack shows the line in the test. */
  readonly errors: Set<Error>;
}

export const underTest = new WeakMap<object, UnderTest>();

/** Wraps a runner's `expect`, so that a failed assertion on an environment shows its line, and a forgotten one fails. */
export const watched = <Expect extends object>(expect: Expect): Expect =>
  new Proxy(expect, {
    apply: (target, self, given) => {
      const assertions: object = Reflect.apply(target as never, self, given); // the cast is safe: every runner's `expect` is a function
      return watchAssertions(assertions, underTest.get(given[0])?.errors);
    },
  });

const WATCHED: readonly unknown[] = ['toHaveReceived', 'toHaveSent'];

const watchAssertions = (assertions: object, errors: Set<Error> | undefined): object =>
  new Proxy(assertions, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (name === 'not') return watchAssertions(Object(value), errors);
      if (!WATCHED.includes(name)) return value;
      const assert = (...given: unknown[]) =>
        noteAwait(
          Reflect.apply(value as never, target, given),
          [String(name), 'expect(env).'],
          errors,
          assert,
        );
      return assert;
    },
  });

/** The methods that change nothing. */
const READING =
  /^(ask|requests|har|coverage|pact|outbox|events|(relativeS|s)cenario|state|snapshots|clock|settings|list)$/;

/** Makes each method that changes the environment note whether the test awaits it. */
export const watchChanges = (env: object, errors: Set<Error>, group = ''): void => {
  for (const [name, member] of [...Object.entries(env), ['delete', Reflect.get(env, 'delete')] as const]) {
    if (member instanceof Calls) watchChanges(member, errors, `${name}.`);
    if (READING.test(name) || typeof member !== 'function') continue;
    const change = (...given: unknown[]) =>
      noteAwait(Reflect.apply(member, env, given), [`${group}${name}`, 'env.'], errors, change);
    Reflect.set(env, name, change);
  }
};

/** Wraps the promise of an assertion or a change, to note when the test awaits it, and to show where a failed one stands. */
const noteAwait = (
  promise: Promise<unknown>,
  [name, on]: readonly [name: string, on: string],
  errors: Set<Error> | undefined,
  caller: (...given: never[]) => unknown,
): PromiseLike<unknown> => {
  const error = new Error(`${name}(...) was not awaited. Write: await ${on}${name}(...)`);
  Error.captureStackTrace(error, caller);
  errors?.add(error);
  const located = promise.catch((failure: unknown) => {
    throw withFramesOf(failure, error);
  });
  located.catch(() => {}); // a failed assertion without `await` is not reported here, but at the end of the test
  return Object.assign(Object.create(Promise.prototype), {
    // biome-ignore lint/suspicious/noThenProperty: `await`, `catch` and `finally` call `then`
    then: (...given: Parameters<typeof located.then>) => {
      errors?.delete(error);
      return located.then(...given);
    },
  });
};

/** Gives a failure the stack of the call, since the stack of an asynchronous matcher ends before the test. */
const withFramesOf = (failure: unknown, call: Error): unknown => {
  if (typeof failure !== 'object' || failure === null || !('message' in failure)) return failure;
  const frames = (call.stack ?? '').slice(`${call.name}: ${call.message}`.length);
  return Object.assign(failure, { stack: `Error: ${failure.message}${frames}` });
};
