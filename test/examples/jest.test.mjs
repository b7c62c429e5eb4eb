// Jest with ES modules: the mock in process, without a port. Run it with NODE_OPTIONS=--experimental-vm-modules.
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { createMock } from 'connected-accounts-mock';

const mock = createMock({ scenario: 'empty', log: 'silent' });
const env = await mock.environment('development');

afterAll(() => mock.close());
beforeEach(() => env.reset());

test('a test brings its own data', async () => {
  await env.patchState({
    connections: [{ key_id: 'crm', type: 'API_KEY' }],
    connected_accounts: [{ connector: 'crm', identifier: 'ada@acme.test', status: 'ACTIVE' }],
  });
  const response = await mock.fetch('/api/v1/connected_accounts', {
    headers: { authorization: `Bearer ${env.credentials.accessToken}` },
  });
  expect(await response.json()).toMatchObject({
    connected_accounts: [{ connector: 'crm', identifier: 'ada@acme.test', status: 'ACTIVE' }],
    total_size: 1,
  });
});
