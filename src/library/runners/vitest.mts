/**
 * The module `connected-accounts-mock/vitest`: gives each test an environment of its own. This is an ES module,
 * since CommonJS code cannot require Vitest.
 */
import { afterAll, type TestAPI, expect as vitestExpect, test as vitestTest } from 'vitest';
import type { MockEnvironment } from '../mock-environment.ts';
import { watched } from './awaited.ts';
import { type MockMatchers, matchers } from './matchers.ts';
import { createTestEnvironments, type Fixtures, type TestOptions } from './test-environments.ts';

/** Creates a `test` whose environments have these options. Call this at the top of a file. */
export const createTest = (options: TestOptions = {}): TestAPI<Fixtures> => {
  const environments = createTestEnvironments(options, 'vitest');
  if (options.per === 'file') afterAll(() => environments.close());
  return vitestTest.extend<Fixtures>({
    env: async ({ task }, use) => {
      const env = await environments.take(task.file.filepath, task.timeout);
      const before = task.result?.errors?.length ?? 0; // of earlier tries
      await use(env);
      const { state, errors = [] } = task.result ?? {};
      await environments.giveBack(env, state === 'fail' && !task.fails ? errors.slice(before) : []);
    },
  });
};

export const test = createTest();

vitestExpect.extend(matchers);

declare module 'vitest' {
  interface Matchers extends MockMatchers {}
}

export type { Fixtures, MockEnvironment, MockMatchers, TestOptions };
/** Vitest's `expect`, with additional matchers for environments. */
export const expect: typeof vitestExpect = watched(vitestExpect); // the type comes from the user's installed Vitest
