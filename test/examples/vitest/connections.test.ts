import { createTest, expect, test } from 'connected-accounts-mock/vitest';
import { createLink, listConnections } from './connections.ts';

test('retries when the service is busy', async ({ env }) => {
  await env.faults.add({ operation: 'listConnections', status: 503, times: 1 });
  await listConnections({ baseUrl: env.url, ...env.credentials });
  await expect(env).toHaveReceived('listConnections', { status: [503, 200] });
});

test('gives up when the service is down', async ({ env }) => {
  await env.faults.add({ operation: 'listConnections', status: 503 });
  await expect(listConnections({ baseUrl: env.url, ...env.credentials })).rejects.toThrow(
    'The service answered 503.',
  );
});

test.concurrent('a user connects an account', async ({ env }) => {
  const link = await createLink({ baseUrl: env.url, ...env.credentials }, 'mail', 'you@acme.test');
  await env.links.approve(link);
  await env.waitForStatus('mail/you@acme.test', 'ACTIVE');
  await expect(env).toHaveReceived('createMagicLink', {
    times: 1,
    status: 200,
    body: { connector: 'mail', identifier: expect.stringMatching(/@acme/) },
  });
});

test.concurrent('the account of one test does not exist in another', async ({ env }) => {
  await expect(env).not.toHaveReceived('createMagicLink');
  await expect(env.accounts.expire('mail/you@acme.test')).rejects.toThrow('mail/you@acme.test');
});

test('an invitation is sent again', async ({ env }) => {
  const path = 'organizations/org_100000000000000001/users/usr_100000000000000002';
  await fetch(`${env.url}/api/v1/invites/${path}/resend`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${env.credentials.accessToken}` },
  });
  await expect(env).toHaveSent({ to: 'grace@acme.test', kind: 'reminder', times: 1 });
});

const inEmpty = createTest({ scenario: 'empty' });

inEmpty('starts from another scenario', async ({ env }) => {
  expect(await listConnections({ baseUrl: env.url, ...env.credentials })).toEqual([]);
  await env.patchState({ connections: [{ key_id: 'mail', type: 'OAUTH' }] });
});
