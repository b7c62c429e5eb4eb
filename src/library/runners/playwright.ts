/** The module `connected-accounts-mock/playwright`: gives each test an environment of its own. */
import { type BrowserContext, expect as playwrightExpect, test as playwrightTest } from '@playwright/test';
import type { MockEnvironment } from '../mock-environment.ts';
import { type MockMatchers, matchers } from './matchers.ts';
import { createTestEnvironments, type Fixtures, type TestOptions, watched } from './test-environments.ts';

/** Creates a `test` whose environments have these options. */
export const createTest = (options: TestOptions = {}) => {
  const environments = createTestEnvironments(options, 'playwright');
  return playwrightTest.extend<Fixtures>({
    context: async ({ context, env, baseURL }, use) => {
      if (baseURL !== undefined) await nameEnvironment(context, env, new URL(baseURL).origin);
      await use(context);
    },
    // biome-ignore lint/correctness/noEmptyPattern: Playwright requires this form
    env: async ({}, use, info) => {
      const env = await environments.take();
      await use(env);
      const failures = info.status === info.expectedStatus ? [] : info.errors;
      const calls = await environments.giveBack(env, failures);
      if (calls) await info.attach('calls to the mock', { body: calls, contentType: 'text/plain' });
    },
  });
};

/**
 * Adds `mock-environment` to the header `baggage` of the calls to the application's origin, which passes it on. A page that is
 * opened elsewhere gets it too, since the redirect to the application keeps the headers. Other calls to other origins do
 * not: the browser would ask by CORS first.
 */
const nameEnvironment = (
  context: BrowserContext,
  { name }: MockEnvironment,
  origin: string,
): Promise<unknown> =>
  context.route('**', async (route) => {
    const request = route.request();
    if (!request.isNavigationRequest() && new URL(request.url()).origin !== origin) return route.fallback();
    const headers = request.headers();
    const baggage = [headers.baggage, `mock-environment=${name}`].filter(Boolean).join(',');
    return route.fallback({ headers: { ...headers, baggage } });
  });

export const test = createTest();

/** Playwright's `expect`, with additional matchers for environments. */
export const expect = watched(playwrightExpect.extend(matchers));

export type { Fixtures, MockEnvironment, MockMatchers, TestOptions };
