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
  ['restore(5)', (env) => env.restore(5), 'snapshot 5 was not found'],
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

test.each(slips)('%s is refused, and the message says why', async (_what, slip, words) => {
  const envs = [await local.createEnvironment(), await remote.createEnvironment()];
  for (const env of envs) {
    await env.faults.add({ operation: 'getKeys', status: 500 });
    const before = await env.state();
    await expect(async () => slip(env)).rejects.toThrow(words);
    expect(await env.state()).toEqual(before);
    expect(await env.faults.list()).toHaveLength(1);
  }
});

test('fetch without an address is refused with a message', async () => {
  const { fetch }: Untyped = local;
  await expect(fetch()).rejects.toThrow('fetch needs a path such as /api/v1/connections');
});
