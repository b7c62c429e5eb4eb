/** An export that is loaded again gives the same state. */
import { expect, test } from '@jest/globals';
import { type Instant, instantAt, type Moment, resolve } from '../../../src/engine/core/moment.ts';
import { allRows, rowsBy, select, takeSelected } from '../../../src/engine/core/table.ts';
import { exportEnvironment, exportScenario } from '../../../src/engine/scenario/export.ts';
import { writeScenario } from '../../../src/engine/scenario/scenario-text.ts';
import { latestFirst } from '../../../src/service/logs.ts';
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
      typeof value === 'object' &&
      value !== null &&
      (Object.hasOwn(value, 'after') || Object.hasOwn(value, 'at'))
        ? resolve(value as Moment, at.start)
        : value,
  );
};

const logOf = (
  { authentication_requests: log }: Pick<State, 'authentication_requests'>,
  { start }: Pick<Instant, 'start'>,
) => takeSelected(latestFirst(select(log, {}), start), 1_000, 'forward').map(({ row }) => row);

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
  ...['default', 'verify-flow', 'invitations'].map((name) => [name, packaged(name)] as const),
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
