/** Finds assertions that a test forgot to await: such an assertion proves nothing. */
import { realNow } from '../core/clock.ts';
import type { MockEnvironment } from '../mock/environment.ts';
import type { RemoteMock } from '../mock/mock.ts';

interface Watch {
  readonly mock: RemoteMock;
  /** When the test got its environment. */
  readonly since: number;
  /** An error for each assertion that the test has not awaited yet. Its stack shows the line of the test. */
  readonly open: Set<Error>;
}

const watches = new WeakMap<object, Watch>();

export const watch = (env: MockEnvironment, mock: RemoteMock): MockEnvironment => {
  watches.set(env, { mock, since: realNow(), open: new Set() });
  return env;
};

/** The assertions that are watched for an environment. Undefined for an environment that the test made itself. */
export const watchOf = (env: MockEnvironment): Watch | undefined => watches.get(env);

/** Call this when the test is over. @throws Error if it did not await an assertion */
export const requireAwaited = (env: MockEnvironment): void => {
  const open = watches.get(env)?.open;
  const [first] = open ?? [];
  open?.clear();
  if (first) throw first;
};

/** Wraps a runner's `expect` so that assertions on environments are watched. */
export const watched = <Expect extends object>(expect: Expect): Expect =>
  new Proxy(expect, {
    apply: (target, self, given) => {
      const assertions: object = Reflect.apply(target as never, self, given); // every runner's `expect` is a function
      const found = watches.get(given[0]);
      return found ? watchAssertions(assertions, found.open) : assertions;
    },
  });

const WATCHED: readonly unknown[] = ['toHaveReceived', 'toHaveSent'];

const watchAssertions = (assertions: object, open: Set<Error>): object =>
  new Proxy(assertions, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (name === 'not') return watchAssertions(Object(value), open);
      if (!WATCHED.includes(name)) return value;
      const assert = (...given: unknown[]) =>
        noteAwait(Reflect.apply(value as never, target, given), String(name), open, assert);
      return assert;
    },
  });

/** Returns a promise that behaves as the given one, and notes when the test awaits it. */
const noteAwait = (
  promise: Promise<unknown>,
  name: string,
  open: Set<Error>,
  caller: (...given: never[]) => unknown,
): PromiseLike<unknown> => {
  const error = new Error(`${name}(...) was not awaited. Write: await expect(env).${name}(...)`);
  Error.captureStackTrace(error, caller);
  open.add(error);
  promise.catch(() => {}); // the test gets that error instead
  return Object.assign(Object.create(Promise.prototype), {
    // biome-ignore lint/suspicious/noThenProperty: `await`, `catch` and `finally` call it
    then: (...given: Parameters<typeof promise.then>) => {
      open.delete(error);
      return promise.then(...given);
    },
  });
};
