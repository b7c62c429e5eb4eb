const { expect, test } = require('connected-accounts-mock/jest');

// Stands in for your application, in which the address of the API must be configurable.
const fetchAccount = async ({ baseUrl, accessToken, connector, identifier }) => {
  const query = new URLSearchParams({ connector, identifier });
  const headers = { authorization: `Bearer ${accessToken}` };
  return fetch(`${baseUrl}/api/v1/connected_accounts/auth?${query}`, { headers });
};

test('an account that its user disconnected gives no credentials', async ({ env }) => {
  const account = { baseUrl: env.url, ...env.credentials, connector: 'mail', identifier: 'ada@acme.test' };
  expect((await fetchAccount(account)).status).toBe(200);
  await env.accounts.disconnect('mail/ada@acme.test');
  await fetchAccount(account);
  await expect(env).toHaveReceived('getConnectedAccountAuth', { times: 2, query: { connector: 'mail' } });
});

test.each([[429], [503]])('an answer of %i reaches the application', async (status, { env }) => {
  await env.faults.add({ operation: 'getConnectedAccountAuth', status });
  const account = { baseUrl: env.url, ...env.credentials, connector: 'mail', identifier: 'ada@acme.test' };
  expect((await fetchAccount(account)).status).toBe(status);
});

test.concurrent('an invitation that no one accepts expires after 15 days', async ({ env }) => {
  await env.advance('15d');
  const { users } = await env.state();
  const { memberships } = users.find(({ email }) => email === 'grace@acme.test');
  expect(memberships).toMatchObject([{ membership_status: 'INVITE_EXPIRED' }]);
  await expect(env).not.toHaveSent({ to: 'grace@acme.test' });
});
