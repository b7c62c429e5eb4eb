/** Saved scenarios: what is compared with the scenario it started from may be large. */
import { expect, test } from '@jest/globals';
import { createMock } from '../../src/index.ts';

test('one row more in a large scenario is a short file', async () => {
  const env = await createMock({ log: 'silent', scenario: 'large' }).createEnvironment();
  await env.patchState({ connected_accounts: [{ connector: 'crm', identifier: 'one-more@acme.test' }] });
  expect(await env.scenario()).toEqual({
    extends: 'large',
    environments: {
      development: { connected_accounts: [expect.objectContaining({ identifier: 'one-more@acme.test' })] },
    },
  });
});
