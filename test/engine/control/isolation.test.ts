import { expect, test } from '@jest/globals';
import { listeningServer, testServer } from '../../support/server.ts';

const server = testServer();
const shared = await listeningServer();

const LIST = '/api/v1/connected_accounts';

const total = async (token: string): Promise<number> =>
  (await server.call('GET', LIST, { token })).body.total_size;

test('behaviour E1: changes in one environment do not affect any other', async () => {
  const [one, other] = [await server.isolated(), await server.isolated()];
  const sights = async () => {
    const seen = ['state', 'settings', 'faults', 'requests', 'outbox', 'events', 'snapshots'];
    return Promise.all(seen.map(async (path) => (await other.control('GET', `/${path}`)).body));
  };
  const before = await sights();
  const [development, production] = [await total('dev-token'), await total('prod-token')];
  const member = 'organizations/org_100000000000000001/users/usr_100000000000000005';
  expect((await one.api('POST', LIST, { connector: 'mail', identifier: 'one@acme.test' })).status).toBe(201);
  expect((await one.api('POST', `/api/v1/memberships/${member}`, {})).status).toBe(201);
  await one.control('POST', '/faults', { operation: '*', status: 500 });
  await one.control('PATCH', '/settings', { hosted: 'deny', rate_limit: { requests: 1, per: '1h' } });
  await one.control('POST', '/snapshots', { name: 'one' });
  await one.control('POST', '/clock/advance', { by: '400d' });
  expect(await sights()).toEqual(before);
  const { mode, now } = (await other.control('GET', '/clock')).body;
  expect([mode, Date.parse(now) - Date.now() < 86_400_000]).toEqual(['running', true]);
  expect([await total('dev-token'), await total('prod-token')]).toEqual([development, production]);
});

test('behaviour E2: a request is 401 if its header names another environment than its token; a host names nothing', async () => {
  const header = { 'x-mock-environment': 'production' };
  for (const named of [header, { ...header, host: 'development.localhost' }]) {
    expect(await statusWith('dev-token', named)).toBe(401);
    expect(await statusWith('prod-token', named)).toBe(200);
  }
  for (const token of ['dev-token', 'prod-token'])
    expect(await statusWith(token, { host: 'production.localhost' })).toBe(200);
});

const statusWith = async (token: string, headers: Record<string, string>): Promise<number> =>
  (await server.call('GET', LIST, { token, headers })).status;

test('behaviour E4: a fixed access token never expires, however far the clock moves', async () => {
  const { api, control } = await server.isolated();
  await control('POST', '/clock/advance', { by: '3650d' });
  expect((await api('GET', LIST)).status).toBe(200);
});

/** Uses an environment as a test would. Each `number` leads to a different count of accounts and a different time. */
const tellStory = async (number: number): Promise<void> => {
  const { api, control } = await shared.isolated({ clock: '2026-03-01T12:00:00Z' });
  const create = (nth: number) =>
    api('POST', LIST, { connector: 'mail', identifier: `story-${nth}@acme.test` });
  const count = async (): Promise<number> => (await api('GET', LIST)).body.total_size;
  const first = (await create(0)).body;
  for (let nth = 1; nth <= number % 5; nth += 1) await create(nth);
  expect(await count()).toBe(13 + (number % 5));
  const { now } = (await control('POST', '/clock/advance', { by: `${number}d` })).body;
  expect(now).toBe(new Date(Date.UTC(2026, 2, 1 + number, 12)).toISOString());
  await control('POST', '/reset');
  expect(await count()).toBe(12);
  expect((await create(0)).body).toEqual(first);
  await control('DELETE', '');
};

test('behaviour E5: 20 tests at once, each in its own environment, do not affect each other', async () => {
  const before = (await shared.call('GET', LIST)).body;
  await Promise.all(Array.from({ length: 20 }, (_, number) => tellStory(number)));
  expect((await shared.call('GET', LIST)).body).toEqual(before);
  expect((await shared.mock.environments()).map(({ name }) => name)).toEqual(['development', 'production']);
});
