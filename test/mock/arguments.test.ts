/** Arguments that a caller without types gets wrong are refused in words, in process and over HTTP, and change nothing. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connectMock, createMock, type Mock, type RemoteMock, startMock } from '../../src/index.ts';

let local: Mock;
let served: Mock;
let remote: RemoteMock;
beforeAll(async () => {
  local = createMock({ scenario: 'default', log: 'silent' });
  served = await startMock({ scenario: 'default', port: 0, log: 'silent' });
  remote = await connectMock(served.url);
});
afterAll(() => Promise.all([local.close(), served.close()]));

/** An environment as a caller without types sees it. */
type Untyped = ReturnType<typeof JSON.parse>;

const slips: readonly [string, (env: Untyped) => unknown, string][] = [
  ['restore()', (env) => env.restore(), 'name is missing.'],
  ['restore(5)', (env) => env.restore(5), 'name is missing.'],
  ['deleteSnapshot()', (env) => env.deleteSnapshot(), 'name is missing.'],
  ['links.approve()', (env) => env.links.approve(), 'link is missing.'],
  ['accounts.expire()', (env) => env.accounts.expire(), 'id is missing.'],
  ['memberships.accept(id)', (env) => env.memberships.accept('org_1'), 'user_id is missing.'],
  ['faults.remove()', (env) => env.faults.remove(), 'id is missing.'],
  ["faults.remove('')", (env) => env.faults.remove(''), 'id is missing.'],
  ['setState()', (env) => env.setState(), 'body is missing.'],
  ['setState(null)', (env) => env.setState(null), 'body is null, but must be an object.'],
  ['patchState(text)', (env) => env.patchState('users'), 'body is a text, but must be an object.'],
  ['patchSettings()', (env) => env.patchSettings(), 'body is missing.'],
];

test.each(slips)('%s is refused, and says why', async (_what, slip, words) => {
  const envs = [local.createEnvironment(), await remote.createEnvironment()];
  for (const env of envs) {
    await env.faults.add({ operation: 'getKeys', status: 500 });
    const before = await env.state();
    await expect(async () => slip(env)).rejects.toThrow(words);
    expect(await env.state()).toEqual(before);
    expect(await env.faults.list()).toHaveLength(1);
  }
});

test('fetch without an address is refused in words', async () => {
  const { fetch }: Untyped = local;
  await expect(fetch()).rejects.toThrow('fetch needs a path such as /api/v1/connections');
});

test('a Date is no clock, and is not taken for one that runs', () => {
  const options = { clock: new Date(0) } as object; // as a caller without types could write it
  expect(() => local.createEnvironment(options)).toThrow('clock is an object');
});

test('a link may be a URL as well as its text', async () => {
  const env = local.createEnvironment({ settings: { user_verification: 'lenient' } });
  const made = await local.fetch('/api/v1/connected_accounts/magic_link', {
    method: 'POST',
    headers: { authorization: `Bearer ${env.credentials.accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ id: 'ca_100000000000000003' }),
  });
  const { link } = JSON.parse(await made.text());
  expect(env.links.approve(new URL(link)).redirect_url).toContain('/connect/success');
});
