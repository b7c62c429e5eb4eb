import { expect, test } from '@jest/globals';
import { loadControlContract } from '../../../src/engine/control/control-document.ts';
import { readScenario, writeScenario } from '../../../src/engine/scenario/scenario-text.ts';
import { EnvironmentCalls } from '../../../src/library/calls.ts';
import { service } from '../../../src/service/index.ts';
import { type Isolated, testServer } from '../../support/server.ts';

const server = testServer();

test('behaviour I1: rows that are created after PUT of the same state get other ids than before', async () => {
  const { control, api } = await server.isolated();
  const { body: state } = await control('GET', '/state');
  const ids = new Set<string>();
  for (const identifier of ['one@acme.test', 'two@acme.test']) {
    await control('PUT', '/state', state);
    const { body } = await api('POST', '/api/v1/connected_accounts', { connector: 'mail', identifier });
    ids.add(body.connected_account.id);
  }
  expect(ids.size).toBe(2);
});

test.each([
  ['connected_accounts', 'connected_accounts', 'connected_accounts', 'id'],
  ['logs/authentication/requests', 'authRequests', 'authentication_requests', 'auth_request_id'],
])('behaviour I4: pages of %s go on after rows went and the state was put back', async (path, list, section, id) => {
  const { control, api, get } = await server.isolated();
  const read = async (query: string) => (await api('GET', `/api/v1/${path}?${query}`)).body;
  const idsOf = (body: Record<string, Record<string, string>[]>) => body[list]?.map((row) => row[id]);
  const [first, all] = [await read('page_size=3'), idsOf(await read('page_size=100'))];
  const gone = [0, 2].map((nth) => ({ [id]: all?.[nth], remove: true }));
  expect((await control('PATCH', '/state', { [section]: gone })).status).toBe(200);
  expect((await control('PUT', '/state', await get('/state'))).status).toBe(200);
  const second = await read(`page_size=3&page_token=${first.next_page_token}`);
  expect(idsOf(second)).toEqual(all?.slice(3, 6));
  expect(idsOf(await read(`page_token=${second.prev_page_token}`))).toEqual([all?.[1]]);
});

test('PATCH and PUT of the state set the settings in it, and cause an event with the number of rows', async () => {
  const { control, get } = await server.isolated({ clock: '2026-03-01T12:00:00Z' });
  const accounts = [{ connector: 'mail', identifier: 'told@acme.test' }];
  const ttl = async () => (await get('/settings')).magic_link_ttl;
  const settings = { magic_link_ttl: '5m' };
  await control('PATCH', '/state', { connected_accounts: accounts, settings });
  expect(await ttl()).toBe('5m');
  await control('PUT', '/state', { access_tokens: [], settings: { magic_link_ttl: '6m' } });
  expect(await ttl()).toBe('6m');
  const time = '2026-03-01T12:00:00.000Z';
  expect((await get('/events')).events).toEqual([
    { type: 'state.changed', resource: { connected_accounts: '1' }, sequence: 1, time },
    { type: 'state.replaced', resource: { access_tokens: '0' }, sequence: 2, time },
  ]);
});

test('PATCH of the state answers which rows it wrote, in the order of the body', async () => {
  const { control, get } = await server.isolated();
  const body = {
    users: [{ email: 'zoe@acme.test' }, { email: 'ada@acme.test' }],
    roles: [{ name: 'guest', id: 'role_9' }],
    connected_accounts: [
      { connector: 'mail', identifier: 'n{n}@acme.test', repeat: 2 },
      { id: 'ca_7', connector: 'crm', identifier: 'x' },
    ],
    settings: { strict: true },
    id: (await get('')).id, // its own, as in an export
  };
  const { written } = (await control('PATCH', '/state', body)).body;
  expect(Object.keys(written)).toEqual(['users', 'roles', 'connected_accounts']);
  expect(written.roles).toEqual(['role_9']);
  expect(written.users[1]).toBe('usr_100000000000000001');
  expect(written.connected_accounts).toEqual([expect.any(String), expect.any(String), 'ca_7']);
  const second = `/rows/connected_accounts?query=${written.connected_accounts[1]}`;
  expect((await get(second)).rows).toMatchObject([{ form: { identifier: 'n2@acme.test' } }]);
});

const NEW = { external_id: 'x', memberships: [{ name: 'globex' }] };
const ADA = { connector: 'mail', identifier: 'ada@acme.test' };

test.each<[field: string, rows: object[], text: string]>([
  ['roles[0].name', [{ name: 'admin' }], 'role with the name "admin" exists already: role_1'],
  ['organizations[1].id', [{ name: 'new' }, { id: 'org_100000000000000001' }], 'exists already: org_1'],
  ['users[0].email', [{ email: 'GRACE@acme.test', external_id: 'x' }], 'user with the email'],
  ['connected_accounts[0]', [ADA], 'The account with the identifier "mail/ada@acme.test" exists already: ca'],
  ['users[0].email', [{ email: 'barbara@free.test', ...NEW }], 'user with the email'],
  ['users[0].memberships[0]', [{ email: 'ada@acme.test', memberships: [{ name: 'acme' }] }], 'membership'],
])('%s of %j with create=true is 409, names the existing row, and changes nothing (behaviour N4)', async (field, rows, text) => {
  const body = { [field.split('[')[0] ?? '']: rows };
  const { control, get } = await server.isolated();
  const before = await get('/state');
  const { status, body: answer } = await control('PATCH', '/state?create=true', body);
  expect([status, answer.error.message]).toEqual([409, expect.stringContaining(text)]);
  const violation = { field: expect.stringContaining(field), text: answer.error.message };
  expect(answer.error.violations).toEqual([violation]);
  expect(await get('/state')).toEqual(before);
});

test('create=true makes new rows, and a membership of a user who is there', async () => {
  const { control } = await server.isolated();
  const memberships = [{ name: 'acme' }];
  const body = { users: [{ email: 'new@acme.test' }, { email: 'barbara@free.test', memberships }] };
  expect((await control('PATCH', '/state?create=true', body)).status).toBe(200);
  const users = [{ email: 'twice@acme.test' }, { email: 'twice@acme.test' }];
  const { status, body: answer } = await control('PATCH', '/state?create=true', { users });
  const told = expect.stringContaining('another user has the email');
  expect([status, answer.error.message]).toEqual([400, told]);
});

test('a refusal of the control plane lists its problems by field', async () => {
  const { control } = await server.isolated();
  const given = { users: [{ email: 'a@b.test', memberships: [{ name: 'nowhere' }] }] };
  const { violations: wrong } = (await control('PATCH', '/state', given)).body.error;
  expect(wrong).toEqual([
    { field: 'users[0].memberships[0].name', text: expect.stringContaining('nowhere') },
  ]);
  const { violations, hint } = (await control('POST', '/faults', { status: 1, times: 0 })).body.error;
  expect(hint).toMatch(
    /^Correct (status, times|times, status)\. All calls are described in \/_mock\/openapi/,
  );
  expect(violations).toHaveLength(2);
  expect(violations).toContainEqual({ field: 'times', text: 'times is 0, but must be 1 or more.' });
});

const nested = (levels: number): unknown => (levels === 0 ? 'x' : [nested(levels - 1)]);

test.each<[string, object]>([
  ['a large number that is exact', { api_config: { n: 1e16, m: 1e300, k: -0.1 } }],
  ['as many levels as a body can have', { api_config: { deep: nested(197) } }],
  ['more than 10,000 values in one member', { api_config: { list: Array(15_000).fill(1) } }],
  ['names that a prototype has', { api_config: { constructor: 'a', toString: { x: null } } }],
  ['a refresh token alone', { authorization_details: { oauth_token: { refresh_token: 'r' } } }],
])('behaviour E10: what a call accepts can be exported and put back: %s', async (_, connected_account) => {
  const { api, control, get } = await server.isolated({ clock: '2026-03-01T12:00:00Z' });
  const name = { connector: 'mail', identifier: 'e10@acme.test' };
  expect((await api('POST', '/api/v1/connected_accounts', { ...name, connected_account })).status).toBe(201);
  for (const action of [undefined, 'expire']) {
    if (action) await control('POST', `/connected_accounts/mail%2Fe10%40acme.test/${action}`);
    const before = await get('/state');
    expect((await control('PUT', '/state', before)).body).toEqual({});
    expect(await get('/state')).toEqual(before);
    const { id: _id, clients: _clients, access_tokens: _tokens, ...rows } = before;
    const scenario = { clock: '2026-03-01T12:00:00Z', environments: { copy: rows } };
    const copied = await (await server.isolated({ scenario })).get('/state');
    expect(copied.connected_accounts).toEqual(before.connected_accounts);
  }
});

// Undo points: back to just before a step.

const MAIL = 'ca_100000000000000001';

const takePoint = async (own: Isolated): Promise<string> =>
  (await own.control('POST', '/undo-points', { label: 'a step' })).body.id;

const laterOf = async (own: Isolated): Promise<number> => (await own.get('/undo-points')).points.at(-1).later;

/** What undo brings back. */
const look = (own: Isolated) =>
  Promise.all(['', '/state', '/faults', '/snapshots'].map((path) => own.get(path)));

test('undo goes back to just before a step, with the clock, and says how many later changes go too', async () => {
  const own = await server.isolated({ clock: '2026-03-01T12:00:00Z' });
  const before = await look(own);
  const point = await takePoint(own);
  await own.control('PATCH', '/state', { connected_accounts: [{ id: MAIL, remove: true }] });
  await own.control('PATCH', `/undo-points/${point}`, { done: true });
  await own.api('POST', '/api/v1/connected_accounts', { connector: 'mail', identifier: 'since@acme.test' });
  await own.control('PATCH', '/state', { users: [{ id: 'usr_100000000000000002', remove: true }] });
  await own.control('POST', '/clock/advance', { by: '1m' });
  expect(await laterOf(own)).toBe(2);
  expect((await own.control('POST', `/undo-points/${point}`)).status).toBe(200);
  expect(await look(own)).toEqual(before);
});

test('undo of a reset restores rows, faults and their counts, and its undo point says how many changes it drops', async () => {
  const own = await server.isolated({ clock: '2026-03-01T12:00:00Z' });
  await own.control('POST', '/faults', { operation: 'listConnections', status: 500, times: 2 });
  await own.api('GET', '/api/v1/connections');
  await own.control('POST', `/connected_accounts/${MAIL}/disconnect`);
  const before = await look(own);
  const point = await takePoint(own);
  await own.api('GET', '/api/v1/connections');
  await own.control('POST', '/reset', { scenario: 'empty' });
  expect(await laterOf(own)).toBe(0);
  await own.control('PATCH', '/settings', { strict: false });
  await own.control('POST', `/undo-points/${point}`, {});
  expect(await look(own)).toEqual(before);
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

test('the last 20 steps can be undone, each by an id of its own', async () => {
  const own = await server.isolated();
  const points: string[] = [];
  for (let step = 0; step < 22; step += 1) points.push(await takePoint(own));
  expect(new Set(points).size).toBe(22);
  const { points: kept } = await own.get('/undo-points');
  expect(kept.map(({ id }: { id: string }) => id)).toEqual(points.slice(2));
  const { status, body } = await own.control('POST', `/undo-points/${points[0]}`);
  expect([status, body.error.hint]).toEqual([404, 'Only the last 20 steps can be undone.']);
});

// Scenario files written and read by the server.

test.each([
  {},
  { from: 'production' },
])('an import into an environment of %j reads the one of its name, or else the first', async (made) => {
  const own = await server.isolated(made);
  const users = '{ users: [{ email: ada@acme.test }] }';
  for (const environments of [`staging: ${users}, other: {}`, `staging: {}, ${own.name}: ${users}`]) {
    await own.control('PUT', '/scenario', { text: 'environments: { staging: {} }' });
    await own.control('PUT', '/scenario', { text: `environments: { ${environments} }` });
    expect((await own.get('/rows/users')).total).toBe(1);
  }
});

test('an import of a text that is not a scenario is refused, and changes nothing', async () => {
  const own = await server.isolated();
  for (const text of ['users: [', '7', 'users: [{ email: 7 }]'])
    expect((await own.control('PUT', '/scenario', { text })).status).toBe(400);
  expect((await own.get('/rows/users')).total).toBe(6);
});

test('a long list is written row by row, and read unchanged, as JSON and as YAML', () => {
  const accounts = Array.from({ length: 2_500 }, (_, nth) => ({ identifier: `{a} "${nth}"`, n: [nth] }));
  const settings = { rate_limit: { requests: 1 } };
  const users = [{ email: 'ada@acme.test' }];
  const own = { id: 'env_1', settings, users, accounts, roles: [], clients: {} };
  const scenario = { clock: { mode: 'running' }, environments: { own, null: {}, '1e3': { id: 'env_2' } } };
  const text = writeScenario({ description: undefined, ...scenario });
  expect(JSON.parse(text)).toEqual(scenario);
  expect(readScenario(text).value).toEqual(scenario);
  expect(text.split('\n')).toHaveLength(2_500 + 16);
});

const NOON = '2026-03-01T12:00:00.000Z';

test('a running clock continues from the time to which it is set, and freezing it keeps its present time', async () => {
  const { control, get } = await server.isolated();
  await control('PUT', '/clock', { mode: 'frozen', now: NOON });
  const { mode, now } = (await control('PUT', '/clock', { mode: 'running' })).body;
  const passed = Date.parse(now) - Date.parse(NOON);
  expect([mode, passed >= 0, passed < 10_000]).toEqual(['running', true, true]);
  expect((await control('POST', '/clock/advance', { by: '1h' })).body.mode).toBe('running');
  await control('PUT', '/clock', { mode: 'running', now: NOON });
  const frozen = (await control('PUT', '/clock', { mode: 'frozen' })).body;
  expect(await get('/clock')).toEqual(frozen);
  expect(frozen.now.slice(0, 13)).toBe(NOON.slice(0, 13));
});

test('settings are shown as scenarios write them, and PATCH changes only the settings that are sent', async () => {
  const { control, get } = await server.isolated();
  const before = await get('/settings');
  const defaults = { magic_link_ttl: '15m', invite_ttl: '15d', rate_limit: null, hosted: 'interactive' };
  expect(before).toMatchObject(defaults);
  const address = { post_user_verify_redirect_url: 'https://app.test/done' };
  const ttl = { access_token_ttl: '1s', invite_ttl: null };
  const changes = { ...address, ...ttl, rate_limit: { requests: 5, per: '1m' }, magic_link_ttl: 'PT90S' };
  const { body } = await control('PATCH', '/settings', changes);
  expect(body).toEqual({ ...before, ...changes, magic_link_ttl: '1m30s' });
  expect(await get('/settings')).toEqual(body);
  const none = { post_user_verify_redirect_url: null }; // null stands for the default address
  expect((await control('PATCH', '/settings', none)).body).toEqual({ ...body, ...none });
});

test('links, sign-ins and actions of members name rows by their natural keys', async () => {
  const { control } = await server.isolated();
  const fields = { account: 'calendar/ada@acme.test' };
  const link = await control('POST', '/rows/authorization_links', { fields });
  expect([link.status, link.body.id]).toEqual([201, expect.stringMatching(/^[\w-]{43}$/)]);
  const attempt = { email: 'ada@acme.test', connection_id: 'acme-oidc', outcome: 'success' };
  const { body: signedIn } = await control('POST', '/sign-ins', attempt);
  expect(signedIn.authentication_request.connection_id).toBe('conn_100000000000000015');
  const { status, body } = await control('POST', '/memberships/acme/grace@acme.test/accept');
  expect([status, body.membership?.membership_status]).toEqual([200, 'ACTIVE']);
});

test.each([
  ['mail/ada@acme.test', 200],
  ['MAIL/ada@acme.test', 200],
  ['conn_100000000000000001/ada@acme.test', 200],
  ['ca_100000000000000001', 200],
  ['mail/Ada@acme.test', 404],
  ['mail', 404],
])('an action on the account "%s" is answered with %i', async (name, status) => {
  const { control } = await server.isolated();
  const acted = await control('POST', `/connected_accounts/${encodeURIComponent(name)}/expire`);
  expect([acted.status, acted.body.connected_account?.id]).toEqual([
    status,
    status === 200 ? 'ca_100000000000000001' : undefined,
  ]);
});

test.each([
  ['actOnAccount', 'connected_accounts', 'accounts'],
  ['decideLink', 'authorization_links', 'links'],
  ['actOnMembership', 'memberships', 'memberships'],
] as const)('the control plane, the console and the library know the actions of %s from one list', (id, kind, group) => {
  const { document } = loadControlContract();
  const { path } = loadControlContract().operation(id);
  const parameters = Object(document.paths[path]).parameters as { schema?: { enum?: readonly string[] } }[];
  const documented = parameters.flatMap(({ schema }) => schema?.enum ?? []);
  const actions = (service.actions[kind] ?? []).map(({ name }) => name);
  expect(documented.length).toBeGreaterThan(1);
  expect(documented.filter((name) => !actions.includes(name))).toEqual([]);
  const methods = new EnvironmentCalls((async () => {}) as never, 'env_1')[group];
  expect(Object.keys(methods).sort()).toEqual([...documented].sort());
});
