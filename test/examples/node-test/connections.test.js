import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectMock } from 'connected-accounts-mock/client';

const mock = await connectMock(); // the mock that ca-mock exec started

/** An environment for one test. */
const createEnvironment = async (t) => {
  const env = await mock.createEnvironment();
  t.after(() => env.delete());
  return env;
};

test('a 429 says how long the application must wait', async (t) => {
  const env = await createEnvironment(t);
  await env.faults.add({ operation: 'listConnections', status: 429, retry_after: 2, times: 1 });
  const headers = { authorization: `Bearer ${env.credentials.accessToken}` };
  const response = await fetch(`${env.url}/api/v1/connections`, { headers });
  assert.equal(response.headers.get('retry-after'), '2');
  const { status } = await env.waitForRequest({ operation: 'listConnections' });
  assert.equal(status, 429);
});
