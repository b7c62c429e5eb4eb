import { expect, test } from 'connected-accounts-mock/vitest';

test('calls', async ({ env }) => {
  const headers = { authorization: `Bearer ${env.credentials.accessToken}` };
  await fetch(`${env.url}/api/v1/connections`, { headers });
  const { FAILS: fails } = process.env;
  await expect(env).toHaveReceived('listConnections', fails ? { times: 2 } : {});
});
