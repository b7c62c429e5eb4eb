/** The module `connected-accounts-mock/playwright`: gives each test an environment of its own. */
import { type BrowserContext, expect as playwrightExpect, test as playwrightTest } from '@playwright/test';
import type { MockEnvironment } from '../mock-environment.ts';
import { type MockMatchers, matchers } from './matchers.ts';
import {
  createTestEnvironments,
  type Fixtures,
  type TestEnvironments,
  type TestOptions,
  watched,
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
    context: async ({ context, env, baseURL }, use) => {
      if (baseURL !== undefined) await nameEnvironment(context, env, new URL(baseURL).origin);
      await use(context);
    },
    env: async ({ mockEnvironments }, use, info) => {
      const env = await mockEnvironments.take(info.file);
      await use(env);
      const calls = await mockEnvironments.giveBack(
        env,
        info.status === info.expectedStatus ? [] : info.errors,
      );
      if (calls) await info.attach('calls to the mock', { body: calls, contentType: 'text/plain' });
    },
  });

/**
 * Adds `mock-environment` to the header `baggage` of the calls to the application's origin, which passes it on. A page that is
 * opened elsewhere gets it too, since the redirect to the application keeps the headers. Other calls to other origins do
 * not: the browser would ask by CORS first.
 */
const nameEnvironment = async (
  context: BrowserContext,
  { name }: MockEnvironment,
  origin: string,
): Promise<void> => {
  await context.route('**', async (route) => {
    const request = route.request();
    if (!request.isNavigationRequest() && new URL(request.url()).origin !== origin) return route.fallback();
    const headers = request.headers();
    const baggage = [headers.baggage, `mock-environment=${name}`].filter(Boolean).join(',');
    return route.fallback({ headers: { ...headers, baggage } });
  });
};

export const test = createTest();

/** Playwright's `expect`, with additional matchers for environments. */
export const expect = watched(playwrightExpect.extend(matchers));

export type { Fixtures, MockEnvironment, MockMatchers, TestOptions };
