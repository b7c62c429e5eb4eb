import { createTest, expect, test } from 'connected-accounts-mock/vitest';

const ask = (env, path, body) =>
  fetch(`${env.url}/api/v1${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${env.credentials.accessToken}`, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  });

test('a page sees a busy service', async ({ env }) => {
  await env.faults.add({ operation: 'listConnections', status: 503, times: 1 });
  expect((await ask(env, '/connections')).status).toBe(503);
  expect((await ask(env, '/connections')).status).toBe(200);
  await expect(env).toHaveReceived('listConnections', { status: [503, 200] });
});

test('a user connects an account', async ({ env }) => {
  const account = { connector: 'mail', identifier: 'you@acme.test' };
  const { link } = await (await ask(env, '/connected_accounts/magic_link', account)).json();
  const active = env.waitForStatus('mail/you@acme.test', 'ACTIVE');
  await env.links.approve(link);
  expect((await active).identifier).toBe('you@acme.test');
});

test('the account of one test does not exist in another', async ({ env }) => {
  await expect(env).not.toHaveReceived('createMagicLink');
  await expect(env.accounts.expire('mail/you@acme.test')).rejects.toThrow('mail/you@acme.test');
});

createTest({ scenario: 'empty' })('another scenario', async ({ env }) => {
  expect((await (await ask(env, '/connections')).json()).connections).toEqual([]);
});
