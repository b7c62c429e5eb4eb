/** A refused call says which rule refused it (`src/RULES.md`); a call that a fault answers names no rule. */
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { createMock } from '../../src/index.ts';
import { BEARER as AS_DEV } from './start.ts';

const BEARER = AS_DEV.headers;
const mock = createMock({ scenario: 'default', log: 'silent' });
const env = await mock.environment();
afterAll(() => mock.close());
beforeEach(() => env.reset({ journal: true }));

const call = async (
  method: string,
  path: string,
  { body, headers = BEARER }: { readonly body?: object; readonly headers?: Record<string, string> } = {},
) => {
  await mock.fetch(path, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const [recorded] = await env.requests();
  return [recorded?.status, recorded?.rule];
};

const ACCOUNTS = '/api/v1/connected_accounts';
const ADA = { connector: 'mail', identifier: 'ada@acme.test' };
const MEMBERSHIP = '/api/v1/memberships/organizations/org_100000000000000001/users/usr_100000000000000001';

test.each<[string, string, string, object | undefined, [number, string]]>([
  ['an account that is there already', 'POST', ACCOUNTS, ADA, [409, 'A4']],
  ['an unknown connector', 'POST', ACCOUNTS, { ...ADA, connector: 'nowhere' }, [400, 'A3']],
  ['an unknown account', 'GET', `${ACCOUNTS}/auth?id=ca_1`, undefined, [404, 'A2']],
  ['an unknown connection name', 'GET', `${ACCOUNTS}?connection_names=x`, undefined, [404, 'A1']],
  ['an unknown page token', 'GET', `${ACCOUNTS}?page_token=x`, undefined, [400, 'I4']],
  ['a member that is missing', 'POST', ACCOUNTS, {}, [400, 'R1']],
  ['both spellings of a name', 'POST', ACCOUNTS, { ...ADA, userId: 'a', user_id: 'b' }, [400, 'T3']],
  [
    'a provider that a connection uses',
    'DELETE',
    '/api/v1/custom-providers/TICKET_DESK%3A100000000000000001',
    undefined,
    [400, 'P3'],
  ],
  ['a user who is a member', 'POST', MEMBERSHIP, {}, [409, 'M1']],
  ['an unknown path', 'GET', '/api/v1/nowhere', undefined, [404, 'T4']],
  ['a method that a path does not have', 'PATCH', '/api/v1/connections', {}, [501, 'T4']],
])('%s: %s %s', async (_what, method, path, body, refusal) => {
  expect(await call(method, path, body && { body })).toEqual(refusal);
});

test('a call without a token names rule R1, and a call above the rate limit names X2', async () => {
  expect(await call('GET', '/api/v1/connections', { headers: {} })).toEqual([401, 'R1']);
  await env.patchSettings({ rate_limit: { requests: 1, per: '1m' } });
  await env.clearRequests();
  await mock.fetch('/api/v1/connections', { headers: BEARER });
  await env.clearRequests();
  expect(await call('GET', '/api/v1/connections')).toEqual([429, 'X2']);
});

test('in strict mode a call with an unknown parameter names rule T2', async () => {
  await env.patchSettings({ strict: true });
  expect(await call('GET', `${ACCOUNTS}?pagesize=1`)).toEqual([400, 'T2']);
});

test('a call that was answered, or that a fault or Prefer decided, has no rule', async () => {
  expect(await call('GET', '/api/v1/connections')).toEqual([200, undefined]);
  await env.clearRequests();
  const headers = { ...BEARER, prefer: 'code=409' };
  expect(await call('GET', '/api/v1/connections', { headers })).toEqual([409, undefined]);
  await env.clearRequests();
  await env.faults.add({ operation: 'listConnections', status: 404 });
  expect(await call('GET', '/api/v1/connections')).toEqual([404, undefined]);
});

test('each rule that an error can name has a text', () => {
  const source = new URL('../../src/', import.meta.url);
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const named = files.flatMap((file) => [
    ...readFileSync(new URL(file, source), 'utf8').matchAll(/\brule: '([A-Z]\d{1,2})'/g),
  ]);
  const words = readFileSync(new URL('RULES.md', source), 'utf8');
  expect(named.length).toBeGreaterThan(20);
  for (const [, rule] of named) expect(words).toContain(`<a id="${rule}"></a>`);
});
