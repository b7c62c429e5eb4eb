/** What the default scenario holds, row by row: examples and tests everywhere name these rows. */
import { expect, test } from '@jest/globals';
import { allRows } from '../../src/core/table.ts';
import { accountStatus } from '../../src/domain/account.ts';
import { membershipStatus } from '../../src/domain/membership.ts';
import { listScenarios } from '../../src/scenario/files.ts';
import { fixturesDir, loadFixture } from './files.ts';

const [development, production] = loadFixture('default').environments;
if (!development || !production) throw new Error('the default scenario has two environments');
const NOW = { now: 0, start: 0 };
const last = (id: string): string => id.slice(-3);
const isWritten = (id: string): boolean => /^[a-z]+_100000000000000\d{3}$/.test(id);

test('both environments have their ids, clients and access tokens', () => {
  expect(
    [development, production].map(({ name, id, state }) => [
      name,
      id,
      [...state.clients.rows.values()],
      state.access_tokens,
    ]),
  ).toEqual([
    [
      'development',
      'env_100000000000000001',
      [{ client_id: 'dev-client', client_secret: 'dev-secret', name: 'Development client' }],
      ['dev-token'],
    ],
    [
      'production',
      'env_100000000000000002',
      [{ client_id: 'prod-client', client_secret: 'prod-secret', name: 'Production client' }],
      ['prod-token'],
    ],
  ]);
});

test('production has one organization and two connections only', () => {
  const { generator: _, access_tokens: _tokens, clients: _clients, ...tables } = production.state;
  const sizes = Object.entries(tables).map(([name, { rows }]) => [name, rows.size]);
  expect(Object.fromEntries(sizes.filter(([, size]) => size !== 0))).toEqual({
    organizations: 1,
    connections: 2,
  });
});

test('the default scenario has these organizations and roles', () => {
  const { organizations, roles } = development.state;
  expect([...allRows(organizations)].map((row) => [last(row.id), row.name, row.display_name])).toEqual([
    ['001', 'acme', 'Acme Corporation'],
    ['002', 'globex', 'Globex'],
  ]);
  expect(
    [...allRows(roles)].map((row) => [
      last(row.id),
      row.name,
      row.default,
      row.permissions,
      row.extends.map(last),
    ]),
  ).toEqual([
    ['001', 'member', true, ['read_projects'], []],
    ['002', 'admin', false, ['manage_users', 'write_tasks'], ['001']],
  ]);
});

test('the default scenario has these users and memberships', () => {
  const { users, memberships } = development.state;
  const all = [...allRows(memberships)];
  const rows = Array.from(allRows(users), (user) => [
    last(user.id),
    user.email,
    user.external_id,
    user.user_profile !== undefined,
    all
      .filter(({ user_id }) => user_id === user.id)
      .map((row) => [
        last(row.organization_id),
        membershipStatus(row, NOW),
        row.invite !== undefined,
        row.role_ids.map(last),
      ]),
  ]);
  expect(rows).toEqual([
    ['001', 'ada@acme.test', 'ext-ada', true, [['001', 'ACTIVE', true, ['002']]]],
    ['002', 'grace@acme.test', undefined, true, [['001', 'PENDING_INVITE', true, ['001']]]],
    ['003', 'linus@acme.test', undefined, true, [['001', 'INVITE_EXPIRED', true, ['001']]]],
    [
      '004',
      'margaret@globex.test',
      undefined,
      true,
      [
        ['002', 'ACTIVE', false, ['001']],
        ['001', 'INACTIVE', false, ['001']],
      ],
    ],
    ['005', 'barbara@free.test', 'ext-barbara', true, []],
    ['006', 'noprofile@acme.test', undefined, false, [['001', 'PENDING_INVITE', true, ['001']]]],
  ]);
});

test('connections', () => {
  const rows = Array.from(allRows(development.state.connections), (row) =>
    [
      last(row.id),
      row.key_id,
      row.type,
      row.provider,
      row.provider_key,
      row.status,
      row.enabled ? 'enabled' : 'disabled',
    ].join(' '),
  );
  expect(rows).toEqual([
    '001 mail OAUTH GOOGLE mail COMPLETED enabled',
    '002 calendar OAUTH GOOGLE calendar COMPLETED enabled',
    '003 chat OAUTH MICROSOFT chat COMPLETED enabled',
    '004 crm API_KEY SALESFORCE crm COMPLETED enabled',
    '005 helpdesk BASIC CUSTOM TICKET_DESK:100000000000000001 COMPLETED enabled',
    '006 events BEARER CUSTOM events COMPLETED enabled',
    '007 workspace VENDORB_DWD CUSTOM workspace COMPLETED enabled',
    '008 warehouse TRUSTED_IDP CUSTOM warehouse COMPLETED enabled',
    '009 boards VENDORA_OAUTH1 CUSTOM boards COMPLETED enabled',
    '010 billing OAUTH_M2M CUSTOM billing COMPLETED enabled',
    '011 health SMART_FHIR CUSTOM health COMPLETED enabled',
    '012 weather NO_AUTH CUSTOM weather COMPLETED enabled',
    '013 paused OAUTH CUSTOM paused COMPLETED disabled',
    '014 drafty OAUTH CUSTOM drafty DRAFT enabled',
    '015 acme-oidc OIDC IDP_SIMULATOR acme-oidc COMPLETED enabled',
    '016 globex-saml SAML OKTA globex-saml IN_PROGRESS enabled',
    '017 lakehouse TRUSTED_IDP CUSTOM lakehouse COMPLETED enabled',
  ]);
  const owned = [...allRows(development.state.connections)].filter(({ organization_id }) => organization_id);
  expect(owned.map((row) => [row.key_id, last(row.organization_id ?? ''), row.domains])).toEqual([
    ['acme-oidc', '001', ['acme.test']],
    ['globex-saml', '002', []],
  ]);
  const serverless = [...allRows(development.state.connections)].filter((row) => row.serverless);
  expect(serverless.map((row) => row.key_id)).toEqual(['lakehouse']);
});

test('the default scenario has these connected accounts and statuses', () => {
  const { state } = development;
  const rows = Array.from(allRows(state.connected_accounts), (row) =>
    [
      last(row.id),
      row.connector,
      row.identifier,
      accountStatus(state, row, NOW),
      last(row.organization_id ?? '---'),
    ].join(' '),
  );
  expect(rows).toEqual([
    '001 mail ada@acme.test ACTIVE 001',
    '002 calendar ada@acme.test EXPIRED ---',
    '003 chat ada@acme.test PENDING_AUTH ---',
    '004 mail grace@acme.test PENDING_VERIFICATION ---',
    '005 mail linus@acme.test DISCONNECTED ---',
    '006 crm ada@acme.test ACTIVE ---',
    '007 helpdesk ada@acme.test ACTIVE ---',
    '008 warehouse ada@acme.test ACTIVE ---',
    '009 workspace ada@acme.test ACTIVE ---',
    '010 mail user-1@globex.test ACTIVE 002',
    '011 mail user-2@globex.test ACTIVE 002',
    '012 mail user-3@globex.test ACTIVE 002',
  ]);
  expect([...allRows(state.connected_accounts)][1]?.refresh).toBe('deny');
});

test('behaviour E6: the verification request of grace never expires', () => {
  const [request, ...more] = allRows(development.state.verification_requests);
  expect(more).toEqual([]);
  expect(request).toMatchObject({
    auth_request_id: 'pending-grace-00000000000000000000000000000',
    account_id: 'ca_100000000000000004',
  });
  expect(request).not.toHaveProperty('expires_at');
});

test('custom providers', () => {
  const rows = [...allRows(development.state.custom_providers)];
  expect(rows.map((row) => [last(row.id), row.display_name, row.identifier, row.auth_patterns])).toEqual([
    ['001', 'Internal Wiki', 'INTERNAL_WIKI:100000000000000001', [{ type: 'API_KEY' }]],
    ['002', 'Ticket Desk', 'TICKET_DESK:100000000000000001', [{ type: 'BASIC' }]],
  ]);
});

test('the default scenario has 25 authentication requests of all statuses, two clients and two resources within 5 days', () => {
  const rows = [...allRows(development.state.authentication_requests)];
  expect(rows).toHaveLength(25);
  expect(new Set(rows.map((row) => row.status)).size).toBe(4);
  expect(new Set(rows.map((row) => row.client_id)).size).toBe(2);
  expect(new Set(rows.map((row) => row.resource_id)).size).toBe(2);
});

test('the file writes every id of a resource in development', () => {
  const { organizations, roles, users, connections, connected_accounts, custom_providers } =
    development.state;
  for (const table of [organizations, roles, users, connections, connected_accounts, custom_providers])
    expect([...table.positions.keys()].filter((id) => !isWritten(id))).toEqual([]);
});

test('all six scenarios are listed with a description', () => {
  expect(listScenarios(fixturesDir)).toEqual(
    ['default', 'directory', 'empty', 'invitations', 'large', 'verify-flow'].map((name) => ({
      name,
      description: expect.stringMatching(/\w/),
    })),
  );
});
