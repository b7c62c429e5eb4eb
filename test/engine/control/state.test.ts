import { expect, test } from '@jest/globals';
import { testServer } from '../../support/server.ts';

const server = testServer();

test('an exported state can be put into another environment, which then exports the same state', async () => {
  const source = await server.isolated({ clock: '2026-03-01T12:00:00Z' });
  const target = await server.isolated({ scenario: 'empty', clock: '2026-03-01T12:00:00Z' });
  const { body: exported } = await source.control('GET', '/state');
  expect(exported.connected_accounts).toHaveLength(12);
  const { clients: _clients, access_tokens: _tokens, ...rows } = exported;
  const own = (await target.control('GET', '/state')).body;
  const put = { ...rows, id: own.id, clients: own.clients, access_tokens: own.access_tokens };
  expect((await target.control('PUT', '/state', put)).body).toEqual({});
  expect((await target.control('GET', '/state')).body).toEqual(put);
});

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
  const { control, api } = await server.isolated();
  const read = async (query: string) => (await api('GET', `/api/v1/${path}?${query}`)).body;
  const idsOf = (body: Record<string, Record<string, string>[]>) => body[list]?.map((row) => row[id]);
  const [first, all] = [await read('page_size=3'), idsOf(await read('page_size=100'))];
  const gone = [0, 2].map((nth) => ({ [id]: all?.[nth], remove: true }));
  expect((await control('PATCH', '/state', { [section]: gone })).status).toBe(200);
  expect((await control('PUT', '/state', (await control('GET', '/state')).body)).status).toBe(200);
  const second = await read(`page_size=3&page_token=${first.next_page_token}`);
  expect(idsOf(second)).toEqual(all?.slice(3, 6));
  expect(idsOf(await read(`page_token=${second.prev_page_token}`))).toEqual([all?.[1]]);
});

test('PATCH and PUT of the state cause an event with the number of rows', async () => {
  const { control } = await server.isolated({ clock: '2026-03-01T12:00:00Z' });
  const accounts = [{ connector: 'mail', identifier: 'told@acme.test' }];
  await control('PATCH', '/state', { connected_accounts: accounts });
  await control('PUT', '/state', { access_tokens: [] });
  const time = '2026-03-01T12:00:00.000Z';
  expect((await control('GET', '/events')).body.events).toEqual([
    { type: 'state.changed', resource: { connected_accounts: '1' }, sequence: 1, time },
    { type: 'state.replaced', resource: { access_tokens: '0' }, sequence: 2, time },
  ]);
});

test('PATCH of the state answers which rows it wrote, in the order of the body', async () => {
  const { control } = await server.isolated();
  const body = {
    users: [{ email: 'zoe@acme.test' }, { email: 'ada@acme.test' }],
    roles: [{ name: 'guest', id: 'role_9' }],
    connected_accounts: [
      { connector: 'mail', identifier: 'n{n}@acme.test', repeat: 2 },
      { id: 'ca_7', connector: 'crm', identifier: 'x' },
    ],
    settings: { strict: true },
    id: (await control('GET', '')).body.id, // its own, as in an export
  };
  const { written } = (await control('PATCH', '/state', body)).body;
  expect(Object.keys(written)).toEqual(['users', 'roles', 'connected_accounts']);
  expect(written.roles).toEqual(['role_9']);
  expect(written.users[1]).toBe('usr_100000000000000001');
  expect(written.connected_accounts).toEqual([expect.any(String), expect.any(String), 'ca_7']);
  const second = `/rows/connected_accounts?query=${written.connected_accounts[1]}`;
  expect((await control('GET', second)).body.rows).toMatchObject([{ form: { identifier: 'n2@acme.test' } }]);
});

test.each(['PATCH', 'PUT'])('%s of the state sets the settings in it', async (method) => {
  const { control } = await server.isolated();
  const { id } = (await control('GET', '')).body;
  await control(method, '/state', { id, settings: { magic_link_ttl: '5m' } });
  expect((await control('GET', '/settings')).body).toMatchObject({ magic_link_ttl: '5m' });
});

test.each([
  [
    { roles: [{ name: 'admin' }] },
    'role with the name "admin" exists already: role_100000000000000002',
    'roles[0].name',
  ],
  [
    { organizations: [{ name: 'new' }, { id: 'org_100000000000000001' }] },
    'organization with this id exists already: org_1',
    'organizations[1].id',
  ],
  [{ users: [{ email: 'GRACE@acme.test', external_id: 'x' }] }, 'user with the email', 'users[0].email'],
  [
    { connected_accounts: [{ connector: 'mail', identifier: 'ada@acme.test' }] },
    'The account with the identifier "mail/ada@acme.test" exists already: ca_1',
    'connected_accounts[0]',
  ],
  [
    { users: [{ email: 'barbara@free.test', external_id: 'x', memberships: [{ name: 'globex' }] }] },
    'user with the email',
    'users[0].email',
  ],
  [
    { users: [{ email: 'ada@acme.test', memberships: [{ name: 'acme' }] }] },
    'membership',
    'users[0].memberships[0]',
  ],
])('%j with create=true is 409, names the existing row, and changes nothing (behaviour N4)', async (body, text, field) => {
  const { control } = await server.isolated();
  const before = (await control('GET', '/state')).body;
  const { status, body: answer } = await control('PATCH', '/state?create=true', body);
  expect([status, answer.error.message]).toEqual([409, expect.stringContaining(text)]);
  expect(answer.error.violations).toEqual([
    { field: expect.stringContaining(field), text: answer.error.message },
  ]);
  expect((await control('GET', '/state')).body).toEqual(before);
});

test('create=true makes new rows, and a membership of a user who is there', async () => {
  const { control } = await server.isolated();
  const memberships = [{ name: 'acme' }];
  const body = { users: [{ email: 'new@acme.test' }, { email: 'barbara@free.test', memberships }] };
  expect((await control('PATCH', '/state?create=true', body)).status).toBe(200);
  const users = [{ email: 'twice@acme.test' }, { email: 'twice@acme.test' }];
  const { status, body: answer } = await control('PATCH', '/state?create=true', { users });
  expect([status, answer.error.message]).toEqual([
    400,
    expect.stringContaining('another user has the email'),
  ]);
});

test('a refusal of the control plane lists its problems by field', async () => {
  const { control } = await server.isolated();
  const given = { users: [{ email: 'a@b.test', memberships: [{ name: 'nowhere' }] }] };
  expect((await control('PATCH', '/state', given)).body.error.violations).toEqual([
    { field: 'users[0].memberships[0].name', text: expect.stringContaining('nowhere') },
  ]);
  expect((await control('POST', '/faults', { status: 503, times: 0 })).body.error.violations).toEqual([
    { field: 'times', text: 'times is 0, but must be 1 or more.' },
  ]);
  const { violations, hint } = (await control('POST', '/faults', { status: 1, times: 0 })).body.error;
  expect(hint).toMatch(
    /^Correct (status, times|times, status)\. All calls are described in \/_mock\/openapi\.json\.$/,
  );
  expect(violations.map(({ field }: { field: string }) => field).sort()).toEqual(['status', 'times']);
});

const nested = (levels: number): unknown => (levels === 0 ? 'x' : [nested(levels - 1)]);

test.each<[string, object]>([
  ['a large number that is exact', { api_config: { n: 1e16, m: 1e300, k: -0.1 } }],
  ['63 levels', { api_config: { deep: nested(63) } }],
  ['as many levels as a body can have', { api_config: { deep: nested(197) } }],
  [
    'more than 10,000 values in one member',
    { api_config: { list: Array.from({ length: 15_000 }, () => 1) } },
  ],
  ['names that a prototype has', { api_config: { constructor: 'a', toString: { x: null } } }],
  ['a refresh token alone', { authorization_details: { oauth_token: { refresh_token: 'r' } } }],
])('behaviour E10: what a call accepts can be exported and put back: %s', async (_, connected_account) => {
  const { api, control } = await server.isolated({ clock: '2026-03-01T12:00:00Z' });
  const name = { connector: 'mail', identifier: 'e10@acme.test' };
  expect((await api('POST', '/api/v1/connected_accounts', { ...name, connected_account })).status).toBe(201);
  for (const action of [undefined, 'expire']) {
    if (action) await control('POST', `/connected_accounts/mail%2Fe10%40acme.test/${action}`);
    const { body: before } = await control('GET', '/state');
    expect((await control('PUT', '/state', before)).body).toEqual({});
    expect((await control('GET', '/state')).body).toEqual(before);
    const scenario = { clock: '2026-03-01T12:00:00Z', environments: { copy: { ...before, id: undefined } } };
    const { clients: _clients, access_tokens: _tokens, ...rows } = scenario.environments.copy;
    const copy = await server.isolated({ scenario: { ...scenario, environments: { copy: rows } } });
    const { body: copied } = await copy.control('GET', '/state');
    expect(copied.connected_accounts).toEqual(before.connected_accounts);
  }
});
