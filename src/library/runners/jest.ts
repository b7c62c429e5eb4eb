/** The module `connected-accounts-mock/jest`: gives each test an environment of its own. */
import { afterAll, expect as jestExpect, test as jestTest } from '@jest/globals';
import type { MockEnvironment } from '../mock-environment.ts';
import { watched } from './awaited.ts';
import { type MockMatchers, matchers } from './matchers.ts';
import { createTestEnvironments, type Fixtures, type TestOptions } from './test-environments.ts';

type Body<Row extends readonly unknown[]> = (...given: [...row: Row, fixtures: Fixtures]) => unknown;

type Declare<Row extends readonly unknown[] = []> = (name: string, body: Body<Row>, timeout?: number) => void;

/**
 * Works like Jest's `test`, but also passes an environment to each test function. With `each`, the environment comes
 * after the values of the row.
 */
export interface MockTest extends Declare {
  readonly only: Declare;
  readonly skip: Declare;
  readonly failing: Declare;
  readonly concurrent: Declare;
  readonly todo: (name: string) => void;
  readonly each: <Row>(
    table: readonly Row[],
  ) => Declare<Row extends readonly unknown[] ? Row : readonly [row: Row]>;
}

/** Creates a `test` whose environments have these options. Call this at the top of a file. */
export const createTest = (options: TestOptions = {}): MockTest => {
  const environments = createTestEnvironments(options, 'jest');
  afterAll(() => environments.close()); // also for tests that took longer than their limit, whose bodies never end
  const run =
    <Row extends readonly unknown[]>(body: Body<Row>, mustFail = false) =>
    async (...row: Row): Promise<void> => {
      const env = await environments.take(jestExpect.getState().testPath ?? '');
      try {
        await body(...row, { env });
      } catch (error) {
        await environments.giveBack(env, mustFail ? [] : [error]);
        throw error;
      }
      await environments.giveBack(env, []);
    };
  const declare =
    (
      declareTest: (name: string, body: () => Promise<void>, timeout?: number) => void,
      mustFail?: boolean,
    ): Declare =>
    (name, body, timeout) =>
      declareTest(name, run(body, mustFail), timeout);
  return Object.assign(declare(jestTest), {
    only: declare(jestTest.only),
    skip: declare(jestTest.skip),
    failing: declare(jestTest.failing, true),
    concurrent: declare(jestTest.concurrent),
    todo: jestTest.todo,
    each: (table: readonly unknown[]) => (name: string, body: Body<readonly unknown[]>, timeout?: number) =>
      jestTest.each(table)(name, run(body), timeout),
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
