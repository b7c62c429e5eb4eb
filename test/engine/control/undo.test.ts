/** Undo points: back to just before a step. */
import { expect, test } from '@jest/globals';
import { type Isolated, testServer } from '../../support/server.ts';

const server = testServer();
const MAIL = 'ca_100000000000000001';

const takePoint = async (own: Isolated): Promise<string> =>
  (await own.control('POST', '/undo-points', { label: 'a step' })).body.id;

const laterOf = async (own: Isolated): Promise<number> =>
  (await own.control('GET', '/undo-points')).body.points.at(-1).later;

const removeMail = (own: Isolated) =>
  own.control('PATCH', '/state', { connected_accounts: [{ id: MAIL, remove: true }] });

const accounts = async (own: Isolated) => (await own.control('GET', '/rows/connected_accounts')).body.rows;

test('undo goes back to just before a step, with the clock, and says how many later changes go too', async () => {
  const own = await server.isolated({ clock: '2026-03-01T12:00:00Z' });
  const before = await accounts(own);
  const users = (await own.control('GET', '/rows/users')).body.rows;
  const point = await takePoint(own);
  await removeMail(own);
  await own.control('PATCH', `/undo-points/${point}`, { is_done: true });
  await own.api('POST', '/api/v1/connected_accounts', { connector: 'mail', identifier: 'since@acme.test' });
  await own.control('PATCH', '/state', { users: [{ id: 'usr_100000000000000002', remove: true }] });
  await own.control('POST', '/clock/advance', { by: '1m' });
  expect(await laterOf(own)).toBe(2);
  expect((await own.control('POST', `/undo-points/${point}`)).status).toBe(200);
  expect(await accounts(own)).toEqual(before);
  expect((await own.control('GET', '/rows/users')).body.rows).toEqual(users);
  expect((await own.control('GET', '/clock')).body.now).toBe('2026-03-01T12:00:00.000Z');
  expect((await own.control('GET', '/snapshots')).body.snapshots).toEqual([]);
});

test('undo of a reset restores rows, faults and their counts, and its undo point says how many changes it drops', async () => {
  const own = await server.isolated();
  await own.control('POST', '/faults', { operation: 'listConnections', status: 500, times: 2 });
  await own.api('GET', '/api/v1/connections');
  await own.control('POST', `/connected_accounts/${MAIL}/disconnect`);
  const faults = (await own.control('GET', '/faults')).body;
  const point = await takePoint(own);
  await own.api('GET', '/api/v1/connections');
  await own.control('POST', '/reset', { scenario: 'empty' });
  expect(await laterOf(own)).toBe(0);
  await own.control('PATCH', '/settings', { strict: false });
  await own.control('POST', `/undo-points/${point}`, {});
  expect((await own.control('GET', '/faults')).body).toEqual(faults);
  expect((await accounts(own))[0].form.status).toBe('DISCONNECTED');
  expect((await own.control('GET', '')).body.scenario).toBe('default');
});

test('undo restores what an environment was made with and from', async () => {
  const own = await server.isolated({ settings: { hosted: 'approve' } });
  const point = await takePoint(own);
  await own.control('PUT', '', { from: 'production' });
  await own.control('POST', `/undo-points/${point}`);
  const headers = { 'x-mock-environment': own.name };
  expect((await server.call('GET', '/api/v1/connections', { headers })).status).toBe(200); // as dev-token (E7)
  const { settings } = (await own.control('POST', '/reset', { scenario: 'empty' })).body;
  expect(settings.hosted).toBe('approve');
});

test('undo brings deleted snapshots back to their places, and keeps those that were taken since', async () => {
  const own = await server.isolated();
  for (const name of ['b', 'a']) await own.control('POST', '/snapshots', { name });
  const point = await takePoint(own);
  await own.control('DELETE', '/snapshots/b');
  await own.control('POST', '/snapshots', { name: '0' });
  await own.control('POST', `/undo-points/${point}`);
  const { snapshots } = (await own.control('GET', '/snapshots')).body;
  expect(snapshots.map(({ name }: { name: string }) => name)).toEqual(['b', 'a', '0']);
});

test('the last 20 steps can be undone, each by an id of its own', async () => {
  const own = await server.isolated();
  const points: string[] = [];
  for (let step = 0; step < 22; step += 1) points.push(await takePoint(own));
  expect(new Set(points).size).toBe(22);
  const { points: kept } = (await own.control('GET', '/undo-points')).body;
  expect(kept.map(({ id }: { id: string }) => id)).toEqual(points.slice(2));
  const gone = await own.control('POST', `/undo-points/${points[0]}`);
  expect([gone.status, gone.body.error.message]).toEqual([
    404,
    expect.stringContaining('Only the last 20 steps can.'),
  ]);
});

test('an account and a member can be set back to pending (behaviour A6, M1)', async () => {
  const own = await server.isolated();
  const { connected_account } = (await own.control('POST', `/connected_accounts/${MAIL}/pend`)).body;
  expect(connected_account.status).toBe('PENDING_AUTH');
  const { membership } = (await own.control('POST', '/memberships/acme/ada@acme.test/invite')).body;
  expect(membership.membership_status).toBe('PENDING_INVITE');
});
