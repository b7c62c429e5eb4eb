import { beforeEach, expect, test } from '@jest/globals';
import { createMock } from '#mock';
import { packageVersion } from '../../../src/engine/contract/package-root.ts';
import { callsOf, testServer } from '../../support/server.ts';

const server = testServer();
beforeEach(async () => {
  await call('POST', '/environments/development/reset', { journal: true });
});

const call = server.control;
const LIST = '/api/v1/connected_accounts';

const createAccount = (token: string, identifier: string) =>
  server.call('POST', LIST, { token, body: { connector: 'mail', identifier } });

const countAccounts = async (token: string): Promise<number> =>
  (await server.call('GET', LIST, { token })).body.total_size;

test('health shows version, uptime, scenario, the number of environments, and that no reply broke the contract', async () => {
  const { status, body } = await call('GET', '/health');
  const counts = { environments: 2, reply_violations: 0, uptime_seconds: expect.any(Number) };
  expect([status, body]).toEqual([
    200,
    { status: 'ok', version: packageVersion(), scenario: 'default', ...counts },
  ]);
});

test('behaviour E5: a runtime environment copies the first environment of its scenario, or `from`, with its own id and credentials', async () => {
  const { status, body } = await call('POST', '/environments', {});
  expect(status).toBe(201);
  expect(body.id).toMatch(/^env_\d{18}$/);
  expect(body.name).toMatch(/^development-[a-z0-9]{6}$/);
  const token = await server.issueToken(body.client_id, body.client_secret);
  expect(await countAccounts(token)).toBe(await countAccounts('dev-token'));
  expect(await countAccounts(body.access_token)).toBe(12);
  const { body: other } = await call('POST', '/environments', { from: 'production' });
  expect([other.from, await countAccounts(other.access_token)]).toEqual(['production', 0]);
});

test('behaviour E5: a runtime environment keeps its credentials when another scenario has an environment of its name', async () => {
  const own = callsOf(createMock({ scenario: { environments: { a: {} } }, log: 'silent' }));
  const made = (await own.control('POST', '/environments', { name: 'development' })).body;
  await own.control('POST', '/environments/development/reset', { scenario: 'default' });
  const { client_id, access_token, scenario } = (await own.control('GET', '/environments/development')).body;
  expect([client_id, access_token, scenario]).toEqual([made.client_id, made.access_token, 'default']);
  await own.mock.close();
});

test('behaviour I1: environments draw the same ids with one seed, others with another, and always others with `random`', async () => {
  const make = async (seed: number | string): Promise<string> => {
    const { body } = await call('POST', '/environments', { seed });
    return (await createAccount(body.access_token, 'same@acme.test')).body.connected_account.id;
  };
  const [one, two, again] = [await make(0), await make(1), await make(0)];
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

test('an environment of the scenario keeps its clients after PUT, also if its scenario lacks it', async () => {
  const scenario = { environments: { other: { connections: [{ key_id: 'only' }] }, more: {} } };
  for (const given of [{ from: 'development' }, { scenario }]) {
    const { status, body } = await call('PUT', '/environments/production', given);
    expect([status, body.client_id, body.access_token]).toEqual([200, 'prod-client', 'prod-token']);
    if ('from' in given) expect(await countAccounts('prod-token')).toBe(12);
  }
  const { rows } = (await call('GET', '/environments/production/rows/connections')).body;
  expect(rows).toMatchObject([{ form: { key_id: 'only' } }]); // the first one of that scenario
  await call('POST', '/environments/production/reset', { scenario: 'default' });
  expect(await countAccounts('prod-token')).toBe(0);
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
  const { control, get } = await server.isolated(start);
  await control('PATCH', '/settings', { hosted: 'deny', strict: true });
  await control('POST', '/clock/advance', { by: '3d' });
  await control('POST', '/sign-ins', { email: 'ada@acme.test', outcome: 'failed' });
  await control('POST', '/faults', { operation: '*', status: 500 });
  const { clock, settings } = (await control('POST', '/reset')).body;
  expect(clock).toEqual({ mode: 'frozen', now: '2030-01-01T00:00:00.000Z' });
  expect(settings).toMatchObject({ ...start.settings, strict: false });
  expect(await get('/faults')).toEqual({ faults: [], used_up: 0 });
  expect((await control('POST', '/faults', { status: 500, times: 1 })).body.id).toBe('fault_1');
  expect(await get('/events')).toEqual({ events: [] });
  expect(await get('/outbox')).toEqual({ emails: [] });
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
  const { control, get } = await server.isolated({ clock: '2026-03-01T12:00:00Z' });
  const time = '2026-03-01T12:00:00.000Z';
  expect((await control('POST', '/snapshots', { name: 'before' })).body).toEqual({ name: 'before', time });
  await control('PATCH', '/settings', { hosted: 'deny' });
  await control('POST', '/clock/advance', { by: '1d' });
  await control('POST', '/snapshots', { name: 'after' });
  expect((await control('POST', '/snapshots/before/restore')).status).toBe(200);
  expect((await control('DELETE', '/snapshots/after')).body).toEqual({});
  expect(await get('/snapshots')).toEqual({ snapshots: [{ name: 'before', time }] });
  expect(await get('')).toMatchObject({
    settings: { hosted: 'interactive' },
    clock: { mode: 'frozen', now: time },
  });
});

test('a reset keeps journal, coverage and snapshots; `journal: true` clears the first two', async () => {
  const { api, control, get } = await server.isolated();
  await api('GET', LIST);
  await control('POST', '/snapshots', { name: 'kept' });
  await control('POST', '/reset', {});
  expect((await get('/requests')).requests).toHaveLength(1);
  expect((await get('/coverage')).operations.seen).toBe(1);
  await control('POST', '/reset', { journal: true });
  expect(await get('/requests')).toEqual({ requests: [], dropped: 0 });
  expect((await get('/coverage')).operations.seen).toBe(0);
  expect((await get('/snapshots')).snapshots).toMatchObject([{ name: 'kept' }]);
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

// Which environment `current` stands for.

const current = (method: string, token: string | null, named?: string, path = '') => {
  const headers = named === undefined ? {} : { 'x-mock-environment': named };
  return server.call(method, `/_mock/environments/current${path}`, { token, headers });
};

test('`current` is the environment of the API token or of the header, and without both the first environment', async () => {
  await server.control('POST', '/environments', { name: 'copy' });
  for (const [token, named, name] of [
    ['prod-token', undefined, 'production'],
    [null, 'production', 'production'],
    [null, undefined, 'development'],
    ['no-token-of-the-api', undefined, 'development'],
    ['dev-token', 'copy', 'copy'], // dev-token is of the original
  ] as const)
    expect([token, named, (await current('GET', token, named)).body.name]).toEqual([token, named, name]);
  const headers = { authorization: 'bearer prod-token' }; // the letter case of a scheme does not count
  const { body } = await server.call('GET', '/_mock/environments/current', { token: null, headers });
  expect(body.name).toBe('production');
});

test('`current` is 404, and not the first environment, if the header names an unknown environment', async () => {
  const first = await server.mock.environment('development');
  await first.faults.add({ operation: 'getKeys', delay_ms: 1 });
  const { status, body } = await current('POST', null, 'prodution', '/reset');
  expect(status).toBe(404);
  expect(body.error).toEqual({
    code: 'NOT_FOUND',
    message: 'The environment "prodution" does not exist, but the header X-Mock-Environment selects it.',
    hint: 'Did you mean "production"?',
  });
  expect(await first.faults.list()).toHaveLength(1);
  const { hint } = (await current('POST', null, 'zebra', '/reset')).body.error;
  expect(hint).toMatch(
    /^The environments are development, .*production.*; GET \/_mock\/environments lists them\.$/,
  );
});

test('`current` is the environment of an access token even after the token expires, and 404 after that environment is deleted', async () => {
  const { body: made } = await server.control('POST', '/environments', { name: 'short' });
  const token = await server.issueToken(made.client_id, made.client_secret);
  await server.control('POST', '/environments/short/clock/advance', { by: '2d' });
  expect((await current('GET', token)).body.name).toBe('short');
  await server.control('DELETE', '/environments/short');
  const refused = await server.call('GET', '/api/v1/connections', { token });
  expect([refused.status, refused.body.message]).toEqual([401, expect.stringContaining('no longer exists')]);
  const { status, body } = await current('GET', token);
  const told = `The environment "${made.id}" does not exist, but the access token belongs to it.`;
  expect([status, body.error.message]).toEqual([404, told]);
});

test('`current` is refused if token and header select different environments', async () => {
  const { status, body } = await current('GET', 'prod-token', 'development');
  expect(status).toBe(400);
  expect(body.error.message).toBe(
    'The call selects the environment production, but its header X-Mock-Environment selects "development".',
  );
});

test('behaviour E1: changes in one environment do not affect any other', async () => {
  const [one, other] = [await server.isolated(), await server.isolated()];
  const sights = async () => {
    const seen = ['state', 'settings', 'faults', 'requests', 'outbox', 'events', 'snapshots'];
    return Promise.all(seen.map(async (path) => await other.get(`/${path}`)));
  };
  const before = await sights();
  const totals = () => Promise.all(['dev-token', 'prod-token'].map(countAccounts));
  const inOthers = await totals();
  const member = 'organizations/org_100000000000000001/users/usr_100000000000000005';
  expect((await one.api('POST', LIST, { connector: 'mail', identifier: 'one@acme.test' })).status).toBe(201);
  expect((await one.api('POST', `/api/v1/memberships/${member}`, {})).status).toBe(201);
  await one.control('POST', '/faults', { operation: '*', status: 500 });
  await one.control('PATCH', '/settings', { hosted: 'deny', rate_limit: { requests: 1, per: '1h' } });
  await one.control('POST', '/snapshots', { name: 'one' });
  await one.control('POST', '/clock/advance', { by: '400d' });
  expect(await sights()).toEqual(before);
  const { mode, now } = await other.get('/clock');
  expect([mode, Date.parse(now) - Date.now() < 86_400_000]).toEqual(['running', true]);
  expect(await totals()).toEqual(inOthers);
});

test('behaviour E2: a host names no environment, also beside a header that does', async () => {
  const status = async (token: string, headers: Record<string, string>): Promise<number> =>
    (await server.call('GET', LIST, { token, headers })).status;
  const named = { 'x-mock-environment': 'production', host: 'development.localhost' };
  expect([await status('dev-token', named), await status('prod-token', named)]).toEqual([401, 200]);
  for (const token of ['dev-token', 'prod-token'])
    expect(await status(token, { host: 'production.localhost' })).toBe(200);
});

test('behaviour E4: a fixed access token never expires, however far the clock moves', async () => {
  const { api, control } = await server.isolated();
  await control('POST', '/clock/advance', { by: '3650d' });
  expect((await api('GET', LIST)).status).toBe(200);
});

const tellStory = async (number: number): Promise<void> => {
  const { api, control } = await server.isolated({ clock: '2026-03-01T12:00:00Z' });
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
};

test('behaviour E5: 20 tests at once, each in its own environment, do not affect each other', async () => {
  const before = (await server.call('GET', LIST)).body;
  await Promise.all(Array.from({ length: 20 }, (_, number) => tellStory(number)));
  expect((await server.call('GET', LIST)).body).toEqual(before);
});
