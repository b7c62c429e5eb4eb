/** Every method of an environment, in process and over `/_mock`: the same walk gives the same results. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connectMock, createMock, type Mock, type RemoteMock, startMock } from '../../src/index.ts';
import { isolated } from './walk.ts';
import { walks } from './walks.ts';

const OPTIONS = { scenario: 'default', clock: '2026-03-01T12:00:00Z', log: 'silent' } as const;

let local: Mock;
let served: Mock;
let remote: RemoteMock;
beforeAll(async () => {
  local = createMock({ ...OPTIONS, baseUrl: 'http://mock.example.test' });
  served = await startMock({
    ...OPTIONS,
    baseUrl: 'http://mock.example.test',
    port: 0,
    controlToken: 'secret',
  });
  remote = await connectMock(served.url, { controlToken: 'secret' });
});
afterAll(() => Promise.all([local.close(), served.close()]));

test.each(walks)('in process: %s', async (_what, walk, expected) => {
  expect(await walk(local)).toEqual(expected);
});

test.each(walks)('over HTTP: %s', async (_what, walk, expected) => {
  expect(await walk(remote)).toEqual(expected);
});

test('the same environment is seen from both sides', async () => {
  const made = await remote.createEnvironment({ name: 'both-sides' });
  expect(served.environment('both-sides').credentials).toEqual(made.credentials);
  expect((await remote.environments()).map(({ name }) => name)).toEqual(
    served.environments().map(({ name }) => name),
  );
  expect((await remote.environment()).name).toBe('development');
});

test('coverage over all environments counts deleted ones, and is cleared', async () => {
  for (const mock of [local, remote]) {
    await mock.clearCoverage();
    const { env, call } = await isolated(mock);
    await call('GET', 'connections');
    await env.delete();
    expect((await mock.coverage()).operations.seen).toBe(1);
  }
});

test('an environment is made from what its options say', () => {
  const env = local.createEnvironment({
    scenario: 'empty',
    name: 'made',
    clock: { mode: 'frozen', now: '2030-01-01T00:00:00Z' },
    settings: { hosted: 'deny' },
  });
  expect([env.name, env.clock().now, env.settings().hosted]).toEqual([
    'made',
    '2030-01-01T00:00:00.000Z',
    'deny',
  ]);
  expect(local.createEnvironment({ from: 'production' }).state().organizations).toHaveLength(1);
  expect(() => local.createEnvironment({ name: 'made' })).toThrow('belongs to another environment');
});

test('options of an environment that do not exist are refused with the name that was meant', () => {
  const options = { settigns: {} } as object; // as a caller without types could write it
  expect(() => local.createEnvironment(options)).toThrow('settings');
});

test('an unknown environment is refused with the name that was meant', () => {
  expect(() => local.environment('developmnt')).toThrow(
    'There is no environment "developmnt". Did you mean "development"?',
  );
});

test('the users of one environment are those its scenario has', () => {
  expect(local.environment('development').state().users?.[0]?.id).toBe('usr_100000000000000001');
});
