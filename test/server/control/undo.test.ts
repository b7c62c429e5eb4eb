/** Undo points: one step is taken back, and nothing else. */
import { expect, test } from '@jest/globals';
import { type Isolated, testServer } from '../../support/server.ts';

const server = testServer();
const MAIL = 'ca_100000000000000001';

const takePoint = async (own: Isolated): Promise<string> =>
  (await own.control('POST', '/undo-points')).body.id;

const removeMail = (own: Isolated) =>
  own.control('PATCH', '/state', { connected_accounts: [{ id: MAIL, remove: true }] });

const undoMail = (own: Isolated, point: string) =>
  own.control('POST', `/undo-points/${point}`, { rows: { connected_accounts: [MAIL] } });

const accounts = async (own: Isolated) =>
  (await own.control('GET', '/resources/connected_accounts')).body.rows;

test('undo restores a deleted row in its place, and keeps later rows and the clock', async () => {
  const own = await server.isolated({ clock: '2026-03-01T12:00:00Z' });
  const before = await accounts(own);
  const point = await takePoint(own);
  await removeMail(own);
  await own.api('POST', '/api/v1/connected_accounts', { connector: 'mail', identifier: 'since@acme.test' });
  await own.control('POST', '/clock/advance', { by: '1m' });
  expect((await undoMail(own, point)).status).toBe(200);
  const after = await accounts(own);
  expect(after.slice(0, -1)).toEqual(before);
  expect(after.at(-1).identifier).toBe('since@acme.test');
  expect((await own.control('GET', '/clock')).body.now).toBe('2026-03-01T12:01:00.000Z');
});

test('each undo takes back one step, and a user is restored with memberships', async () => {
  const own = await server.isolated();
  const users = async () => (await own.control('GET', '/resources/users')).body.rows;
  const before = await users();
  const ids = ['usr_100000000000000002', 'usr_100000000000000003'];
  const points: string[] = [];
  for (const id of ids) {
    points.push(await takePoint(own));
    await own.control('PATCH', '/state', { users: [{ id, remove: true }] });
  }
  for (const [nth, id] of ids.entries())
    await own.control('POST', `/undo-points/${points[nth]}`, { rows: { users: [id] } });
  expect(await users()).toEqual(before);
  expect((await own.control('GET', '/snapshots')).body.snapshots).toEqual([]);
});

test('undo does not change a row that exists again', async () => {
  const own = await server.isolated();
  const point = await takePoint(own);
  await removeMail(own);
  await undoMail(own, point);
  await own.control('POST', `/connected_accounts/${MAIL}/disconnect`);
  expect((await undoMail(own, point)).status).toBe(200);
  expect((await accounts(own))[0].status).toBe('DISCONNECTED');
});

test('a row is not restored if another row has its name', async () => {
  const own = await server.isolated();
  const point = await takePoint(own);
  await removeMail(own);
  await own.api('POST', '/api/v1/connected_accounts', { connector: 'mail', identifier: 'ada@acme.test' });
  const { status, body } = await undoMail(own, point);
  expect(status).toBe(409);
  expect(body.error.message).toBe(
    'Another row now has the identifier "ada@acme.test". Change that row first.',
  );
});

test('undo of a reset restores rows, faults and their counts, and its undo point says how many changes it drops', async () => {
  const own = await server.isolated();
  await own.control('POST', '/faults', { operation: 'listConnections', status: 500, times: 1 });
  await own.api('GET', '/api/v1/connections');
  await own.control('POST', `/connected_accounts/${MAIL}/disconnect`);
  const faults = (await own.control('GET', '/faults')).body;
  const point = await takePoint(own);
  await own.control('POST', '/reset', { scenario: 'empty' });
  expect((await own.control('GET', `/undo-points/${point}`)).body).toEqual({ changes: 0 });
  await own.control('PATCH', '/settings', { strict: false });
  await own.control('POST', `/undo-points/${point}`, {});
  expect((await own.control('GET', '/faults')).body).toEqual(faults);
  expect((await accounts(own))[0].status).toBe('DISCONNECTED');
  expect((await own.control('GET', '')).body.scenario).toBe('default');
});

test('an account and a member can be set back to pending (behaviour A6, M1)', async () => {
  const own = await server.isolated();
  const { connected_account } = (await own.control('POST', `/connected_accounts/${MAIL}/pend`)).body;
  expect(connected_account.status).toBe('PENDING_AUTH');
  const { membership } = (await own.control('POST', '/memberships/acme/ada@acme.test/invite')).body;
  expect(membership.membership_status).toBe('PENDING_INVITE');
});
