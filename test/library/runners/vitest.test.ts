/** The entries for Vitest and Playwright, with stand-ins for these runners; `entries.long.ts` and examples run the real ones. */
import { jest, expect as jestExpect, test } from '@jest/globals';
import type { MockEnvironment } from '../../../src/library/runners/jest.ts';
import { servedMock } from '../isolated.ts';

jest.spyOn(console, 'error').mockImplementation(() => {}); // the reports of failed tests
const { mock, names } = await servedMock();

const runner = {
  inject: () => undefined,
  test: { extend: (fixtures: object) => fixtures },
  expect: Object.assign((value: unknown) => jestExpect(value), { extend: () => jestExpect }),
};
jest.unstable_mockModule('vitest', () => runner, { virtual: true });
jest.unstable_mockModule('@playwright/test', () => runner);
const vitest = await import('../../../src/library/runners/vitest.mts');
const playwright = await import('../../../src/library/runners/playwright.ts');

type Use<Value> = (value: Value) => Promise<void>;
type Fixture<Given, Value = MockEnvironment> = (given: Given, use: Use<Value>, info: object) => Promise<void>;

/** Runs one test of Vitest, which ends with these members of its task. @returns the name of its environment */
const runVitest = async (fixtures: unknown, ended: object, before: object = {}): Promise<string> => {
  const { env } = fixtures as { env: Fixture<object> };
  const task = { timeout: 0, ...before };
  let name = '';
  const use = async (given: MockEnvironment) => {
    name = given.name;
    Object.assign(task, ended);
  };
  await env({ task }, use, {});
  return name;
};

test('Vitest: the environment of a test that failed as it should not is kept, and its new errors end with the address', async () => {
  const [earlier, failure] = [new Error('earlier'), new Error('wrong')];
  const failed = { result: { state: 'fail', errors: [earlier, failure] } };
  const fixtures = vitest.createTest();
  await runVitest(fixtures, {});
  await runVitest(fixtures, { result: { state: 'pass' } });
  await runVitest(fixtures, { ...failed, fails: true });
  jestExpect([await names(), failure.message]).toEqual([[], 'wrong']);
  const kept = await runVitest(fixtures, failed, { result: { state: 'run', errors: [earlier] } });
  jestExpect(await names()).toEqual([kept]);
  jestExpect([earlier.message, failure.message]).toEqual(['earlier', jestExpect.stringMatching(`/${kept}$`)]);
  await (await mock.environment(kept)).delete();
});

/** Runs tests of Playwright, which end with these statuses. @returns what each attaches to its report */
const runPlaywright = async (...statuses: readonly string[]) => {
  const { env } = playwright.createTest() as unknown as { env: Fixture<object> };
  const attached: unknown[] = [];
  const errors = [new Error('wrong')];
  for (const status of statuses) {
    const attach = async (...file: unknown[]) => void attached.push(file);
    const info = { timeout: 0, status, expectedStatus: 'passed', errors, attach };
    await env({}, async () => {}, info);
  }
  return { attached, messages: errors.map(({ message }) => message) };
};

test('Playwright: a test that ended as it should leaves nothing, a failed one its calls and its environment', async () => {
  jestExpect(await runPlaywright('passed', 'passed')).toEqual({ attached: [], messages: ['wrong'] });
  jestExpect(await names()).toEqual([]);
  const { attached, messages } = await runPlaywright('passed', 'failed');
  const [kept, ...others] = await names();
  jestExpect([messages, others]).toEqual([[jestExpect.stringMatching(`/${kept}$`)], []]);
  const body = jestExpect.stringContaining('The mock received no call in this environment.');
  jestExpect(attached).toEqual([['calls to the mock', { body, contentType: 'text/plain' }]]);
});

test('Vitest: each passes the environment after the values of a row, in whatever is chained', () => {
  const called: unknown[] = [];
  const chain = (): object =>
    Object.assign(() => {}, {
      for: (table: readonly unknown[]) => (name: string, body: (row: unknown, given: object) => void) => {
        for (const row of table) body(row, { env: name });
      },
    });
  runner.test.extend = () => Object.assign(chain(), { only: chain() });
  const declared = vitest.createTest();
  const note = (...given: unknown[]) => void called.push(given);
  for (const one of [declared, Reflect.get(declared, 'only') as typeof declared])
    one.each([['a', 1], 'b'] as unknown[])('a name', note);
  const rows = [
    ['a', 1, { env: 'a name' }],
    ['b', { env: 'a name' }],
  ];
  jestExpect(called).toEqual([...rows, ...rows]);
  const table: unknown = Object.assign([], { raw: [] });
  jestExpect(() => declared.each(table as [])).toThrow('test.each takes a list of rows here');
});
