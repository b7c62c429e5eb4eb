import { expect, test } from 'connected-accounts-mock/vitest';

// `fails` expects a failure: a test that does not await an assertion fails, even if the assertion holds.
test.fails('an assertion on the environment has to be awaited', ({ env }) => {
  void expect(env).not.toHaveReceived('listConnections');
});
