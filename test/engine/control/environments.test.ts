import { beforeEach, expect, test } from '@jest/globals';
import { createMock } from '#mock';
import { packageVersion } from '../../../src/engine/contract/package-root.ts';
import { callsOf, testServer } from '../../support/server.ts';

const server = testServer();
beforeEach(async () => {
  await call('POST', '/environments/development/reset', { journal: true });
});

const call = server.control;

const createAccount = (token: string, identifier: string) =>
  server.call('POST', '/api/v1/connected_accounts', { token, body: { connector: 'mail', identifier } });

const countAccounts = async (token: string): Promise<number> =>
  (await server.call('GET', '/api/v1/connected_accounts', { token })).body.total_size;

test('health shows version, uptime, scenario, the number of environments, and that no reply broke the contract', async () => {
  const { status, body } = await call('GET', '/health');
  expect(status).toBe(200);
  expect(body).toEqual({
    status: 'ok',
    version: packageVersion(),
    uptime_seconds: expect.any(Number),
    scenario: 'default',
    environments: 2,
    reply_violations: 0,
  });
});

test('behaviour E5: a runtime environment copies the first environment of its scenario, with its own id and credentials', async () => {
  const { status, body } = await call('POST', '/environments', {});
  expect(status).toBe(201);
  expect(body.id).toMatch(/^env_\d{18}$/);
  expect(body.name).toMatch(/^development-[a-z0-9]{6}$/);
  const token = await server.issueToken(body.client_id, body.client_secret);
  expect(await countAccounts(token)).toBe(await countAccounts('dev-token'));
  expect(await countAccounts(body.access_token)).toBe(12);
});

test('behaviour E5: a runtime environment keeps its credentials when another scenario has an environment of its name', async () => {
  const own = callsOf(createMock({ scenario: { environments: { a: {} } }, log: 'silent' }));
  const made = (await own.control('POST', '/environments', { name: 'development' })).body;
  await own.control('POST', '/environments/development/reset', { scenario: 'default' });
  const { client_id, access_token, scenario } = (await own.control('GET', '/environments/development')).body;
  expect([client_id, access_token, scenario]).toEqual([made.client_id, made.access_token, 'default']);
  await own.mock.close();
});

test('behaviour E5: `from` names the environment to copy', async () => {
  const { body } = await call('POST', '/environments', { from: 'production' });
  expect([body.from, await countAccounts(body.access_token)]).toEqual(['production', 0]);
});

test('behaviour I1: environments draw the same ids with one seed, others with another, and always others with `random`', async () => {
  const make = async (seed: number | string): Promise<string> => {
    const { body } = await call('POST', '/environments', { seed });
    return (await createAccount(body.access_token, 'same@acme.test')).body.connected_account.id;
  };
  const [one, two, again] = [await make(1), await make(2), await make(1)];
  expect([two === one, again]).toEqual([false, one]);
  expect(await make('random')).not.toBe(await make('random'));
});

test('PUT creates an environment, or resets an existing environment, which keeps its id and credentials', async () => {
  const made = await call('PUT', '/environments/suite-1');
  expect([made.status, made.body.name, made.body.scenario]).toEqual([201, 'suite-1', 'default']);
  const token = made.body.access_token;
  await createAccount(token, 'put@acme.test');
  expect(await countAccounts(token)).toBe(13);
  const again = await call('PUT', '/environments/suite-1', {});
  expect([again.status, again.body]).toEqual([
    200,
    { ...made.body, clock: expect.anything(), start: expect.any(String) },
  ]);
  expect(await countAccounts(token)).toBe(12);
  expect((await call('GET', '/environments/suite-1/requests')).body.requests).toHaveLength(3);
  await call('PUT', '/environments/suite-1', { journal: true });
  expect((await call('GET', '/environments/suite-1/requests')).body.requests).toEqual([]);
});

test('PUT with a body restarts the environment from that body, and so does a later reset', async () => {
  const clock = '2026-03-01T12:00:00Z';
  const { id, access_token } = (await call('PUT', '/environments/suite-2', { clock })).body;
  const given = { scenario: 'empty', settings: { strict: true } };
  const { status, body } = await call('PUT', '/environments/suite-2', given);
  expect([status, body.id, body.scenario, body.settings.strict]).toEqual([200, id, 'empty', true]);
  expect(body.clock.mode).toBe('running');
  await call('PATCH', '/environments/suite-2/settings', { strict: false });
  const reset = await call('POST', '/environments/suite-2/reset');
  expect([reset.body.scenario, reset.body.settings.strict]).toEqual(['empty', true]);
  expect(await countAccounts(access_token)).toBe(0);
});

test('an environment of the scenario keeps its clients after PUT', async () => {
  const { body } = await call('PUT', '/environments/production', { from: 'development' });
  expect([body.client_id, body.access_token]).toEqual(['prod-client', 'prod-token']);
  expect(await countAccounts('prod-token')).toBe(12);
  await call('POST', '/environments/production/reset', { scenario: 'default' });
  expect(await countAccounts('prod-token')).toBe(0);
});

test('PUT with a scenario that lacks the environment takes the first one of that scenario, and keeps the clients', async () => {
  const scenario = { environments: { other: { connections: [{ key_id: 'only' }] }, more: {} } };
  const { status, body } = await call('PUT', '/environments/production', { scenario });
  expect([status, body.client_id, body.access_token]).toEqual([200, 'prod-client', 'prod-token']);
  const { rows } = (await call('GET', '/environments/production/rows/connections')).body;
  expect(rows).toMatchObject([{ form: { key_id: 'only' } }]);
  await call('POST', '/environments/production/reset', { scenario: 'default' });
});

test('PUT restores a deleted environment of the scenario with its id, clients and access tokens', async () => {
  const { body: before } = await call('GET', '/environments/production');
  await call('DELETE', '/environments/production');
  expect((await call('PUT', '/environments/production', { from: 'nowhere' })).status).toBe(400);
  expect((await call('GET', '/environments/production')).status).toBe(404);
  const { status, body } = await call('PUT', '/environments/production', { settings: { strict: true } });
  expect(status).toBe(201);
  expect(body).toEqual({
    ...before,
    clock: expect.anything(),
    start: expect.any(String),
    settings: { ...before.settings, strict: true },
  });
  expect(await countAccounts('prod-token')).toBe(0);
  await call('PUT', '/environments/production', { settings: { strict: false } });
});

test('the last environment cannot be deleted, since calls without an environment go to the first', async () => {
  const own = callsOf(createMock({ scenario: 'empty', log: 'silent' }));
  const { environments } = (await own.control('GET', '/environments')).body;
  const statuses: number[] = [];
  for (const { id } of environments)
    statuses.push((await own.control('DELETE', `/environments/${id}`)).status);
  expect(statuses.at(-1)).toBe(400);
  expect((await own.call('GET', '/api/v1/connections', { token: 'nobody' })).status).toBe(401);
  await own.mock.close();
});

test('a reset restores the initial clock and settings, and clears faults, outbox and events', async () => {
  const start = { clock: '2030-01-01T00:00:00Z', settings: { magic_link_ttl: '1h', hosted: 'approve' } };
  const { control } = await server.isolated(start);
  await control('PATCH', '/settings', { hosted: 'deny', strict: true });
  await control('POST', '/clock/advance', { by: '3d' });
  await control('POST', '/sign-ins', { email: 'ada@acme.test', outcome: 'failed' });
  await control('POST', '/faults', { operation: '*', status: 500 });
  const { clock, settings } = (await control('POST', '/reset')).body;
  expect(clock).toEqual({ mode: 'frozen', now: '2030-01-01T00:00:00.000Z' });
  expect(settings).toMatchObject({ ...start.settings, strict: false });
  expect((await control('GET', '/faults')).body).toEqual({ faults: [], used_up: 0 });
  expect((await control('POST', '/faults', { status: 500, times: 1 })).body.id).toBe('fault_1');
  expect((await control('GET', '/events')).body).toEqual({ events: [] });
  expect((await control('GET', '/outbox')).body).toEqual({ emails: [] });
});

test('behaviour X2: each access token has its own rate limit, which a reset restarts', async () => {
  const settings = { rate_limit: { requests: 1, per: '1h' } };
  const { name, access_token } = (await call('POST', '/environments', { settings })).body;
  await call('PATCH', `/environments/${name}/state`, { access_tokens: [access_token, 'another'] });
  const status = async (token: string) => (await server.call('GET', '/api/v1/connections', { token })).status;
  expect([await status(access_token), await status(access_token)]).toEqual([200, 429]);
  expect(await status('another')).toBe(200);
  await call('POST', `/environments/${name}/reset`);
  expect(await status(access_token)).toBe(200);
});

test('restoring a snapshot brings back data, settings and clock', async () => {
  const { control } = await server.isolated({ clock: '2026-03-01T12:00:00Z' });
  const time = '2026-03-01T12:00:00.000Z';
  expect((await control('POST', '/snapshots', { name: 'before' })).body).toEqual({ name: 'before', time });
  await control('PATCH', '/settings', { hosted: 'deny' });
  await control('POST', '/clock/advance', { by: '1d' });
  await control('POST', '/snapshots', { name: 'after' });
  expect((await control('POST', '/snapshots/before/restore')).status).toBe(200);
  expect((await control('DELETE', '/snapshots/after')).body).toEqual({});
  expect((await control('GET', '/snapshots')).body).toEqual({ snapshots: [{ name: 'before', time }] });
  expect((await control('GET', '')).body).toMatchObject({
    settings: { hosted: 'interactive' },
    clock: { mode: 'frozen', now: time },
  });
});

test('a reset keeps journal, coverage and snapshots; `journal: true` clears the first two', async () => {
  const path = '/environments/development';
  await countAccounts('dev-token');
  await call('POST', `${path}/snapshots`, { name: 'kept' });
  await call('POST', `${path}/reset`, {});
  expect((await call('GET', `${path}/requests`)).body.requests).toHaveLength(1);
  expect((await call('GET', `${path}/coverage`)).body.operations.seen).toBe(1);
  await call('POST', `${path}/reset`, { journal: true });
  expect((await call('GET', `${path}/requests`)).body).toEqual({ requests: [], dropped: 0 });
  expect((await call('GET', `${path}/coverage`)).body.operations.seen).toBe(0);
  expect((await call('GET', `${path}/snapshots`)).body.snapshots).toMatchObject([{ name: 'kept' }]);
});

test('a reset to another scenario keeps the clock and the settings with which the environment was made', async () => {
  const made = { clock: '2026-03-01T12:00:00Z', settings: { hosted: 'approve' } };
  const { control } = await server.isolated(made);
  await control('POST', '/clock/advance', { by: '1d' });
  await control('PATCH', '/settings', { hosted: 'deny', strict: true });
  const { clock, settings, scenario } = (await control('POST', '/reset', { scenario: 'empty' })).body;
  expect([scenario, clock.now]).toEqual(['empty', '2026-03-01T12:00:00.000Z']);
  expect(settings).toMatchObject({ hosted: 'approve', strict: false });
  expect((await control('POST', '/reset')).body).toMatchObject({ scenario: 'empty', clock, settings });
  const back = (await control('POST', '/reset', { scenario: 'default' })).body;
  expect([back.clock, back.settings.hosted]).toEqual([clock, 'approve']);
});
