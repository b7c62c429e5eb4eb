/** What the members of a row mean beside each other, and what a row gets if it leaves a member out. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { createMock, type Mock } from '#mock';
import { instantAt } from '../../../src/engine/core/moment.ts';
import { allRows } from '../../../src/engine/core/table.ts';
import { exportEnvironment } from '../../../src/engine/scenario/export.ts';
import { listScenarios } from '../../../src/engine/scenario/scenario-files.ts';
import { rowsOf } from '../../support/core.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { callsOf } from '../../support/server.ts';
import { environment, expectExport, firstOf, fixturesDir, inFull, load, loadFixture } from './files.ts';

const NOW = instantAt(0, 0);

/** Rows in one line, in which `; ` stands for a line end, and what an export says of them. `none`: nothing; TOKEN: a made-up one. */
const READ = `
users: [{ email: a@b.test, create_time: -3d }, { email: b@b.test, create_time: -3d, update_time: -1d }] => users: [{ update_time: -3d }, { update_time: -24h }]
MAIL connected_accounts: [{ repeat: 2, connector: mail, identifier: 'user-{n}', api_config: { deep: ['{n}-{n}'] } }, { connector: mail, identifier: '{n}' }, { repeat: 1, connector: mail, identifier: 'only-{n}' }] => connected_accounts: [{ identifier: user-1, api_config: { deep: [1-1] } }, { identifier: user-2, api_config: { deep: [2-2] } }, { identifier: '{n}' }, { identifier: only-1 }]
organizations: [&first { name: acme, display_name: Acme }, { <<: *first, name: globex }] => organizations: [{ name: acme, display_name: Acme }, { name: globex, display_name: Acme }]
clients: [&c { client_id: c1, client_secret: s1 }, { client_id: c2, <<: [{ name: own }, { name: later }, *c] }] => clients: [{ client_id: c1 }, { client_id: c2, client_secret: s1, name: own }]
clients: [{ client_id: c, client_secret: s, scope: read write }] => clients: [{ scope: read write }]
roles: [{ name: team_lead-two }] => roles: [{ display_name: Team lead two, default: true }]
DWD connected_accounts: [{ connector: dwd, identifier: a, authorization_details: { vendorb_dwd: { subject: a, scopes: [own], token_expires_at: +2d } } }] => connected_accounts: [{ token_expires_at: +2d, authorization_details: { vendorb_dwd: { scopes: [own] } } }]
DWD connected_accounts: [{ connector: dwd, identifier: a, authorization_details: { vendorb_dwd: { subject: a } } }] => connected_accounts: [{ status: ACTIVE, token_expires_at: +1h, authorization_details: { vendorb_dwd: { scopes: [read], access_token: TOKEN } } }]
IDP connected_accounts: [{ connector: idp, identifier: ada@acme.test, status: ACTIVE }] => connected_accounts: [{ authorization_details: { trusted_idp: { db_user: ada } } }]
IDP connected_accounts: [{ connector: idp, identifier: a, authorization_details: { trusted_idp: { db_user: a, access_key_id: K, expiry: +2d } } }] => connected_accounts: [{ token_expires_at: +2d }]
MAIL connected_accounts: [{ connector: mail, identifier: a, authorization_details: { oauth_token: {} } }] => connected_accounts: [{ authorization_details: {} }]
connections: [{ key_id: key, type: API_KEY }]; connected_accounts: [{ connector: key, identifier: a, authorization_details: { static_auth: { details: {} } } }] => connected_accounts: [{ authorization_details: {} }]
MAIL connected_accounts: [{ connector: mail, identifier: a, status: PENDING_VERIFICATION, stored_status: ACTIVE, authorization_details: { oauth_token: { refresh_token: r } } }] => connected_accounts: [{ stored_status: ACTIVE }]
MAIL connected_accounts: [{ connector: mail, identifier: a }]; verification_requests: [{ account: mail/a, authorization_details: { oauth_token: { access_token: t } } }, { account: mail/a }, { account: mail/a, token_expires_at: +2d }] => verification_requests: [{ token_expires_at: never }, { token_expires_at: +1h }, { token_expires_at: +2d }]
MAIL connected_accounts: [{ connector: mail, identifier: a, status: ACTIVE }] => connected_accounts: [{ refresh: grant, token_expires_at: +1h, authorization_details: { oauth_token: { refresh_token: TOKEN } } }]
MAIL connected_accounts: [{ connector: mail, identifier: a, status: ACTIVE, token_expires_at: never }] => connected_accounts: [{ refresh: grant, token_expires_at: never, authorization_details: { oauth_token: { refresh_token: TOKEN } } }]
MAIL connected_accounts: [{ connector: mail, identifier: a, status: ACTIVE, token_expires_at: -1h }] => connected_accounts: [{ refresh: grant, token_expires_at: -1h, authorization_details: { oauth_token: { refresh_token: TOKEN } } }]
MAIL connected_accounts: [{ connector: mail, identifier: a, status: ACTIVE, token_expires_at: +1h }] => connected_accounts: [{ refresh: grant, token_expires_at: +1h, authorization_details: { oauth_token: { refresh_token: none } } }]
MAIL connected_accounts: [{ connector: mail, identifier: a, status: ACTIVE, token_expires_at: +1h, refresh: grant }] => connected_accounts: [{ refresh: grant, token_expires_at: +1h, authorization_details: { oauth_token: { refresh_token: TOKEN } } }]
MAIL connected_accounts: [{ connector: mail, identifier: a, status: EXPIRED }] => connected_accounts: [{ refresh: deny, token_expires_at: now, authorization_details: { oauth_token: { refresh_token: TOKEN } } }]
settings: { auth_request_ttl: 5m }; connections: [{ key_id: mail, scopes: [read] }]; connected_accounts: [{ connector: mail, identifier: a, status: PENDING_VERIFICATION }] => connected_accounts: [{ status: PENDING_VERIFICATION }]; verification_requests: [{ auth_request_id: TOKEN, account: mail/a, expires_at: +5m, authorization_details: { oauth_token: { scopes: [read] } } }]
custom_providers: [{ display_name: Wiki, proxy_url: https://wiki.test, auth_patterns: [{ type: BASIC, fields: [{ name: site }, { name: pin, input_type: password }] }] }]; connections: [{ key_id: wiki, provider_key: Wiki }]; connected_accounts: [{ connector: wiki, identifier: a, status: ACTIVE }] => connected_accounts: [{ authorization_details: { static_auth: { details: { site: a, pin: TOKEN } } } }]
connections: [{ key_id: plain, type: BASIC }]; connected_accounts: [{ connector: plain, identifier: b, status: ACTIVE }] => connected_accounts: [{ authorization_details: { static_auth: { details: { username: b, password: TOKEN } } } }]
ACME roles: [{ id: role_1, name: reader, default: false, display_name: Can read }]; users: [{ email: a@b.test, memberships: [{ name: acme, roles: [reader, { display_name: Can read }, { id: role_1 }], groups: [g], invite: { created_at: -1d, ended_tokens: [t] } }] }] => users: [{ memberships: [{ roles: [reader], groups: [g], expires_at: +14d, invite: { ended_tokens: [t] } }] }]
ACME roles: [{ name: reader, default: false }]; users: [{ email: a@b.test, memberships: [{ name: acme, created_at: -2d }] }] => users: [{ memberships: [{ roles: [], accepted_at: -2d, join_time: -2d }] }]
ACME roles: [{ name: reader }]; users: [{ email: a@b.test, memberships: [{ name: acme, roles: [] }] }] => roles: [{ default: true }]; users: [{ memberships: [{ roles: [] }] }]
ACME users: [{ email: a@b.test, memberships: [{ name: acme, membership_status: INVITE_EXPIRED, invite: { status: revoked } }] }] => users: [{ memberships: [{ expires_at: +15d }] }]
ACME users: [{ email: a@b.test, memberships: [{ name: acme, expires_at: +1d }] }] => users: [{ memberships: [{ provisioning_method: invitation, expires_at: +24h }] }]
ACME users: [{ email: a@b.test, memberships: [{ name: acme, provisioning_method: jit_using_sso }] }] => users: [{ memberships: [{ provisioning_method: jit_using_sso }] }]
settings: { invite_ttl: null }; ACME users: [{ email: a@b.test, memberships: [{ name: acme, membership_status: INVITE_EXPIRED, expires_at: -2d }] }] => users: [{ memberships: [{ created_at: -2d, expires_at: -2d, invite: { created_at: -2d } }] }]
WIKI connections: [{ key_id: wiki, provider_key: WIKI }, { key_id: other, provider_key: wiki, type: API_KEY }, { key_id: again, provider_key: prv_1 }, { key_id: google, provider_key: wiki, provider: GOOGLE }] => custom_providers: [{ is_custom_mcp: true }]; connections: [{ type: BASIC }, { type: API_KEY }, { type: BASIC }, { type: OAUTH }]
custom_providers: [{ display_name: Odd, proxy_url: https://odd.test, auth_patterns: [{ type: OWN }] }]; connections: [{ key_id: odd, provider_key: Odd }] => custom_providers: [{ is_custom_mcp: false }]; connections: [{ type: OAUTH }]
ACME connections: [{ key_id: mail, type: BASIC }]; authentication_requests: [{ connection_details: [{ connection_id: mail, organization_id: acme }] }] => authentication_requests: [{ connection_details: [{ connection_provider: CUSTOM, connection_type: BASIC }] }]
MAIL users: [{ email: a@b.test, user_profile: { given_name: Ada, external_identities: [{ connection_id: mail, last_synced_time: -1h }] } }] => users: [{ user_profile: { name: Ada, phone_number_verified: false, external_identities: [{ last_synced_time: -1h }] } }]
`;

test.each(
  rowsOf(READ),
)('behaviour A5, A6, A7, A8, M1, M2, M7, V1, V2: what rows say, and leave out: %s: %s', (lines, told) => {
  expectExport(firstOf(load(environment(inFull(lines)))), NOW, told);
});

/** A row of each kind that says as little as it can, and all that an export then says. Ids are without their numbers. */
const LEAST = `
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
stubs: [{ method: GET, path: /x }]`;

const ALL = `
clients: [{ client_id: c, client_secret: s }]
organizations: [{ id: org, name: acme-co-two, display_name: Acme & Co Two }]
roles: [{ id: role, name: r, display_name: R, permissions: [], default: true, extends: [] }]
custom_providers: [{ auth_patterns: [], proxy_enabled: true, metadata: {}, categories: [], coming_soon: false, display_priority: 0, id: prv_1, display_name: Wiki, proxy_url: https://wiki.test, identifier: "WIKI:", is_custom: true, is_custom_mcp: false }]
connections: [{ domains: [], enabled: true, provider: CUSTOM, status: COMPLETED, type: OAUTH, serverless: false, scopes: [], key_id: mail, id: conn, provider_key: mail }]
users: [{ id: usr, email: a@b.test, create_time: now, update_time: now, metadata: {}, last_login_time: never, user_profile: { phone_number_verified: false, external_identities: [], id: usp }, memberships: [{ organization_id: acme-co-two, created_at: now, accepted_at: now, join_time: now, metadata: {}, provisioning_method: direct_provision, groups: [], name: acme-co-two, display_name: Acme & Co Two, permissions: [], membership_status: ACTIVE, roles: [r], invite: null }] }]
connected_accounts: [{ id: ca, connection_id: mail, connector: mail, identifier: a, provider: MAIL, authorization_type: OAUTH, stored_status: PENDING_AUTH, refresh: grant, updated_at: now, api_config: {}, status: PENDING_VERIFICATION, token_expires_at: never, last_used_at: never, authorization_details: {} }]
authorization_links: [{ token: TOKEN, expires_at: +15m, account: mail/a, used_at: never }]
verification_requests: [{ auth_request_id: TOKEN, expires_at: +10m, token_expires_at: +1h, authorization_details: { oauth_token: { access_token: TOKEN, refresh_token: TOKEN, scopes: [] } }, account: mail/a }]
authentication_requests: [{ status: SUCCESS, auth_request_id: TOKEN, timestamp: now }]
stubs: [{ method: GET, path: /x, auth: true, status: 200, headers: {}, delay_ms: 0, body: {} }]`;

test('a row of each kind that says as little as it can gets these members', () => {
  const content = firstOf(load(environment(LEAST)));
  const exported = JSON.stringify(exportEnvironment(content, NOW, { isRelative: true }));
  const text = exported.replaceAll(/(?<=:)\d{18}"|_\d{18}"/g, '"').replaceAll(/[\w-]{43}/g, 'TOKEN');
  expect(JSON.parse(text)).toEqual({ id: 'env', ...parse(ALL) });
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
