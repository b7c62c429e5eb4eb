import { expect, test } from 'connected-accounts-mock/vitest';

test('the mock works from an archive that is never unpacked', async ({ env }) => {
  const headers = { authorization: `Bearer ${env.credentials.accessToken}` };
  const response = await fetch(`${env.url}/api/v1/connections`, { headers });
  expect(response.status).toBe(200);
  await expect(env).toHaveReceived('listConnections');
});
