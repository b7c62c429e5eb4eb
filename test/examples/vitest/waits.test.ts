import { expect, test } from 'connected-accounts-mock/vitest';

// A wait ends before its test, so that the failure says what was waited for.
test('a wait is shorter than the test', { timeout: 4_900 }, async ({ env }) => {
  await expect(env.waitForRequest()).rejects.toThrow(/No matching call was made within ([0-3]s)?(\d+ms)?\./);
});
