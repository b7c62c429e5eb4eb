/** What the default scenario holds, row by row: examples and tests everywhere name these rows. */
import { expect, test } from '@jest/globals';
import { allRows, type Table } from '../../src/core/table.ts';
import { accountStatus } from '../../src/domain/account.ts';
import { membershipStatus } from '../../src/domain/membership.ts';
import { listScenarios } from '../../src/scenario/files.ts';
import { fixturesDir, loadFixture } from './files.ts';

const [development, production] = loadFixture('default').environments;
if (!development || !production) throw new Error('the default scenario has two environments');
const { state } = development;
const NOW = { now: 0, start: 0 };
const last = (id = '---'): string => id.slice(-3);

/** The rows of a table as texts. */
const linesOf = <Row>(table: Table<Row>, parts: (row: Row) => readonly unknown[]): string[] =>
  Array.from(allRows(table), (row) => parts(row).join(' '));

test('both environments have their ids, clients and access tokens', () => {
  const found = [development, production].map(({ name, id, state: { clients, access_tokens } }) => [
    name,
    id,
    ...linesOf(clients, ({ client_id, client_secret }) => [client_id, client_secret]),
    ...access_tokens,
  ]);
  expect(found).toEqual([
    ['development', 'env_100000000000000001', 'dev-client dev-secret', 'dev-token'],
    ['production', 'env_100000000000000002', 'prod-client prod-secret', 'prod-token'],
  ]);
});

test('production has one organization and two connections only', () => {
  const { generator: _, access_tokens: _tokens, clients: _clients, ...tables } = production.state;
  const sizes = Object.entries(tables).map(([name, { rows }]) => [name, rows.size]);
  expect(sizes.filter(([, size]) => size !== 0)).toEqual([
    ['organizations', 1],
    ['connections', 2],
  ]);
});

test('the default scenario has these organizations and roles', () => {
  expect(linesOf(state.organizations, (row) => [last(row.id), row.name, row.display_name])).toEqual([
    '001 acme Acme Corporation',
    '002 globex Globex',
  ]);
  const roles = linesOf(state.roles, (row) => [
    last(row.id),
    row.name,
    row.default,
    row.permissions,
    row.extends.map(last),
  ]);
  expect(roles).toEqual(['001 member true read_projects ', '002 admin false manage_users,write_tasks 001']);
});

test('the default scenario has these users and memberships', () => {
  const users = linesOf(state.users, ({ id, email, external_id, user_profile }) => [
    last(id),
    email,
    external_id ?? '-',
    user_profile ? 'profile' : '-',
  ]);
  expect(users).toEqual([
    '001 ada@acme.test ext-ada profile',
    '002 grace@acme.test - profile',
    '003 linus@acme.test - profile',
    '004 margaret@globex.test - profile',
    '005 barbara@free.test ext-barbara profile',
    '006 noprofile@acme.test - -',
  ]);
  const memberships = linesOf(state.memberships, (row) => [
    last(row.user_id),
    last(row.organization_id),
    membershipStatus(row, NOW),
    row.invite ? 'invited' : '-',
    row.role_ids.map(last),
  ]);
  expect(memberships).toEqual([
    '001 001 ACTIVE invited 002',
    '002 001 PENDING_INVITE invited 001',
    '003 001 INVITE_EXPIRED invited 001',
    '004 002 ACTIVE - 001',
    '004 001 INACTIVE - 001',
    '006 001 PENDING_INVITE invited 001',
  ]);
});

test('the default scenario has these connections', () => {
  const rows = linesOf(state.connections, (row) => [
    last(row.id),
    row.key_id,
    row.type,
    row.provider,
    row.provider_key === row.key_id ? '-' : row.provider_key,
    row.status,
    row.enabled ? 'enabled' : 'disabled',
    `${last(row.organization_id)} ${row.domains} ${row.serverless ? 'serverless' : ''}`.trim(),
  ]);
  expect(rows).toEqual([
    '001 mail OAUTH GOOGLE - COMPLETED enabled ---',
    '002 calendar OAUTH GOOGLE - COMPLETED enabled ---',
    '003 chat OAUTH MICROSOFT - COMPLETED enabled ---',
    '004 crm API_KEY SALESFORCE - COMPLETED enabled ---',
    '005 helpdesk BASIC CUSTOM TICKET_DESK:100000000000000001 COMPLETED enabled ---',
    '006 events BEARER CUSTOM - COMPLETED enabled ---',
    '007 workspace VENDORB_DWD CUSTOM - COMPLETED enabled ---',
    '008 warehouse TRUSTED_IDP CUSTOM - COMPLETED enabled ---',
    '009 boards VENDORA_OAUTH1 CUSTOM - COMPLETED enabled ---',
    '010 billing OAUTH_M2M CUSTOM - COMPLETED enabled ---',
    '011 health SMART_FHIR CUSTOM - COMPLETED enabled ---',
    '012 weather NO_AUTH CUSTOM - COMPLETED enabled ---',
    '013 paused OAUTH CUSTOM - COMPLETED disabled ---',
    '014 drafty OAUTH CUSTOM - DRAFT enabled ---',
    '015 acme-oidc OIDC IDP_SIMULATOR - COMPLETED enabled 001 acme.test',
    '016 globex-saml SAML OKTA - IN_PROGRESS enabled 002',
    '017 lakehouse TRUSTED_IDP CUSTOM - COMPLETED enabled ---  serverless',
  ]);
});

test('the default scenario has these connected accounts and statuses', () => {
  const rows = linesOf(state.connected_accounts, (row) => [
    last(row.id),
    row.connector,
    row.identifier,
    accountStatus(state, row, NOW),
    last(row.organization_id),
    row.refresh,
  ]);
  expect(rows).toEqual([
    '001 mail ada@acme.test ACTIVE 001 grant',
    '002 calendar ada@acme.test EXPIRED --- deny',
    '003 chat ada@acme.test PENDING_AUTH --- grant',
    '004 mail grace@acme.test PENDING_VERIFICATION --- grant',
    '005 mail linus@acme.test DISCONNECTED --- grant',
    '006 crm ada@acme.test ACTIVE --- grant',
    '007 helpdesk ada@acme.test ACTIVE --- grant',
    '008 warehouse ada@acme.test ACTIVE --- grant',
    '009 workspace ada@acme.test ACTIVE --- grant',
    '010 mail user-1@globex.test ACTIVE 002 grant',
    '011 mail user-2@globex.test ACTIVE 002 grant',
    '012 mail user-3@globex.test ACTIVE 002 grant',
  ]);
});

test('behaviour E6: the verification request of grace never expires', () => {
  const requests = linesOf(state.verification_requests, (row) => [
    row.auth_request_id,
    row.account_id,
    'expires_at' in row,
  ]);
  expect(requests).toEqual(['pending-grace-00000000000000000000000000000 ca_100000000000000004 false']);
});

test('the default scenario has these custom providers', () => {
  const rows = linesOf(state.custom_providers, ({ id, display_name, identifier, auth_patterns }) => [
    last(id),
    display_name,
    identifier,
    JSON.stringify(auth_patterns),
  ]);
  expect(rows).toEqual([
    '001 Internal Wiki INTERNAL_WIKI:100000000000000001 [{"type":"API_KEY"}]',
    '002 Ticket Desk TICKET_DESK:100000000000000001 [{"type":"BASIC"}]',
  ]);
});

test('the default scenario has 25 sign-ins of all statuses, with two clients and two resources', () => {
  const rows = [...allRows(state.authentication_requests)];
  const count = (of: (row: (typeof rows)[number]) => unknown) => new Set(rows.map(of)).size;
  const found = [rows.length, count((r) => r.status), count((r) => r.client_id), count((r) => r.resource_id)];
  expect(found).toEqual([25, 4, 2, 2]);
});

test('the file writes every id of a resource in development', () => {
  const { organizations, roles, users, connections, connected_accounts, custom_providers } = state;
  const tables = [organizations, roles, users, connections, connected_accounts, custom_providers];
  const ids = tables.flatMap(({ positions }) => [...positions.keys()]);
  expect(ids.filter((id) => !/^[a-z]+_100000000000000\d{3}$/.test(id))).toEqual([]);
});

test('all six scenarios are listed with a description', () => {
  const listed = listScenarios(fixturesDir).filter(({ description }) => /\w/.test(description));
  const names = ['default', 'directory', 'empty', 'invitations', 'large', 'verify-flow'];
  expect(listed.map(({ name }) => name)).toEqual(names);
});
