import { expect, test } from 'connected-accounts-mock/vitest';
import { createApp } from './app.js';

/** Starts the application in the environment of one test. @returns a function that calls it */
const start = async ({ url, credentials: { accessToken: token } }, onTestFinished) => {
  const server = await new Promise((resolve) => {
    const listening = createApp({ url, token }).listen(0, () => resolve(listening));
  });
  onTestFinished(() => server.close());
  return async (path, form) => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`http://127.0.0.1:${server.address().port}${path}`, {
      ...{ method: 'POST', headers, body: JSON.stringify(form) },
    });
    return { status: response.status, ...(await response.json()) };
  };
};

test('a create whose reply is lost is tried again, and makes one account', async ({
  env,
  onTestFinished,
}) => {
  await env.faults.add({ operation: 'createConnectedAccount', abort: 'after', times: 1 });
  const call = await start(env, onTestFinished);
  const account = await call('/connect', { connector: 'slack', identifier: 'new@acme.test' });
  expect(account).toEqual({ status: 'PENDING_AUTH', id: expect.stringMatching(/^ca_/) });
  await expect(env).toHaveReceived('createConnectedAccount', { status: [0, 409] });
});

test('an invitation whose reply is lost sends one e-mail', async ({ env, onTestFinished }) => {
  await env.faults.add({ operation: 'createMembership', abort: 'after', times: 1 });
  const call = await start(env, onTestFinished);
  expect(await call('/invite', { email: 'grace@acme.test' })).toMatchObject({ status: 200 });
  await expect(env).toHaveSent({ to: 'grace@acme.test', kind: 'invitation', times: 1 });
});

test('a tool works with a live account, and says what to do without one', async ({ env, onTestFinished }) => {
  const call = await start(env, onTestFinished);
  const mail = { connector: 'gmail', identifier: 'ada@acme.test' };
  expect(await call('/tools/gmail_fetch_mails', mail)).toEqual({ status: 200, text: 'Three new mails' });
  await env.accounts.expire('gmail/ada@acme.test');
  const { status, text } = await call('/tools/gmail_fetch_mails', mail);
  expect([status, text]).toEqual([424, expect.stringContaining('no live account of ada@acme.test')]);
});
