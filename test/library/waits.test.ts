/** Waits of an environment, for calls, e-mails and statuses: what they find, and what a wait that times out tells. */
import { expect, test } from '@jest/globals';
import { callsOf } from '../support/server.ts';
import { mockOfFile, NEW_ACCOUNT } from './isolated.ts';

const GRACE = 'usr_100000000000000002';
const ACME = 'org_100000000000000001';
const MAIL = 'ca_100000000000000001';
const { mock, isolated } = mockOfFile();

test('waitForRequest finds the call whose body and query match', async () => {
  const { env, call } = await isolated();
  const waited = env.waitForRequest({ body: { connector: 'mail' }, query: { a: 'b' }, timeout: '5m' });
  await call('POST', 'connected_accounts', NEW_ACCOUNT);
  await call('POST', 'connected_accounts?a=b', NEW_ACCOUNT);
  expect((await waited).status).toBe(409);
  expect(await env.requests({ path: '/api/v1/*', query: { a: 'b' } })).toHaveLength(1);
});

test('the error of a wait that times out lists the calls or e-mails that came instead', async () => {
  const { env, call } = await isolated();
  await expect(env.waitForRequest({ timeout: '1ms' })).rejects.toThrow(
    'No matching call was made within 1ms. There are no calls in this environment.',
  );
  await call('GET', 'connections');
  await expect(env.waitForRequest({ identifier: 'nobody@acme.test', timeout: '1ms' })).rejects.toThrow(
    'within 1ms. The calls in this environment:\n  GET /api/v1/connections 200 listConnections',
  );
  await env.faults.add({ operation: 'getKeys', status: 503 });
  for (const path of ['a', 'b', 'c', 'd', 'connections?pagesize=5']) await call('GET', path);
  const wait = env.waitForRequest({ status: 418, timeout: 0 });
  await expect(wait).rejects.toThrow('within 0s. The last 5 of 6 calls:\n  GET /api/v1/a 404');
  await expect(wait).rejects.toThrow(/listConnections\n {4}pagesize is not a known parameter\./);
  await callsOf(mock).call('GET', '/keys', { headers: { 'x-mock-environment': env.name } });
  await expect(env.waitForRequest({ status: 418, timeout: 0 })).rejects.toThrow(
    /GET \/keys 503 getKeys.*\n {4}fault \S+ took effect on this call$/,
  );
  await env.clearRequests();
  for (const path of ['a', 'b', 'c', 'd', 'e']) await call('GET', path);
  await expect(env.waitForRequest({ status: 418, timeout: 0 })).rejects.toThrow(
    'The calls in this environment:',
  );
  await call('PATCH', `invites/organizations/${ACME}/users/${GRACE}/resend`);
  await expect(env.waitForEmail({ kind: 'invitation', timeout: '1ms' })).rejects.toThrow(
    'The e-mails in this environment:\n  reminder to grace@acme.test: ',
  );
});

test('waitForStatus finds an account by its id or its natural key', async () => {
  const { env, call } = await isolated();
  const waited = env.waitForStatus('mail/new@acme.test', 'PENDING_AUTH');
  await call('POST', 'connected_accounts', NEW_ACCOUNT);
  const { id } = await waited;
  const later = env.waitForStatus(id, 'EXPIRED', { timeout: '5m' });
  await env.accounts.expire(id);
  expect((await later).identifier).toBe('new@acme.test');
});

test('behaviour I6: waitForStatus compares a connector in any case, and an identifier exactly', async () => {
  const connected_accounts = [
    { repeat: 201, connector: 'Mail', identifier: 'a{n}' },
    { connector: 'Mail', identifier: 'a', status: 'ACTIVE' },
  ] as const;
  const environment = { connections: [{ key_id: 'Mail', type: 'OAUTH' }], connected_accounts } as const;
  await using env = await mock.createEnvironment({
    scenario: { environments: { development: environment } },
  });
  expect((await env.waitForStatus('mAIL/a', 'ACTIVE', { timeout: '1ms' })).connector).toBe('Mail');
  await expect(env.waitForStatus('Mail/A', 'ACTIVE', { timeout: '1ms' })).rejects.toThrow('does not exist');
});

test('the error of waitForStatus names the current status of the account, and lists the changes', async () => {
  const { env, call } = await isolated();
  await env.accounts.grant(MAIL);
  await expect(env.waitForStatus(MAIL, 'EXPIRED', { timeout: '1ms' })).rejects.toThrow(
    `The account ${MAIL} is ACTIVE and did not become EXPIRED within 1ms.`,
  );
  await env.accounts.expire(MAIL);
  await call('POST', 'connected_accounts', NEW_ACCOUNT);
  await expect(env.waitForStatus('mail/x', 'EXPIRED', { timeout: '1ms' })).rejects.toThrow(
    /^The account mail\/x does not exist and did not become EXPIRED within 1ms\. The changes in this environment:\n.*\n.* from ACTIVE to EXPIRED\n {2}connected_account\.created \S+$/,
  );
  await expect(env.waitForStatus(MAIL, 'EXPIRED', { timeout: 'soon' })).rejects.toThrow(
    'timeout is "soon", but must be a number of milliseconds or a duration.',
  );
});

test('a filter takes a Date, and a timeout is a number of milliseconds or a duration', async () => {
  await using env = await mock.createEnvironment({ clock: '2030-01-01T00:00:00Z' });
  await env.setClock({ mode: 'frozen', now: '2030-01-02T00:00:00Z' });
  await callsOf(mock).call('GET', '/api/v1/connections', { token: env.credentials.accessToken });
  expect(await env.requests({ since: new Date('2030-01-02T00:00:00Z') })).toHaveLength(1);
  expect(await env.requests({ since: new Date('2030-01-02T00:00:01Z') })).toEqual([]);
  expect(await env.requests({ since: '2030-01-02T00:00:01Z' })).toEqual([]);
  expect(await env.outbox({ since: new Date('2030-01-01T00:00:00Z') })).toEqual([]);
  await expect(env.waitForEmail({ timeout: 5 })).rejects.toThrow('No matching e-mail was sent within 5ms.');
  await expect(env.waitForRequest({ status: 500, timeout: '5ms' })).rejects.toThrow('within 5ms.');
});
