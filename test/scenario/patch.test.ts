/** Laws of `PATCH .../state`, for patches that nobody thought of. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Changed, mergeState, replaceState } from '../../src/scenario/change.ts';
import { type EnvironmentContent, exportEnvironment } from '../../src/scenario/export.ts';
import { ScenarioError } from '../../src/scenario/problem.ts';
import { DAY } from '../support/core.ts';
import { packaged } from './files.ts';
import { patchesOf } from './patches.ts';

const START = 1_800_000_000_000;
const NOW = { now: START, start: START };

/** What a change makes of an environment; undefined where it is refused. */
const attempt = (change: () => Changed): Changed | undefined => {
  try {
    return change();
  } catch (error) {
    if (error instanceof ScenarioError) return undefined;
    throw error;
  }
};

test.each([
  'default',
  'verify-flow',
  'invitations',
])('after any patches of %s, PUT of its export restores it, and no row refers to a removed row', (name) => {
  const start = packaged(name);
  const seen = { made: 0, refused: 0 };
  const later = fc.constantFrom(0, DAY, 20 * DAY);
  fc.assert(
    fc.property(patchesOf(exportEnvironment(start, NOW)), later, (bodies, time) => {
      const now = { ...NOW, now: START + time };
      let environment: EnvironmentContent = start;
      for (const body of bodies) {
        const changed = attempt(() => mergeState(environment, body, now));
        seen[changed ? 'made' : 'refused'] += 1;
        if (!changed) continue;
        environment = { ...environment, ...changed };
        const exported: unknown = JSON.parse(JSON.stringify(exportEnvironment(environment, now)));
        const put = replaceState({ ...environment, state: start.state }, exported, now);
        expect(exportEnvironment({ ...environment, ...put }, now)).toEqual(exported);
      }
    }),
    { numRuns: Number(process.env.PATCH_RUNS ?? 50) },
  );
  expect(seen.made).toBeGreaterThan(0);
  expect(seen.refused).toBeGreaterThan(0);
});

test('a patch does not change tables that it does not write', () => {
  const environment = packaged('directory');
  const body = { users: [{ email: 'new@acme.test', memberships: [{ organization_id: 'acme' }] }] };
  const { state } = mergeState(environment, body, NOW);
  const { users, memberships, generator: _, access_tokens: _bearers, ...others } = state;
  for (const [name, table] of Object.entries(others))
    expect(table).toBe(Reflect.get(environment.state, name));
  expect(users.rows.size).toBe(environment.state.users.rows.size + 1);
  expect(memberships.rows.size).toBe(environment.state.memberships.rows.size + 1);
});

test('applying the same patch twice changes nothing the second time', () => {
  const environment = packaged('default');
  const body = exportEnvironment(environment, NOW);
  const { state } = mergeState(environment, { ...body, id: undefined }, NOW);
  expect(exportEnvironment({ ...environment, state }, NOW)).toEqual(body);
});

test.each([
  ['key_id', { key_id: 'crm', id: 'conn_100000000000000004' }, { key_id: 'sales' }],
  ['type', { key_id: 'crm' }, { type: 'BASIC' }],
  ['provider_key', { key_id: 'crm' }, { provider_key: 'sales' }],
])('behaviour X3: the %s of a connection with accounts cannot change', (member, row, change) => {
  expect(() => mergeState(packaged('default'), { connections: [{ ...row, ...change }] }, NOW)).toThrow(
    `connections[0].${member}: the account crm/ada@acme.test names this connection, so ${member} cannot change`,
  );
  const unused = { connections: [{ id: 'conn_100000000000000013', ...change, key_id: 'unused' }] };
  expect(() => mergeState(packaged('default'), unused, NOW)).not.toThrow();
});

test.each([
  ['an organization', { organizations: [{ name: 'acme', remove: true }] }],
  ['a role', { roles: [{ name: 'admin', remove: true }] }],
  ['a custom provider', { custom_providers: [{ display_name: 'Ticket Desk', remove: true }] }],
  ['a connection', { connections: [{ key_id: 'acme-oidc', remove: true }] }],
  [
    'an account with an open request',
    { connected_accounts: [{ id: 'ca_100000000000000004', remove: true }] },
  ],
])('behaviour X3: %s that other rows name cannot be removed alone', (_, body) => {
  expect(() => mergeState(packaged('default'), body, NOW)).toThrow(
    /\[0\]\.remove: .* names this .*; remove or change/,
  );
});

test.each([
  { connector: 'workspace' },
  { connection_id: 'workspace' },
  { identifier: 'user-1@globex.test' },
])('behaviour A4: an account cannot get the connector and identifier of another account: %j', (half) => {
  const body = { connected_accounts: [{ id: 'ca_100000000000000001', ...half }] };
  expect(() => mergeState(packaged('default'), body, NOW)).toThrow(
    /^connected_accounts\[0\].*: another account has the identifier "/,
  );
});

test('behaviour X3: a row cannot get the natural key of another row', () => {
  const body = { users: [{ id: 'usr_100000000000000002', email: 'ADA@acme.test' }] };
  expect(() => mergeState(packaged('default'), body, NOW)).toThrow(
    'users[0].email: another user has the email "ada@acme.test"',
  );
});

test('an account with requests cannot be removed and written again for another connection', () => {
  const again = { id: 'ca_100000000000000004', connector: 'helpdesk', identifier: 'new@acme.test' };
  const body = { connected_accounts: [{ id: again.id, remove: true }, again] };
  expect(() => mergeState(packaged('default'), body, NOW)).toThrow(
    'the verification request pending-grace-00000000000000000000000000000 names this account, so connection_id cannot change',
  );
});

test('a row can be removed together with all rows that name it, in any order', () => {
  const { state } = mergeState(
    packaged('default'),
    {
      connections: [{ key_id: 'helpdesk', remove: true }],
      custom_providers: [{ display_name: 'Ticket Desk', remove: true }],
      connected_accounts: [{ connector: 'helpdesk', identifier: 'ada@acme.test', remove: true }],
    },
    NOW,
  );
  expect([state.connections.rows.size, state.connected_accounts.rows.size]).toEqual([16, 11]);
});
