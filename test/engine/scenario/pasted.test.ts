/** The JSON of a service's lists becomes a scenario, as the guide says. */
import { expect, test } from '@jest/globals';
import { createMock, type Mock } from '#mock';
import { callsOf } from '../../support/server.ts';

const listsOf = async (mock: Mock) => {
  const { call } = callsOf(mock);
  const { connections } = (await call('GET', '/api/v1/connections?include=all')).body;
  const { connected_accounts } = (await call('GET', '/api/v1/connected_accounts?page_size=100')).body;
  const { authRequests } = (await call('GET', '/api/v1/logs/authentication/requests?page_size=100')).body;
  return { connections, connected_accounts, authRequests };
};

test('what the API lists can be pasted into a scenario as rows, and is listed again', async () => {
  await using service = createMock({ log: 'silent' });
  const lists = await listsOf(service);
  const { authRequests: authentication_requests, ...same } = lists;
  const organizations = [
    { id: 'org_100000000000000001', name: 'acme', display_name: 'Acme Corporation' },
    { id: 'org_100000000000000002', name: 'globex', display_name: 'Globex' },
  ];
  const id = 'env_100000000000000001';
  const environment = { id, access_tokens: ['dev-token'], organizations, authentication_requests, ...same };
  await using copy = createMock({ log: 'silent', scenario: { environments: { development: environment } } });
  expect(await listsOf(copy)).toEqual(lists);
});
