import { expect, test } from 'connected-accounts-mock/vitest';

// `fails`: a test that forgets to await an assertion is red, even when the assertion holds.
test.fails('an assertion on the environment has to be awaited', ({ env }) => {
  void expect(env).not.toHaveReceived('listConnections');
});
