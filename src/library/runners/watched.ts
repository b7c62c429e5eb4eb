/**
 * Watches what a test does with its environment: finds assertions that the test forgot to await, which prove nothing,
 * and lists the test's calls if the test fails.
 */
import { realNow } from '../../core/clock.ts';
import { describeCall, type MockEnvironment } from '../environment.ts';
import type { RemoteMock } from '../mock.ts';
import type { RecordedRequest } from '../types.ts';

interface Watch {
  readonly mock: RemoteMock;
  /** When the test got its environment. */
  readonly since: number;
  /** An error for each assertion that the test has not awaited yet. The error's stack shows the line in the test. */
  readonly open: Set<Error>;
}

/** The environments that runners gave to tests. Environments that tests created themselves are not watched. */
const watches = new WeakMap<object, Watch>();

export const watch = (env: MockEnvironment, mock: RemoteMock): MockEnvironment => {
  watches.set(env, { mock, since: realNow(), open: new Set() });
  return env;
};

/** Must be called when a test ends. @throws Error if the test forgot to await one of its assertions */
export const requireAwaited = (env: MockEnvironment): void => {
  const open = watches.get(env)?.open;
  const [first] = open ?? [];
  open?.clear();
  if (first) throw first;
};

/** Wraps a runner's `expect` so that an assertion on an environment fails its test if the test does not await it. */
export const watched = <Expect extends object>(expect: Expect): Expect =>
  new Proxy(expect, {
    apply: (target, self, given) => {
      const assertions: object = Reflect.apply(target as never, self, given); // the cast is safe: every runner's `expect` is a function
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

/** Wraps the promise of an assertion, to note when the test awaits the assertion. */
const noteAwait = (
  promise: Promise<unknown>,
  name: string,
  open: Set<Error>,
  caller: (...given: never[]) => unknown,
): PromiseLike<unknown> => {
  const error = new Error(`${name}(...) was not awaited. Write: await expect(env).${name}(...)`);
  Error.captureStackTrace(error, caller);
  open.add(error);
  promise.catch(() => {}); // a failed assertion without `await` is not reported here, but by `requireAwaited`
  return Object.assign(Object.create(Promise.prototype), {
    // biome-ignore lint/suspicious/noThenProperty: `await`, `catch` and `finally` call `then`
    then: (...given: Parameters<typeof promise.then>) => {
      open.delete(error);
      return promise.then(...given);
    },
  });
};

/** A message for an environment without calls. Says which other environments received calls, if there are any. */
export const noCalls = async (env: MockEnvironment): Promise<string> => {
  const elsewhere = await callsElsewhere(env);
  const advice =
    elsewhere.length > 0
      ? `${elsewhere.join(', ')}. Your application must pass on the header \`baggage\`, or use env.credentials.`
      : 'Does your application use env.url and env.credentials?';
  return `The mock received no call in this environment. ${advice}`;
};

/** Matches the client id of an environment that a test created. Such an environment is not part of the scenario. */
const DRAWN_CLIENT = /^client_[\w-]{22}$/;

/**
 * For each environment of the scenario that received calls, returns a phrase such as
 * `3 calls went to development (dev-client)`.
 */
const callsElsewhere = async (env: MockEnvironment): Promise<readonly string[]> => {
  const { mock, since = 0 } = watches.get(env) ?? {};
  const all = (await mock?.environments()) ?? [];
  const others = all.filter(({ credentials }) => !DRAWN_CLIENT.test(credentials.clientId));
  const found = others.map(async (other) => {
    const calls = await other.requests();
    const { length } = calls.filter(({ real_time }) => Date.parse(real_time) >= since);
    const count = length === 1 ? '1 call' : `${length} calls`;
    return length === 0
      ? []
      : [`${count} went to ${other.name} (${other.credentials.clientId || 'no client'})`];
  });
  return (await Promise.all(found)).flat();
};

/** How many calls a report lists at most. */
const MOST_LISTED = 50;

/** Lists the calls of a test: first those that broke the contract, then the others, each group oldest first. */
export const reportCalls = async (env: MockEnvironment): Promise<string> => {
  const calls = await env.requests();
  if (calls.length === 0) return noCalls(env);
  const broken = calls.filter(isBroken);
  const others = calls.filter((call) => !isBroken(call));
  const shown = [...broken, ...others].slice(0, MOST_LISTED);
  const left = calls.length - shown.length;
  return [
    `Calls in environment ${env.name}${broken.length > 0 ? ', starting with those that broke the contract' : ''}:`,
    ...shown.map(describeCall),
    ...(left > 0 ? [`  and ${left} more`] : []),
  ].join('\n');
};

const isBroken = ({ violations }: RecordedRequest): boolean => violations.length > 0;
