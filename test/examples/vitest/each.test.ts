import { expect, test } from 'connected-accounts-mock/vitest';

const ROWS: [status: number, calls: number][] = [
  [500, 1],
  [503, 2],
];

test.each(ROWS)('each row gets an environment after its values: %i', async (status, calls, { env }) => {
  await env.faults.add({ operation: 'listConnections', status });
  const headers = { authorization: `Bearer ${env.credentials.accessToken}` };
  for (let call = 0; call < calls; call += 1) await fetch(`${env.url}/api/v1/connections`, { headers });
  await expect(env).toHaveReceived('listConnections', { status, times: calls });
});

test.for([{ status: 500 }])('for gives the fixtures as Vitest does: $status', async ({ status }, { env }) => {
  await env.faults.add({ status });
});

test.fails.each([500])('a change has to be awaited: %i', (status, { env }) => {
  void env.faults.add({ status });
});
