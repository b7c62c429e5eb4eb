import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ControlServer, type Isolated, startControlServer } from '../support/control.ts';

let server: ControlServer;
beforeAll(async () => {
  server = await startControlServer();
});
afterAll(() => server.close());

const LIST = '/api/v1/connected_accounts';
const NOON = '2026-03-01T12:00:00Z';

/** What one test does: writes, a snapshot, a clock jump, a reset; and what it then sees. */
const story = async ({ control, api }: Isolated, number: number) => {
  const create = async (nth: number) => {
    const body = { connector: 'mail', identifier: `user-${number}-${nth}@acme.test` };
    return (await api('POST', LIST, body)).body.connected_account.id;
  };
  const first = await create(1);
  await control('POST', '/snapshots', { name: 'one' });
  for (let nth = 2; nth <= 1 + (number % 4); nth += 1) await create(nth);
  await control('POST', '/clock/advance', { by: `${number}d` });
  const jumped = (await control('GET', '/clock')).body.now;
  const most = (await api('GET', LIST)).body.total_size;
  await control('POST', '/snapshots/one/restore');
  const restored = (await api('GET', LIST)).body.total_size;
  await control('POST', '/reset');
  const again = await create(1);
  const own = (await api('GET', `${LIST}:search?query=user-`)).body.connected_accounts;
  const { body } = await control('GET', '/requests');
  return { first, again, jumped, most, restored, own, requests: body.requests.length };
};

test('200 tests at once on one server, each in its own environment, never see each other', async () => {
  const numbers = Array.from({ length: 200 }, (_, index) => index + 1);
  const environments = await Promise.all(numbers.map(() => server.isolated({ clock: NOON })));
  const stories = await Promise.all(environments.map((environment, index) => story(environment, index + 1)));
  for (const [index, told] of stories.entries()) {
    const number = index + 1;
    expect(told).toMatchObject({
      again: told.first,
      jumped: new Date(Date.parse(NOON) + number * 86_400_000).toISOString(),
      most: 13 + (number % 4),
      restored: 13,
      own: expect.arrayContaining([expect.objectContaining({ identifier: `user-${number}-1@acme.test` })]),
      requests: 5 + (number % 4),
    });
    const foreign = told.own.filter(
      ({ identifier }: { identifier: string }) =>
        /^user-\d+-/.test(identifier) && !identifier.startsWith(`user-${number}-`),
    );
    expect(foreign).toEqual([]);
  }
  expect(new Set(stories.map(({ first }) => first)).size).toBe(1);
  expect((await server.call('GET', LIST)).body.total_size).toBe(12);
});
