/** Finds assertions and changes that a test forgot to await: they prove nothing or come too late, so the test fails. */
import { MethodGroup } from '../calls.ts';
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

/** The first assertion or change that the test did not await, if any. Each is reported once. */
export const takeForgotten = (env: object): Error | undefined => {
  const { errors } = underTest.get(env) ?? {};
  const [first] = errors ?? [];
  errors?.clear();
  return first;
};

/** Wraps a runner's `expect`, so that a failed assertion on an environment shows its line, and a forgotten one fails. */
export const watched = <Expect extends object>(expect: Expect): Expect =>
  new Proxy(expect, {
    apply: (target, self, given) => {
      const assertions: object = Reflect.apply(target as never, self, given); // the cast is safe: every runner's `expect` is a function
      return watchAssertions(assertions, underTest.get(given[0])?.errors);
    },
  });

const watchAssertions = (assertions: object, errors: Set<Error> | undefined): object =>
  new Proxy(assertions, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (name === 'not') return watchAssertions(Object(value), errors);
      const isOurs = name === 'toHaveReceived' || name === 'toHaveSent';
      return isOurs ? noteAwait(target, value as Method, name, 'expect(env).', errors) : value;
    },
  });

/** The methods that change nothing. */
const READING =
  /^(ask|requests|har|coverage|pact|outbox|events|(relativeS|s)cenario|state|snapshots|clock|settings|list)$/;

/** Makes each method that changes the environment note whether the test awaits it. */
export const watchChanges = (env: object, errors: Set<Error>, group = ''): void => {
  for (const [name, member] of [...Object.entries(env), ['delete', Reflect.get(env, 'delete')] as const]) {
    if (member instanceof MethodGroup) watchChanges(member, errors, `${name}.`);
    if (READING.test(name) || typeof member !== 'function') continue;
    Reflect.set(env, name, noteAwait(env, member, group + name, 'env.', errors));
  }
};

type Method = (...given: never[]) => Promise<unknown>;

/** Wraps a method, to note when the test awaits its promise, and to show where a call that failed stands in the test. */
const noteAwait = (
  self: object,
  method: Method,
  name: string,
  on: string,
  errors: Set<Error> | undefined,
) => {
  const noted = (...given: never[]): PromiseLike<unknown> => {
    const error = new Error(`${name}(...) was not awaited. Write: await ${on}${name}(...)`);
    Error.captureStackTrace(error, noted);
    errors?.add(error);
    const located = Reflect.apply(method, self, given).catch((failure: unknown) => {
      throw withFramesOf(failure, error);
    });
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
const withFramesOf = (failure: unknown, call: Error): unknown => {
  if (typeof failure !== 'object' || failure === null || !('message' in failure)) return failure;
  const frames = (call.stack ?? '').slice(`${call.name}: ${call.message}`.length);
  return Object.assign(failure, { stack: `Error: ${failure.message}${frames}` });
};
