/** The entry for Vitest: tests with an environment of their own. An ES module, since Vitest cannot be required. */
import { afterAll, type TestAPI, expect as vitestExpect, test as vitestTest } from 'vitest';
import type { MockEnvironment } from '../mock/environment.ts';
import { createTestEnvironments, type Fixtures, type TestOptions } from './environments.ts';
import { type MockMatchers, matchers } from './matchers.ts';
import { reportCalls } from './report.ts';
import { requireAwaited, watched } from './watched.ts';

/** A `test` with other environments. Call it at the top of a file. */
export const createTest = (options: TestOptions = {}): TestAPI<Fixtures> => {
  const environments = createTestEnvironments(options, 'vitest');
  if (options.per === 'file') afterAll(() => environments.close());
  return vitestTest.extend<Fixtures>({
    env: async ({ task }, use) => {
      const env = await environments.take(task.file.filepath);
      await use(env);
      const hasFailed = task.result?.state === 'fail';
      if (hasFailed) console.error(await reportCalls(env));
      await environments.giveBack(env);
      if (!hasFailed) requireAwaited(env);
    },
  });
};

export const test = createTest();

vitestExpect.extend(matchers);

declare module 'vitest' {
  interface Matchers extends MockMatchers {}
}

export type { Fixtures, MockEnvironment, MockMatchers, TestOptions };
/** Vitest's own `expect`, which knows environments. */
export const expect: typeof vitestExpect = watched(vitestExpect); // its type is the one of the installed Vitest
