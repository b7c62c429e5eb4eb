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
  await expect(env.waitForStatus(MAIL, 'EXPIRED', { timeout: 'soon' as never })).rejects.toThrow(
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

/** Values of another kind than a condition takes: refused through every door, in plain JavaScript too. */
const WRONG: readonly [condition: object, message: string][] = [
  [{ query: new URLSearchParams('include=all') }, 'query is URLSearchParams'],
  [{ query: 'include=all' }, "query is 'include=all', but must be an object of parameters and their values"],
  [{ query: new Map([['a', 'b']]) }, 'query is Map'],
  [{ query: { page: ['1'] } }, "query.page is [ '1' ], but must be a string, a number or a boolean."],
  [{ query: { page: Number.NaN } }, 'query.page is NaN'],
  [{ body: () => true }, 'body is [Function'],
  [{ body: { page: Number.NaN } }, 'body.page is NaN, but must be a finite number.'],
  [{ body: { a: [{ b: undefined }] } }, 'body.a.0.b is undefined'],
  [{ body: { a: /b/ } }, 'body.a is /b/, but must be a value of JSON.'],
  [{ body: { a: expect.any(String) } }, 'body.a is '],
  [{ status: [] }, 'status is [], but must be a status such as 404'],
  [{ status: Number.NaN }, 'status is NaN'],
  [{ status: undefined }, 'status is undefined'],
  [{ path: '' }, "path is '', but must be a string that is not empty. Correct it, or leave it out."],
  [{ identifier: ['a'] }, "identifier is [ 'a' ]"],
  [{ since: 5 }, 'since is 5, but must be a Date or an ISO 8601 time.'],
  [{ limit: 1 }, 'limit is 1, but must be left out: all calls that match are returned'],
  [{ format: 'har' }, "format is 'har', but must be left out: har() returns an archive."],
  [{ operation: 'listConnections', body: {} }, 'Calls of listConnections have no body'],
];

test.each(WRONG)('behaviour N6: a filter with %o is refused', async (condition, message) => {
  const { env } = await isolated();
  for (const take of [env.requests, env.har, env.waitForRequest])
    await expect(Reflect.apply(take, env, [condition])).rejects.toThrow(message);
});

test('behaviour N6: filters of e-mails, and filters that are not plain objects', async () => {
  const { env } = await isolated();
  for (const [condition, message] of [
    [{ to: [] }, 'to is [], but must be a string that is not empty.'],
    [{ kind: 5 }, 'kind is 5'],
    [{ since: {} }, 'since is {}'],
    [new Map([['to', 'a@b.test']]), 'The filter is Map'],
    ['ada@acme.test', 'must be an object'],
  ] as const)
    for (const take of [env.outbox, env.waitForEmail])
      await expect(Reflect.apply(take, env, [condition])).rejects.toThrow(message);
  await expect(env.requests(new URLSearchParams('status=404') as object)).rejects.toThrow('The filter is ');
});

test.each([
  [Infinity, 'timeout is Infinity, but must be a number of milliseconds or a duration.'],
  [-1, 'timeout is -1'],
  ['1h', 'timeout is "1h", but must be at most 5m.'],
])('a wait of %s is refused by that value', async (timeout, message) => {
  const { env } = await isolated();
  await expect(env.waitForRequest({ timeout: timeout as number })).rejects.toThrow(message);
  await expect(env.waitForStatus(MAIL, 5 as never)).rejects.toThrow(
    'status is 5, but must be one of ACTIVE, ',
  );
});

test.each([
  [{ match: { query: new URLSearchParams('a=b') } }, 'match.query is URLSearchParams'],
  [{ match: { path: /connections/ } }, 'match.path is /connections/, but must be a value of JSON.'],
  [{ match: { body: { a: () => 1 } } }, 'match.body.a is [Function'],
  [{ times: Number.NaN }, 'times is NaN, but must be a finite number.'],
])('behaviour N6: what JSON would drop of a fault such as %o is refused', async (fault, message) => {
  const { env } = await isolated();
  await expect(env.faults.add({ status: 503, ...fault } as object)).rejects.toThrow(message);
});
