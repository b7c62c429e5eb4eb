/** The plugin for Vitest: the options of a run. */
import { afterEach, expect, test } from '@jest/globals';
import plugin from '../../../src/library/runners/vitest-plugin.mts';

const before = { ...process.env };
afterEach(() => {
  process.env = { ...before };
});

/** The variables of the mock. */
const variables = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('CA_MOCK_')));

test('the options of the plugin become variables, but a variable that is set wins', () => {
  process.env.CA_MOCK_STRICT = '0';
  const options = { scenario: 'empty', strict: true, minCoverage: 0, host: undefined } as object;
  const used = plugin(options);
  expect(used.config()).toEqual({ test: { globalSetup: ['connected-accounts-mock/vitest/setup'] } });
  expect(variables()).toEqual({ CA_MOCK_SCENARIO: 'empty', CA_MOCK_STRICT: '0', CA_MOCK_MIN_COVERAGE: '0' });
  used.buildEnd();
  expect(() => plugin({ scenario: {} } as object)).toThrow('scenario must be a name or a path here.');
  expect(() => plugin({ minCoverag: 1 } as object)).toThrow('Did you mean "minCoverage"?');
});

test('the projects of a run must have the same options, until the last of them has ended', () => {
  const [one, same, other] = [plugin({ strict: true }), plugin({ strict: true }), plugin()];
  one.config();
  same.config();
  for (const ending of [one, same]) {
    expect(() => other.config()).toThrow(
      'the plugins of two have different options: { strict: true } and {}',
    );
    ending.buildEnd();
  }
  other.config();
  other.buildEnd();
});
