import { expect, test } from 'connected-accounts-mock/vitest';

test('calls', async ({ env }) => {
  const headers = { authorization: `Bearer ${env.credentials.accessToken}` };
  await fetch(`${env.url}/api/v1/connections`, { headers });
  const { FAILS: fails } = process.env;
  await expect(env).toHaveReceived('listConnections', fails ? { times: 2 } : {});
});

test.runIf(process.env.FAILS).fails('fails as it must', async ({ env }) => {
  await env.clock();
  throw new Error('This one keeps nothing.');
});

test.runIf(process.env.FAILS)('fails twice', { retry: 1 }, ({ env }) => {
  throw new Error(`Gives the address of ${env.name} alone.`);
});
