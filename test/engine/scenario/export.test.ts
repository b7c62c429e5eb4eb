/** An export that is loaded again gives the same state. */
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { type Instant, instantAt, type Moment, resolve } from '../../../src/engine/core/moment.ts';
import { select, takeSelected } from '../../../src/engine/core/selection.ts';
import { allRows, rowsBy } from '../../../src/engine/core/table.ts';
import { exportEnvironment, exportScenario } from '../../../src/engine/scenario/export.ts';
import { writeScenario } from '../../../src/engine/scenario/text.ts';
import { newestFirst } from '../../../src/service/logs/rules.ts';
import type { State } from '../../../src/service/state.ts';
import { DAY } from '../../support/core.ts';
import { firstOf, load, packaged, replaceState } from './files.ts';

const NOW = instantAt(1_800_000_000_000, 1_800_000_000_000);

const START = NOW.start;

/** All that reads depend on: the access tokens and every row, in the order of reads and with absolute times. */
const readable = ({ generator: _, access_tokens, ...tables }: State, at: Instant): unknown => {
  // The log is read by time and memberships by user, so their order in the table does not matter.
  const rows = { ...tables, memberships: undefined, authentication_requests: undefined };
  const lists = Object.entries(rows).map(([name, table]) => [name, table && [...table.rows.values()]]);
  const parts = Array.from(allRows(tables.users), ({ id }) => rowsBy(tables.memberships, 'user_id', id));
  return JSON.parse(
    JSON.stringify([access_tokens, Object.fromEntries(lists), parts, logOf(tables, at)]),
    (_name, value: unknown) =>
      typeof value === 'number' && value > 2e15 ? resolve(value as Moment, at.start) : value,
  );
};

const logOf = (
  { authentication_requests: log }: Pick<State, 'authentication_requests'>,
  { start }: Pick<Instant, 'start'>,
) => takeSelected(newestFirst(select(log, {}), start), 1_000, 'forward').map(({ row }) => row);

/** The result of `readable`, with every time relative to `now`. */
const distances = (state: State, at: Instant): unknown =>
  JSON.parse(JSON.stringify(readable(state, at)), (_name, value: unknown) =>
    typeof value === 'number' && value > 1e11 ? value - at.now : value,
  );

/** Rows that no packaged scenario has. */
const ODD = `environments: { odd: {
  organizations: [{ id: org_1, name: acme }, { id: org_2, name: org_1 }],
  roles: [{ name: a, permissions: [x] }, { name: b, default: true, extends: [a] }],
  custom_providers: [{ display_name: Wiki, proxy_url: https://wiki.test, description: '', metadata: { team: core } }],
  users: [
    { email: a@b.test, external_id: ext-a, memberships: [{ name: acme, invite: { status: revoked, resent_count: 2 } }] },
    { email: b@b.test, last_login_time: -1h, metadata: { team: core }, user_profile: { external_identities: [
      { connection_id: mail, created_time: -3d, last_login_time: -2d, last_synced_time: -1d }, {}] } },
    { email: c@b.test, user_profile: null, memberships: [{ name: acme, roles: [a, b], groups: [g], inviter_email: a@b.test,
      membership_status: PENDING_INVITE, invite: { resent_at: -1h, ended_tokens: [t], expires_at: never } }] }],
  stubs: [{ method: POST, path: '/x/{a}', auth: false, answered: 1, match: { body: { a: 1 } },
    replies: [{ status: 201, headers: { x-a: b }, delay_ms: 1 }, { body: [1] }], then: { users: [{ email: '{path.a}@b.test' }] } }],
  authentication_requests: [{ email: a@b.test, status: FAILED, timestamp: -1h, client_type: M2M, connection_id: mail,
    connection_details: [{ connection_id: mail, organization_id: acme }] }],
  connections: [{ key_id: mail, domains: [b.test], scopes: [read], organization_id: acme, status: DRAFT, enabled: false }, { key_id: dwd, type: VENDORB_DWD }, { key_id: idp, type: TRUSTED_IDP }, { key_id: lake, type: TRUSTED_IDP, serverless: true }],
  connected_accounts: [
    { connector: mail, identifier: a, status: PENDING_VERIFICATION, stored_status: DISCONNECTED },
    { connector: mail, identifier: b, organization_id: tenant-7, user_id: a@b.test, labels: true, refresh: deny },
    { connector: mail, identifier: d, user_id: tenant-8, labels: true },
    { connector: mail, identifier: c, organization_id: org_2, authorization_details: { oauth_token: { refresh_token: r } } },
    { connector: dwd, identifier: a, status: ACTIVE }, { connector: idp, identifier: a, status: EXPIRED },
    { connector: lake, identifier: a, status: ACTIVE, last_used_at: -1h }],
  verification_requests: [{ auth_request_id: open, account: mail/b, expires_at: +2d }],
  authorization_links: [{ account: mail/b, used_at: -1h, auth_request_id: open }, { account: mail/c, used_at: -1h, state: s, user_verify_url: 'https://b.test', expires_at: never }] } }`;

test.each([
  ...['default', 'verify-flow', 'invitations', 'directory'].map((name) => [name, packaged(name)] as const),
  ['odd rows', firstOf(load(ODD))] as const,
])('loading an export of %s restores the same state, with absolute or relative times', (_name, initial) => {
  const at = instantAt(START + DAY, START);
  const settings = { ...initial.settings, delete_user_with_last_membership: true };
  const content = { ...initial, settings, clock: { mode: 'frozen', now: at.now } as const };

  const served = firstOf(load(writeScenario(exportScenario(content, at))));
  expect([served.clock, served.settings]).toEqual([content.clock, settings]);
  expect(readable(served.state, at)).toEqual(readable(initial.state, at));

  const later = instantAt(at.now + DAY, START);
  const put = replaceState(initial, exportEnvironment(content, at), later);
  expect(readable(put.state, at)).toEqual(readable(initial.state, at));

  const fresh = firstOf(load(writeScenario(exportScenario(content, at, { isRelative: true }))));
  expect(fresh.clock).toEqual({ mode: 'running' });
  const moved = instantAt(START + 400 * DAY, START + 400 * DAY);
  expect(distances(fresh.state, moved)).toEqual(distances(initial.state, at));
});

const ROWS = `
  id: env_1
  access_tokens: [t]
  clients: [{ client_id: c, client_secret: s, name: N, scope: read }]
  organizations: [{ id: org_1, name: acme }]
  roles: [{ id: role_1, name: reader, permissions: [read] }, { id: role_2, name: owner, extends: reader }]
  custom_providers: [{ id: prv_1, display_name: Wiki, proxy_url: https://wiki.test, auth_patterns: [{ type: BASIC }] }]
  connections:
    - { id: conn_1, key_id: wiki, provider_key: Wiki, organization_id: acme, domains: [a.test] }
    - { id: conn_2, key_id: mail, provider: GOOGLE, scopes: [read] }
  settings: { hosted: deny, magic_link_ttl: 15m, invite_ttl: null }
  users:
    - id: usr_100000000000000001
      email: a@b.test
      create_time: -3d
      user_profile:
        id: usp_1
        given_name: Ada
        external_identities: [{ connection_id: wiki, created_time: -2d, last_login_time: -1h, last_synced_time: now }]
      memberships:
        - name: acme
          roles: [owner]
          membership_status: PENDING_INVITE
          inviter_email: i@b.test
          groups: [g]
          invite: { token: i, resent_at: -1h, resent_count: 1, ended_tokens: [h] }
    - { id: usr_100000000000000002, email: b@b.test, external_id: ext, user_profile: null, memberships: [{ name: acme }] }
  connected_accounts:
    - { id: ca_1, connector: mail, identifier: a, organization_id: acme, user_id: a@b.test, status: EXPIRED, last_used_at: -2h, authorization_details: { oauth_token: { access_token: t } } }
    - { id: ca_2, connector: mail, identifier: b, organization_id: acme }
    - { id: ca_3, connector: mail, identifier: c, user_id: tenant, labels: true }
  verification_requests: [{ auth_request_id: r, account: mail/b, state: s, authorization_details: { oauth_token: { access_token: u } } }]
  authorization_links: [{ token: l, account: mail/a, state: s, user_verify_url: https://a.test, used_at: now, auth_request_id: r }]
  authentication_requests: [{ auth_request_id: e, email: a@b.test, connection_id: wiki, timestamp: -1h }]
  stubs: [{ method: GET, path: /x, replies: [{}, { status: 201 }], answered: 1, match: { query: { a: b } } }]`;

const EXPORTED = `
  id: env_1
  access_tokens: [t]
  settings: { hosted: deny, invite_ttl: null }
  clients: [{ client_id: c, client_secret: s, name: N, scope: read }]
  organizations: [{ id: org_1, name: acme, display_name: Acme }]
  roles:
    - { id: role_1, name: reader, display_name: Reader, permissions: [read], default: true, extends: [] }
    - { id: role_2, name: owner, display_name: Owner, permissions: [], default: false, extends: [reader] }
  custom_providers:
    - id: prv_1
      identifier: WIKI:1
      display_name: Wiki
      proxy_url: https://wiki.test
      auth_patterns: [{ type: BASIC }]
      metadata: {}
      categories: []
      display_priority: 0
      proxy_enabled: true
      coming_soon: false
      is_custom: true
      is_custom_mcp: false
  connections:
    - { id: conn_1, key_id: wiki, type: BASIC, provider: CUSTOM, provider_key: WIKI:1, organization_id: acme, organization_name: Acme, domains: [a.test], enabled: true, status: COMPLETED, serverless: false, scopes: [] }
    - { id: conn_2, key_id: mail, type: OAUTH, provider: GOOGLE, provider_key: mail, domains: [], enabled: true, status: COMPLETED, serverless: false, scopes: [read] }
  users:
    - id: usr_100000000000000001
      email: a@b.test
      create_time: -3d
      update_time: -3d
      last_login_time: never
      metadata: {}
      user_profile:
        id: usp_1
        given_name: Ada
        name: Ada
        phone_number_verified: false
        external_identities: [{ connection_id: wiki, connection_provider: CUSTOM, connection_type: BASIC, created_time: -2d, last_login_time: -1h, last_synced_time: now }]
      memberships:
        - organization_id: acme
          name: acme
          display_name: Acme
          membership_status: PENDING_INVITE
          provisioning_method: invitation
          roles: [owner]
          permissions: [read]
          metadata: {}
          groups: [g]
          inviter_email: i@b.test
          created_at: now
          accepted_at: never
          join_time: never
          expires_at: never
          invite: { token: i, ended_tokens: [h], created_at: now, resent_at: -1h, resent_count: 1, status: pending }
    - id: usr_100000000000000002
      email: b@b.test
      external_id: ext
      create_time: now
      update_time: now
      last_login_time: never
      metadata: {}
      user_profile: null
      memberships:
        - organization_id: acme
          name: acme
          display_name: Acme
          membership_status: ACTIVE
          provisioning_method: direct_provision
          roles: [reader]
          permissions: [read]
          metadata: {}
          groups: []
          created_at: now
          accepted_at: now
          join_time: now
          invite: null
  connected_accounts:
    - { id: ca_1, connection_id: mail, connector: mail, identifier: a, provider: MAIL, authorization_type: OAUTH, organization_id: acme, user_id: a@b.test, status: EXPIRED, stored_status: ACTIVE, refresh: deny, token_expires_at: now, last_used_at: -2h, updated_at: now, api_config: {}, authorization_details: { oauth_token: { access_token: t } } }
    - { id: ca_2, connection_id: mail, connector: mail, identifier: b, provider: MAIL, authorization_type: OAUTH, organization_id: acme, status: PENDING_VERIFICATION, stored_status: PENDING_AUTH, refresh: grant, token_expires_at: never, last_used_at: never, updated_at: now, api_config: {}, authorization_details: {} }
    - { id: ca_3, connection_id: mail, connector: mail, identifier: c, provider: MAIL, authorization_type: OAUTH, user_id: tenant, labels: true, status: PENDING_AUTH, stored_status: PENDING_AUTH, refresh: grant, token_expires_at: never, last_used_at: never, updated_at: now, api_config: {}, authorization_details: {} }
  authorization_links: [{ token: l, account: mail/a, state: s, user_verify_url: https://a.test, expires_at: +15m, used_at: now, auth_request_id: r }]
  verification_requests: [{ auth_request_id: r, account: mail/b, state: s, expires_at: +10m, token_expires_at: never, authorization_details: { oauth_token: { access_token: u } } }]
  authentication_requests: [{ auth_request_id: e, email: a@b.test, status: SUCCESS, timestamp: -1h, connection_id: wiki, connection_provider: CUSTOM, connection_type: BASIC, organization_id: acme,
    connection_details: [{ connection_id: conn_1, connection_provider: CUSTOM, connection_type: BASIC, organization_id: org_1 }] }]
  stubs: [{ method: GET, path: /x, match: { query: { a: b } }, auth: true, answered: 1,
    replies: [{ status: 200, body: {}, headers: {}, delay_ms: 0 }, { status: 201, body: {}, headers: {}, delay_ms: 0 }] }]`;

test('an export has whole rows: what was written and what follows from it, with names in place of ids, and only settings that differ', () => {
  const environment = firstOf(load(`environments:\n test:${ROWS}`));
  expect(
    JSON.parse(writeScenario(exportEnvironment(environment, instantAt(0, 0), { isRelative: true }))),
  ).toEqual(parse(EXPORTED));
});

test('an export of an environment without rows has its id alone', () => {
  const bare = exportEnvironment(firstOf(load('environments: { a: { id: env_1 } }')), NOW);
  expect(JSON.stringify(bare)).toBe('{"id":"env_1"}');
});

test('an export contains the time of a running clock; an export with relative times contains no clock', () => {
  const environment = packaged('default');
  const content = { ...environment, clock: { mode: 'running', offset: 5 } as const };
  expect(exportScenario(content, NOW).clock).toEqual({ mode: 'running', now: '2027-01-15T08:00:00.000Z' });
  expect(exportScenario(content, NOW, { isRelative: true }).clock).toBeUndefined();
});

test('behaviour A5: secret_access_key and session_token are never stored', () => {
  const environment = firstOf(
    load(`environments: { test: {
      connections: [{ key_id: dwh, type: TRUSTED_IDP }],
      connected_accounts: [{ connector: dwh, identifier: a, authorization_details: { trusted_idp: {
        db_user: ada, access_key_id: KEY, secret_access_key: canary-1, session_token: canary-2, expiry: +1h } } }] } }`),
  );
  const text = JSON.stringify([readable(environment.state, NOW), exportEnvironment(environment, NOW)]);
  expect(text).toContain('"access_key_id":"KEY"');
  expect(text).not.toContain('canary');
});
