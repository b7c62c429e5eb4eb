/** The module `connected-accounts-mock/vitest`, an ES module, since CommonJS code cannot require Vitest. */
import { type TestAPI, expect as vitestExpect, test as vitestTest } from 'vitest';
import type { MockEnvironment } from '../mock-environment.ts';
import { type MockMatchers, matchers } from './matchers.ts';
import {
  createTestEnvironments,
  type Each,
  type Fixtures,
  type TestOptions,
  watched,
} from './test-environments.ts';

/** Vitest's `test`, whose `each` passes the environment after the values of the row, as `test.for` does. It comes first. */
export type MockTest = { readonly each: Each } & Record<
  'concurrent' | 'fails' | 'only' | 'sequential' | 'skip',
  { readonly each: Each }
> &
  TestAPI<Fixtures>;

/** Creates a `test` whose environments have these options. Call this at the top of a file. */
export const createTest = (options: TestOptions = {}): MockTest => {
  const environments = createTestEnvironments(options, 'vitest');
  const test = vitestTest.extend<Fixtures>({
    env: async ({ task }, use) => {
      const env = await environments.take();
      const before = task.result?.errors?.length ?? 0; // of earlier tries
      await use(env);
      const { state, errors = [] } = task.result ?? {};
      await environments.giveBack(env, state === 'fail' && !task.fails ? errors.slice(before) : []);
    },
  });
  return withEach(test) as MockTest; // the cast is safe: `withEach` adds `each`
};

/** Replaces `each`, to which Vitest gives no fixtures, in a `test` and in what is chained to it, such as `test.only`. */
const withEach = (test: object): object =>
  new Proxy(test, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (name === 'each' && 'for' in target) return eachOf(target);
      return typeof value === 'function' && 'for' in value ? withEach(value) : value;
    },
  });

type Given = readonly unknown[];

const eachOf = (test: object) => (table: Given) => {
  if ('raw' in table) throw new TypeError('test.each takes a list of rows here: test.each([...]).');
  const declare: (...given: Given) => void = Reflect.apply(Reflect.get(test, 'for') as never, test, [table]);
  return (...given: Given): void => {
    declare(...given.map((one) => (typeof one === 'function' ? bodyOf(one as never) : one)));
  };
};

/** Vitest reads in the text of the function which fixtures it takes. */
const bodyOf =
  (body: (...given: Given) => unknown) =>
  (row: unknown, { env }: Fixtures): unknown =>
    body(...(Array.isArray(row) ? row : [row]), { env });

export const test = createTest();

vitestExpect.extend(matchers);

declare module 'vitest' {
  interface Matchers extends MockMatchers {}
}

export type { Fixtures, MockEnvironment, MockMatchers, TestOptions };
/** Vitest's `expect`, with additional matchers for environments. */
export const expect: typeof vitestExpect = watched(vitestExpect); // the type comes from the user's installed Vitest
