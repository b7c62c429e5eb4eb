// Vitest: an environment for each test, so that tests of a file run side by side.
import { connectMock } from 'connected-accounts-mock';
import { test as base } from 'vitest';

// Started once for all workers, by a global setup or by the pipeline.
const mock = await connectMock(process.env.MOCK_URL ?? 'http://127.0.0.1:4720');

const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: the form that Vitest asks for
  env: async ({}, use) => {
    const env = await mock.createEnvironment({ scenario: 'default' });
    await use(env);
    await env.delete();
  },
});

const ACCOUNTS = '/api/v1/connected_accounts';

const call = (env, path, init = {}) =>
  fetch(mock.url + path, {
    ...init,
    headers: { authorization: `Bearer ${env.credentials.accessToken}`, 'content-type': 'application/json' },
  });

test.concurrent('a deleted account is gone', async ({ env, expect }) => {
  const body = JSON.stringify({ connector: 'mail', identifier: 'ada@acme.test' });
  const { status } = await call(env, `${ACCOUNTS}:delete`, { method: 'POST', body });
  expect(status).toBe(200);
  const { total_size } = await (
    await call(env, `${ACCOUNTS}?identifier=ada%40acme.test&connector=mail`)
  ).json();
  expect(total_size).toBe(0);
});

test.concurrent('another test does not see that', async ({ env, expect }) => {
  const { total_size } = await (
    await call(env, `${ACCOUNTS}?identifier=ada%40acme.test&connector=mail`)
  ).json();
  expect(total_size).toBe(1);
});
