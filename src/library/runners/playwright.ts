/** The module `connected-accounts-mock/playwright`: gives each test an environment of its own. */
import { expect as playwrightExpect, test as playwrightTest } from '@playwright/test';
import type { MockEnvironment } from '../mock-environment.ts';
import { watched } from './awaited.ts';
import { type MockMatchers, matchers } from './matchers.ts';
import {
  createTestEnvironments,
  type Fixtures,
  type TestEnvironments,
  type TestOptions,
} from './test-environments.ts';

/** Creates a `test` whose environments have these options. */
export const createTest = (options: TestOptions = {}) =>
  playwrightTest.extend<Fixtures, { readonly mockEnvironments: TestEnvironments }>({
    mockEnvironments: [
      // biome-ignore lint/correctness/noEmptyPattern: Playwright requires this form
      async ({}, use) => {
        const environments = createTestEnvironments(options, 'playwright');
        await use(environments);
        await environments.close();
      },
      { scope: 'worker' },
    ],
    env: async ({ mockEnvironments }, use, info) => {
      const env = await mockEnvironments.take(info.file, info.timeout);
      await use(env);
      const calls = await mockEnvironments.giveBack(
        env,
        info.status === info.expectedStatus ? [] : info.errors,
      );
      if (calls) await info.attach('calls to the mock', { body: calls, contentType: 'text/plain' });
    },
  });

export const test = createTest();

/** Playwright's `expect`, with additional matchers for environments. */
export const expect = watched(playwrightExpect.extend(matchers));

export type { Fixtures, MockEnvironment, MockMatchers, TestOptions };
