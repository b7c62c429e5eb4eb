import { expect, test } from 'connected-accounts-mock/vitest';
import { createApp } from '../app.js';

/** Starts a back end that uses the environment of one test. */
const serve = async ({ url, credentials }, onTestFinished) => {
  const app = createApp({ baseUrl: url, ...credentials });
  const server = await new Promise((resolve) => {
    const listening = app.listen(0, () => resolve(listening));
  });
  onTestFinished(() => server.close());
  return `http://127.0.0.1:${server.address().port}`;
};

test('lists the accounts of the user', async ({ env, onTestFinished }) => {
  await env.patchState({
    connected_accounts: [{ connector: 'chat', identifier: 'you@acme.test', status: 'ACTIVE' }],
  });
  const app = await serve(env, onTestFinished);
  const { accounts } = await (await fetch(`${app}/api/accounts`)).json();
  expect(accounts).toMatchObject([{ connector: 'chat', status: 'ACTIVE' }]);
});

test('gets a new token when the old token has expired', async ({ env, onTestFinished }) => {
  const app = await serve(env, onTestFinished);
  await fetch(`${app}/api/accounts`);
  await env.advance('25h');
  expect((await fetch(`${app}/api/accounts`)).status).toBe(200);
  await expect(env).toHaveReceived('issueToken', { times: 2 });
});

test('tries again when the service is busy', async ({ env, onTestFinished }) => {
  await env.faults.add({ operation: 'listConnectedAccounts', status: 503, times: 2 });
  const app = await serve(env, onTestFinished);
  expect((await fetch(`${app}/api/accounts`)).status).toBe(200);
  await expect(env).toHaveReceived('listConnectedAccounts', { status: [503, 503, 200] });
});

test('invites a member, who gets an e-mail', async ({ env, onTestFinished }) => {
  const app = await serve(env, onTestFinished);
  await fetch(`${app}/api/invite`, { method: 'POST' });
  await expect(env).toHaveReceived('createMembership', { status: 201 });
  await expect(env).toHaveSent({ to: 'barbara@free.test', kind: 'invitation' });
});
