/** What the members of a row mean beside each other, and what a row gets if it leaves a member out. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { createMock, type Mock } from '#mock';
import { fromStart } from '../../../src/engine/core/moment.ts';
import { allRows, type Table } from '../../../src/engine/core/table.ts';
import { listScenarios } from '../../../src/engine/scenario/scenario-files.ts';
import { formatTime } from '../../../src/engine/scenario/times.ts';
import { DAY } from '../../support/core.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { callsOf } from '../../support/server.ts';
import { fixturesDir, loadFixture, problemsWith, stateWith } from './files.ts';

test('behaviour A6: credentials of an account keep what the row says, and get the rest from connection and identifier', () => {
  const { connected_accounts } = stateWith(`
connections: [{ key_id: dwd, type: VENDORB_DWD, scopes: [read] }, { key_id: idp, type: TRUSTED_IDP }]
connected_accounts:
  - { connector: dwd, identifier: own, authorization_details: { vendorb_dwd: { subject: a, scopes: [own], token_expires_at: +2d } } }
  - { connector: dwd, identifier: made, authorization_details: { vendorb_dwd: { subject: a } } }
  - { connector: idp, identifier: ada@acme.test, status: ACTIVE }
  - { connector: idp, identifier: end, authorization_details: { trusted_idp: { db_user: a, access_key_id: K, expiry: +2d } } }`);
  const [own, made, idp, end] = allRows(connected_accounts);
  const scopes = [own, made].map((row) => row?.authorization_details?.vendorb_dwd?.scopes);
  expect(scopes).toEqual([['own'], ['read']]);
  expect(made).toMatchObject({ stored_status: 'ACTIVE', token_expires_at: fromStart(3_600_000) });
  expect(made?.authorization_details?.vendorb_dwd?.access_token).toMatch(/.{43}/);
  expect(idp?.authorization_details?.trusted_idp?.db_user).toBe('ada');
  expect([own, end].map((row) => row?.token_expires_at)).toEqual([fromStart(2 * DAY), fromStart(2 * DAY)]);
});

test('behaviour A5, A7: empty credentials are none, and a refresh token alone is enough for an account that was ACTIVE', () => {
  const { connected_accounts, verification_requests } = stateWith(`
connections: [{ key_id: mail }, { key_id: key, type: API_KEY }]
connected_accounts:
  - { connector: mail, identifier: a, authorization_details: { oauth_token: {} } }
  - { connector: key, identifier: a, authorization_details: { static_auth: { details: {} } } }
  - { connector: mail, identifier: b, status: PENDING_VERIFICATION, stored_status: ACTIVE, authorization_details: { oauth_token: { refresh_token: r } } }
verification_requests:
  - { account: mail/b, authorization_details: { oauth_token: { access_token: t } } }
  - { account: mail/b }
  - { account: mail/b, token_expires_at: +2d }`);
  const [mail, key, waiting] = allRows(connected_accounts);
  expect([mail?.authorization_details, key?.authorization_details]).toEqual([undefined, undefined]);
  expect(waiting?.stored_status).toBe('ACTIVE');
  // Credentials that a caller brings have no end (behaviour A8).
  const ends = Array.from(allRows(verification_requests), (row) => row.token_expires_at);
  expect(ends).toEqual([undefined, fromStart(3_600_000), fromStart(2 * DAY)]);
});

test('behaviour A8: a generated token can be refreshed, unless it ends later and no row says that it is', () => {
  const { connected_accounts } = stateWith(`
connections: [{ key_id: mail }]
connected_accounts:
  - { connector: mail, identifier: a, status: ACTIVE }
  - { connector: mail, identifier: b, status: ACTIVE, token_expires_at: never }
  - { connector: mail, identifier: c, status: ACTIVE, token_expires_at: -1h }
  - { connector: mail, identifier: d, status: ACTIVE, token_expires_at: +1h }
  - { connector: mail, identifier: e, status: ACTIVE, token_expires_at: +1h, refresh: grant }
  - { connector: mail, identifier: f, status: EXPIRED }`);
  const rows = Array.from(allRows(connected_accounts), (row) => {
    const end = row.token_expires_at && formatTime(row.token_expires_at);
    return `${row.authorization_details?.oauth_token?.refresh_token === undefined ? 'none' : 'made'} ${row.refresh} ${end}`;
  });
  const [a, b, c, d, e, last] = rows;
  expect([a, b, c]).toEqual(['made grant +1h', 'made grant undefined', 'made grant -1h']);
  expect([d, e, last]).toEqual(['none grant +1h', 'made grant +1h', 'made deny now']);
});

test('behaviour M1, M2, M7: an invitation counts from its own time, and a role that is named twice counts once', () => {
  const { memberships } = stateWith(`
organizations: [{ name: acme }]
roles: [{ id: role_1, name: reader, default: false, display_name: Can read }]
users:
  - email: a@b.test
    memberships: [{ name: acme, roles: [reader, { display_name: Can read }, { id: role_1 }], groups: [g], invite: { created_at: -1d, ended_tokens: [t] } }]
  - { email: b@b.test, memberships: [{ name: acme, created_at: -2d }] }
  - { email: c@b.test, memberships: [{ name: acme, membership_status: INVITE_EXPIRED, invite: { status: revoked } }] }
  - { email: d@b.test, memberships: [{ name: acme, expires_at: +1d }] }
  - { email: e@b.test, memberships: [{ name: acme, provisioning_method: jit_using_sso }] }`);
  const endless = stateWith(`settings: { invite_ttl: null }
organizations: [{ name: acme }]
users: [{ email: a@b.test, memberships: [{ name: acme, membership_status: INVITE_EXPIRED, expires_at: -2d }] }]`);
  const [ended] = allRows(endless.memberships);
  const time = fromStart(-2 * DAY);
  expect(ended).toMatchObject({ created_at: time, invite: { created_at: time, expires_at: time } });
  const [member, bare, revoked, joined, synced] = allRows(memberships);
  expect([member?.role_ids.length, bare?.role_ids.length]).toEqual([1, 0]); // the file says that no role is the default
  expect(member).toMatchObject({
    groups: ['g'],
    invite: { expires_at: fromStart(14 * DAY), ended_tokens: ['t'] },
  });
  expect(revoked?.invite?.expires_at).toEqual(fromStart(15 * DAY)); // revoked, but its time has not come
  expect(synced?.provisioning_method).toBe('jit_using_sso');
  expect(joined).toMatchObject({ provisioning_method: 'invitation', invite: { expires_at: fromStart(DAY) } });
  expect([bare?.accepted_at, bare?.join_time]).toEqual([fromStart(-2 * DAY), fromStart(-2 * DAY)]);
});

test('members that a row leaves out follow from those that it has', () => {
  const state = stateWith(`
clients: [{ client_id: c, client_secret: s, scope: read write }]
organizations: [{ id: org_1, display_name: Acme & Sons Ltd }]
custom_providers:
  - { id: prv_1, display_name: Wiki, proxy_url: https://wiki.test, auth_patterns: [{ type: BASIC, is_mcp: true }] }
  - { display_name: Odd, proxy_url: https://odd.test, auth_patterns: [{ type: OWN }] }
connections:
  - { key_id: wiki, provider_key: WIKI }
  - { key_id: other, provider_key: wiki, type: API_KEY }
  - { key_id: odd, provider_key: Odd }
  - { key_id: again, provider_key: prv_1, id: conn_1 }
  - { key_id: google, provider_key: wiki, provider: GOOGLE }
authentication_requests: [{ connection_details: [{ connection_id: again, organization_id: acme-sons-ltd }] }]
roles: [{ name: team_lead-two }]
users: [{ email: a@b.test, memberships: [{ name: acme-sons-ltd, roles: [] }], user_profile: { given_name: Ada, external_identities: [{ connection_id: wiki, last_synced_time: -1h }] } }]`);
  expect([...allRows(state.roles)]).toMatchObject([{ display_name: 'Team lead two', default: true }]);
  expect([...allRows(state.memberships)]).toMatchObject([{ role_ids: [] }]);
  expect([...allRows(state.clients)]).toEqual([{ client_id: 'c', client_secret: 's', scope: 'read write' }]);
  expect([...allRows(state.custom_providers)].map((row) => row.is_custom_mcp)).toEqual([true, false]);
  expect(Array.from(allRows(state.connections), ({ type }) => type)).toEqual([
    ...['BASIC', 'API_KEY', 'OAUTH'],
    ...['BASIC', 'OAUTH'], // a provider may be named by its id, and only a CUSTOM connection names one
  ]);
  const kind = { connection_provider: 'CUSTOM', connection_type: 'BASIC' };
  expect([...allRows(state.authentication_requests)][0]?.connection_details).toEqual([
    { connection_id: 'conn_1', organization_id: 'org_1', ...kind },
  ]);
  expect([...allRows(state.users)][0]?.user_profile).toMatchObject({
    name: 'Ada',
    phone_number_verified: false,
    external_identities: [{ last_synced_time: fromStart(-3_600_000) }],
  });
});

test('a row of each kind that says as little as it can gets these members', () => {
  const { generator, access_tokens, ...tables } = stateWith(`
clients: [{ client_id: c, client_secret: s }]
organizations: [{ display_name: Acme & Co Two }]
roles: [{ name: r }]
custom_providers: [{ id: prv_1, display_name: Wiki, proxy_url: https://wiki.test }]
connections: [{ key_id: mail }]
users: [{ email: a@b.test, memberships: [{ name: acme-co-two }] }]
connected_accounts: [{ connector: mail, identifier: a }]
authorization_links: [{ account: mail/a }]
verification_requests: [{ account: mail/a }]
authentication_requests: [{}]
stubs: [{ method: GET, path: /x }]`);
  const [start, hour] = [fromStart(0), 3_600_000];
  const rows = Object.entries(tables).map(([name, table]) => [name, ...allRows(table as Table<object>)]);
  // Generated ids without their numbers, and generated tokens as `TOKEN`.
  const text = JSON.stringify(rows)
    .replaceAll(/_\d{18}"/g, '"')
    .replaceAll(/[\w-]{43}/g, 'TOKEN');
  const own = { id: 'usr', email: 'a@b.test', metadata: {}, create_time: start, update_time: start };
  const profile = { id: 'usp', phone_number_verified: false, external_identities: [] };
  const joined = { created_at: start, accepted_at: start, join_time: start, groups: [], metadata: {} };
  const provider = { id: 'prv_1', display_name: 'Wiki', proxy_url: 'https://wiki.test', metadata: {} };
  const usual = { categories: [], coming_soon: false, display_priority: 0, proxy_enabled: true };
  expect(Object.fromEntries(JSON.parse(text).map(([name, row]: [string, object]) => [name, row]))).toEqual({
    clients: { client_id: 'c', client_secret: 's' },
    organizations: { id: 'org', name: 'acme-co-two', display_name: 'Acme & Co Two' },
    roles: { id: 'role', name: 'r', display_name: 'R', permissions: [], extends: [], default: true },
    custom_providers: {
      ...{ ...provider, ...usual, identifier: expect.stringMatching(/^WIKI:\d{18}$/) },
      ...{ auth_patterns: [], is_custom: true, is_custom_mcp: false },
    },
    connections: {
      ...{ id: 'conn', key_id: 'mail', provider: 'CUSTOM', provider_key: 'mail', type: 'OAUTH' },
      ...{ status: 'COMPLETED', enabled: true, domains: [], scopes: [], serverless: false },
    },
    users: { ...own, user_profile: profile },
    memberships: {
      ...{ organization_id: 'org', user_id: 'usr', role_ids: ['role'], ...joined },
      ...{ stored_status: 'ACTIVE', provisioning_method: 'direct_provision' },
    },
    connected_accounts: {
      ...{ id: 'ca', connector: 'mail', identifier: 'a', connection_id: 'conn', provider: 'MAIL' },
      ...{ authorization_type: 'OAUTH', stored_status: 'PENDING_AUTH', refresh: 'grant' },
      ...{ updated_at: start, api_config: {} },
    },
    authorization_links: { token: 'TOKEN', account_id: 'ca', expires_at: fromStart(hour / 4) },
    verification_requests: {
      ...{ auth_request_id: 'TOKEN', account_id: 'ca', expires_at: fromStart(hour / 6) },
      token_expires_at: fromStart(hour),
      authorization_details: { oauth_token: { access_token: 'TOKEN', refresh_token: 'TOKEN', scopes: [] } },
    },
    authentication_requests: { auth_request_id: 'TOKEN', status: 'SUCCESS', timestamp: start },
    stubs: {
      ...{ method: 'GET', path: '/x', auth: true, answered: 0 },
      replies: [{ status: 200, body: {}, headers: {}, delay_ms: 0 }],
    },
  });
});

test('of more than twenty names none is listed for an unknown name', () => {
  const problems = (count: number) =>
    problemsWith(
      `organizations: [{ repeat: ${count}, name: 'acme-{n}' }]\nconnections: [{ key_id: mail, organization_id: z }]`,
    );
  expect(problems(20)).toEqual([expect.stringMatching(/"z"\. The organizations are acme-1, .*, acme-20\.$/)]);
  expect(problems(21)).toEqual([expect.stringMatching(/there is no organization "z"\.$/)]);
});

// The rows of the default scenario, which examples and tests everywhere use.

const [development, production] = loadFixture('default').environments;
if (!development || !production) throw new Error('The default scenario must have two environments.');

test('development and production have fixed ids, clients and access tokens', () => {
  const found = [development, production].map(({ name, id, state: { clients, access_tokens } }) => {
    const [{ client_id = '', client_secret = '' } = {}] = allRows(clients);
    return [name, id, client_id, client_secret, ...access_tokens];
  });
  expect(found).toEqual([
    ['development', 'env_100000000000000001', 'dev-client', 'dev-secret', 'dev-token'],
    ['production', 'env_100000000000000002', 'prod-client', 'prod-secret', 'prod-token'],
  ]);
});

test('behaviour E6: the verification request of grace@acme.test never expires', () => {
  const [request, ...more] = allRows(development.state.verification_requests);
  expect([request, more]).toEqual([
    expect.objectContaining({
      auth_request_id: 'pending-grace-00000000000000000000000000000',
      account_id: 'ca_100000000000000004',
    }),
    [],
  ]);
  expect(request?.expires_at).toBeUndefined();
});

test('all packaged scenarios are listed with a description', () => {
  const listed = listScenarios(fixturesDir).filter(({ description }) => /\w/.test(description));
  const names = ['agents', 'default', 'directory', 'empty', 'invitations', 'large', 'verify-flow'];
  expect(listed.map(({ name }) => name)).toEqual(names);
});

test('the scenarios of a folder and of the package are listed together, each once, and without a description if they cannot be read', () => {
  const folder = temporaryFolder();
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  write('broken.yaml', 'a: 1\n'.repeat(150));
  for (const name of ['mine.yml', 'default.json']) write(name, `{ "description": "In ${name}" }`);
  for (const name of ['default.yml', 'mine.schema.json', 'notes.txt']) write(name, 'description: 7');
  const own = listScenarios(folder).filter(({ description }) => /^(In .*)?$/.test(description));
  expect(own).toEqual([
    { name: 'broken', description: '' },
    { name: 'default', description: '' }, // default.yml comes before default.json
    { name: 'mine', description: 'In mine.yml' },
  ]);
  expect(listScenarios(folder)).toHaveLength(9);
});

// The JSON of a service's lists becomes a scenario, as the guide says.

const listsOf = async (mock: Mock) => {
  const { call } = callsOf(mock);
  const { connections } = (await call('GET', '/api/v1/connections?include=all')).body;
  const { connected_accounts } = (await call('GET', '/api/v1/connected_accounts?page_size=100')).body;
  const { authRequests } = (await call('GET', '/api/v1/logs/authentication/requests?page_size=100')).body;
  return { connections, connected_accounts, authRequests };
};

test('what the API lists can be pasted into a scenario as rows, and is listed again', async () => {
  await using service = createMock({ log: 'silent' });
  const lists = await listsOf(service);
  const { authRequests: authentication_requests, ...same } = lists;
  const organizations = [
    { id: 'org_100000000000000001', name: 'acme', display_name: 'Acme Corporation' },
    { id: 'org_100000000000000002', name: 'globex', display_name: 'Globex' },
  ];
  const id = 'env_100000000000000001';
  const environment = { id, access_tokens: ['dev-token'], organizations, authentication_requests, ...same };
  await using copy = createMock({ log: 'silent', scenario: { environments: { development: environment } } });
  expect(await listsOf(copy)).toEqual(lists);
});
