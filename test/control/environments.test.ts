import { beforeEach, expect, test } from '@jest/globals';
import { createMock } from '../../src/index.ts';
import { packageVersion } from '../../src/openapi/package-root.ts';
import { callsOf, testServer } from '../support/server.ts';

const server = testServer();
beforeEach(async () => {
  await call('POST', '/environments/development/reset', { journal: true });
});

const call = server.control;

const issueToken = async (environment: { client_id: string; client_secret: string }): Promise<string> => {
  const { client_id, client_secret } = environment;
  const form = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
  const { body } = await server.call('POST', '/oauth/token', { token: null, body: form });
  return body.access_token;
};

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

test('the control plane serves its own OpenAPI document', async () => {
  const { body } = await call('GET', '/openapi.json');
  expect(body.info.title).toContain('control plane');
  expect(Object.keys(body.paths)).toContain('/environments/{env}/reset');
});

test('an unknown environment is 404, and the message suggests the most similar name', async () => {
  const { status, body } = await call('GET', '/environments/developmnet');
  expect(status).toBe(404);
  expect(body.error).toEqual({
    code: 'NOT_FOUND',
    message: 'There is no environment "developmnet".',
    hint: 'Did you mean "development"?',
  });
});

test('behaviour E5: a runtime environment copies the first environment of its scenario, with its own id and credentials', async () => {
  const { status, body } = await call('POST', '/environments', {});
  expect(status).toBe(201);
  expect(body.id).toMatch(/^env_\d{18}$/);
  expect(body.name).toMatch(/^development-[a-z0-9]{6}$/);
  const client = await issueToken(body);
  expect(await countAccounts(client)).toBe(await countAccounts('dev-token'));
  expect(await countAccounts(body.access_token)).toBe(12);
});

test('behaviour E5: `from` names the environment to copy; an unknown name is 400 and the message suggests a name', async () => {
  const { body } = await call('POST', '/environments', { from: 'production' });
  expect(await countAccounts(body.access_token)).toBe(0);
  const unknown = await call('POST', '/environments', { from: 'productoin' });
  expect(unknown.status).toBe(400);
  expect(unknown.body.error.hint).toContain('Did you mean "production"?');
});

test('an environment shows the scenario that a reset restores', async () => {
  const { name, scenario } = (await call('POST', '/environments', { scenario: 'verify-flow' })).body;
  const reset = async (given: object) => (await call('POST', `/environments/${name}/reset`, given)).body;
  expect([scenario, (await reset({ scenario: 'empty' })).scenario]).toEqual(['verify-flow', 'empty']);
  expect((await reset({})).scenario).toBe('empty');
});

test('behaviour I1: the seed `random` gives other ids each time, and the hint corrects a misspelt `random`', async () => {
  const make = async (): Promise<string> => {
    const { body } = await call('POST', '/environments', { seed: 'random' });
    return (await createAccount(body.access_token, 'same@acme.test')).body.connected_account.id;
  };
  expect(await make()).not.toBe(await make());
  const { status, body } = await call('POST', '/environments', { seed: 'radnom' });
  expect([status, body.error.hint]).toEqual([400, 'Did you mean "random"?']);
});

test('PUT makes an environment, or resets it if it exists; id and credentials stay', async () => {
  const made = await call('PUT', '/environments/suite-1');
  expect([made.status, made.body.name, made.body.scenario]).toEqual([201, 'suite-1', 'default']);
  const token = made.body.access_token;
  await createAccount(token, 'put@acme.test');
  expect(await countAccounts(token)).toBe(13);
  const again = await call('PUT', '/environments/suite-1', {});
  expect([again.status, again.body]).toEqual([200, { ...made.body, clock: expect.anything() }]);
  expect(await countAccounts(token)).toBe(12);
  expect((await call('GET', '/environments/suite-1/requests')).body.requests).toHaveLength(3);
  await call('PUT', '/environments/suite-1', { journal: true });
  expect((await call('GET', '/environments/suite-1/requests')).body.requests).toEqual([]);
});

test('PUT with a body restarts the environment from that body, and a later reset restores it', async () => {
  const clock = '2026-03-01T12:00:00Z';
  const { id, access_token } = (await call('PUT', '/environments/suite-2', { clock })).body;
  const { status, body } = await call('PUT', '/environments/suite-2', {
    scenario: 'empty',
    settings: { strict: true },
  });
  expect([status, body.id, body.scenario, body.settings.strict]).toEqual([200, id, 'empty', true]);
  expect(body.clock.mode).toBe('running');
  await call('PATCH', '/environments/suite-2/settings', { strict: false });
  const reset = await call('POST', '/environments/suite-2/reset');
  expect([reset.body.scenario, reset.body.settings.strict]).toEqual(['empty', true]);
  expect(await countAccounts(access_token)).toBe(0);
});

test('PUT of an environment of the scenario keeps its clients', async () => {
  const { body } = await call('PUT', '/environments/production', { from: 'development' });
  expect([body.client_id, body.access_token]).toEqual(['prod-client', 'prod-token']);
  expect(await countAccounts('prod-token')).toBe(12);
  await call('POST', '/environments/production/reset', { scenario: 'default' });
  expect(await countAccounts('prod-token')).toBe(0);
});

test('PUT restores a deleted environment of the scenario with its id, clients and access tokens', async () => {
  const { body: before } = await call('GET', '/environments/production');
  await call('DELETE', '/environments/production');
  expect((await call('PUT', '/environments/production', { from: 'nowhere' })).status).toBe(400);
  expect((await call('GET', '/environments/production')).status).toBe(404);
  const { status, body } = await call('PUT', '/environments/production', { settings: { strict: true } });
  expect([status, body]).toEqual([
    201,
    { ...before, clock: expect.anything(), settings: { ...before.settings, strict: true } },
  ]);
  expect(await countAccounts('prod-token')).toBe(0);
  await call('PUT', '/environments/production', { settings: { strict: false } });
});

test('PUT refuses a wrong name and an unknown scenario, and makes nothing', async () => {
  expect((await call('PUT', '/environments/current')).status).toBe(400);
  expect((await call('PUT', '/environments/a%20b')).status).toBe(400);
  expect((await call('PUT', '/environments/suite-3', { scenario: 'emty' })).status).toBe(400);
  expect((await call('GET', '/environments/suite-3')).status).toBe(404);
});

test('a scenario in a body is checked like a file, and may extend scenarios by name only', async () => {
  const wrong = { environments: { mine: { connectoins: [] } } };
  const refused = await call('POST', '/environments', { scenario: wrong });
  expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringContaining('connectoins')]);
  const extended = { extends: './default.yaml', environments: { mine: {} } };
  const { status, body } = await call('POST', '/environments', { scenario: extended });
  expect([status, body.error.message]).toEqual([400, expect.stringContaining('is a path')]);
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

test('a reset restores the clock and settings of the start, and clears faults, outbox and events', async () => {
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

test('behaviour X2: a reset restarts the rate limit', async () => {
  const settings = { rate_limit: { requests: 1, per: '1h' } };
  const { name, access_token } = (await call('POST', '/environments', { settings })).body;
  const status = async () =>
    (await server.call('GET', '/api/v1/connections', { token: access_token })).status;
  expect([await status(), await status()]).toEqual([200, 429]);
  await call('POST', `/environments/${name}/reset`);
  expect(await status()).toBe(200);
});

test('behaviour X2: each fixed access token has its own rate limit', async () => {
  const settings = { rate_limit: { requests: 1, per: '1h' } };
  const { name } = (await call('POST', '/environments', { settings })).body;
  await call('PATCH', `/environments/${name}/state`, { access_tokens: ['bearer-one', 'bearer-two'] });
  const status = async (token: string) => (await server.call('GET', '/api/v1/connections', { token })).status;
  expect([await status('bearer-one'), await status('bearer-one')]).toEqual([200, 429]);
  expect(await status('bearer-two')).toBe(200);
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

test.each([
  [{ name: 'a/b' }, 'name is "a/b", but must be a name of up to 63 letters, digits, "-" and "_"'],
  [{ seed: 4294967296 }, 'seed is 4294967296, but must be 4294967295 or less.'],
  [{ scenario: '../x' }, '"../x" is a path; only names of the fixtures folder can be used here'],
  [{ settings: { magic_link_ttl: '-1m' } }, 'but must be a duration such as 15m'],
  [{ settings: { rate_limit: 5 } }, 'settings.rate_limit is 5, but must be an object or null.'],
  [{ settings: { rate_limit: { requests: 1, per: '0s' } } }, 'but must be a duration above zero'],
  [{ clock: { mode: 'frozen', now: 'noon' } }, 'clock.now is "noon", but must be a time such as'],
])('%j is refused, and the message says what to send', async (given, words) => {
  const { status, body } = await call('POST', '/environments', given);
  expect([status, body.error.message]).toEqual([400, expect.stringContaining(words)]);
  expect(body.error.message).not.toContain('pattern');
  expect(body.error.message).not.toContain('is an object, but must be a string');
});
