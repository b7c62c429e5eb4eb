/** The module `connected-accounts-mock/jest`. */
import { afterAll, expect as jestExpect, test as jestTest } from '@jest/globals';
import type { MockEnvironment } from '../mock-environment.ts';
import { type MockMatchers, matchers } from './matchers.ts';
import {
  createTestEnvironments,
  type Declare,
  type Each,
  type Fixtures,
  type TestOptions,
  watched,
} from './test-environments.ts';

/** Works like Jest's `test`, but also passes an environment to each test function, with `each` after the values of the row. */
export interface MockTest
  extends Declare,
    Readonly<Record<'only' | 'skip' | 'failing' | 'concurrent', Declare>> {
  readonly todo: (name: string) => void;
  readonly each: Each;
}

type Body = (...given: readonly unknown[]) => unknown;

/** Creates a `test` whose environments have these options. Call this at the top of a file. */
export const createTest = (options: TestOptions = {}): MockTest => {
  const environments = createTestEnvironments(options, 'jest');
  afterAll(() => environments.close()); // also for tests that took longer than their limit, whose bodies never end
  const run =
    (body: Body, mustFail = false) =>
    async (...row: readonly unknown[]): Promise<void> => {
      const env = await environments.take();
      const failures: unknown[] = [];
      try {
        await body(...row, { env });
      } catch (error) {
        if (!mustFail) failures.push(error);
        throw error;
      } finally {
        await environments.giveBack(env, failures);
      }
    };
  const declare =
    (declareTest: (...given: never[]) => void, mustFail?: boolean) =>
    (name: string, body: Body, timeout?: number): void =>
      Reflect.apply(declareTest, undefined, [name, run(body, mustFail), timeout]);
  return Object.assign(declare(jestTest), {
    only: declare(jestTest.only),
    skip: declare(jestTest.skip),
    failing: declare(jestTest.failing, true),
    concurrent: declare(jestTest.concurrent),
    todo: jestTest.todo,
    each: (table: readonly unknown[]) => declare(jestTest.each(table)),
  }) as MockTest; // the cast is safe: `each` passes the values of each row to `body` unchanged
};

export const test = createTest();

jestExpect.extend(matchers);

type Own = ReturnType<typeof jestExpect>;

/** Jest's `expect`, with additional matchers for environments. */
export const expect = watched(jestExpect) as ((
  env: MockEnvironment, // this signature comes first, because the signature of Jest accepts any value
) => Own & MockMatchers & { readonly not: Own['not'] & MockMatchers }) &
  typeof jestExpect;

export type { Fixtures, MockEnvironment, MockMatchers, TestOptions };
