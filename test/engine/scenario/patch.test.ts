/** `PATCH .../state`: rules that hold for random patches, and patches that are refused. */

import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { instantAt } from '../../../src/engine/core/moment.ts';
import { allRows } from '../../../src/engine/core/table.ts';
import { type EnvironmentContent, exportEnvironment } from '../../../src/engine/scenario/export.ts';
import type { Changed } from '../../../src/engine/scenario/load-scenario.ts';
import { ScenarioError } from '../../../src/engine/scenario/source.ts';
import { DAY } from '../../support/core.ts';
import { firstOf, load, mergeState, packaged, replaceState } from './files.ts';

const START = 1_800_000_000_000;
const NOW = instantAt(START, START);

/** The result of a patch of the default scenario. */
const patched = (body: object) => mergeState(packaged('default'), body, NOW);

/** The result of a change, or undefined if the change is refused. */
const attempt = (change: () => Changed): Changed | undefined => {
  try {
    return change();
  } catch (error) {
    if (error instanceof ScenarioError) return undefined;
    throw error;
  }
};

type Row = Readonly<Record<string, unknown>>;

const KEYS = 'id name email key_id connector identifier display_name client_id token'.split(' ');
const pick = (row: Row, names: readonly string[]): Row =>
  Object.fromEntries(names.flatMap((name) => (name in row ? [[name, row[name]]] : [])));

/** A random patch row that names an existing row by its keys, and removes it or gives it members of another row. */
const rowOf = (rows: readonly Row[]): fc.Arbitrary<Row> =>
  fc.tuple(fc.constantFrom(...rows), fc.constantFrom(...rows)).chain(([row, other]) => {
    const key = fc.constantFrom(KEYS, ['id'], KEYS.slice(1)).map((names) => pick(row, names));
    const members = fc.shuffledSubarray(Object.keys(other)).map((names) => pick(other, names.slice(0, 3)));
    const removal = fc.constant({ remove: true });
    return fc
      .tuple(fc.oneof({ weight: 9, arbitrary: members }, removal), key)
      .map(([more, named]) => ({ ...more, ...named }));
  });

/** One to four random patches, each with one or two rows of one list. */
const patchesOf = (exported: object): fc.Arbitrary<readonly object[]> => {
  const lists = Object.entries(exported).filter(([, rows]) => typeof Object(rows)[0] === 'object');
  const patch = fc
    .constantFrom(...lists)
    .chain(([name, rows]) => fc.record({ [name]: fc.array(rowOf(rows), { minLength: 1, maxLength: 2 }) }));
  return fc.array(patch, { minLength: 1, maxLength: 4 });
};

test.each([
  'default',
  'verify-flow',
  'invitations',
])('after any patches of the scenario %s, PUT of an export restores the exported state', (name) => {
  const start = packaged(name);
  const seen = { made: 0, refused: 0 };
  const later = fc.constantFrom(0, DAY, 20 * DAY);
  fc.assert(
    fc.property(patchesOf(exportEnvironment(start, NOW)), later, (bodies, time) => {
      const now = instantAt(START + time, START);
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
    { numRuns: Number(process.env.PATCH_RUNS ?? 100), seed: 20_260_301 },
  );
  expect(seen.made).toBeGreaterThan(20);
  expect(seen.refused).toBeGreaterThan(20);
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

test('PATCH changes a row by its natural key, removes and appends rows, and changes no other row', () => {
  const environment = packaged('default');
  const connected_accounts = [
    { connector: 'MAIL', identifier: 'ada@acme.test', api_config: { folder: 'inbox' } },
    { id: 'ca_100000000000000002', remove: true },
    { connector: 'crm', identifier: 'new@acme.test' },
  ];
  const { state } = mergeState(environment, { connected_accounts }, NOW);
  const [ada, , ...others] = allRows(environment.state.connected_accounts);
  expect([...allRows(state.connected_accounts)]).toEqual([
    { ...ada, api_config: { folder: 'inbox' } },
    ...others,
    expect.objectContaining({ connector: 'crm', identifier: 'new@acme.test', stored_status: 'PENDING_AUTH' }),
  ]);
});

test('PATCH keeps a written profile name, and derives another one anew from given and family name', () => {
  const environment = firstOf(
    load(`environments: { test: { users: [
      { email: ada@b.test, user_profile: { given_name: Ada, family_name: Byron, name: Countess Lovelace } },
      { email: ann@b.test, user_profile: { given_name: Ann, family_name: Lee } }] } }`),
  );
  const users = ['ada', 'ann'].map((who) => ({
    email: `${who}@b.test`,
    user_profile: { family_name: 'Ray' },
  }));
  const { state } = mergeState(environment, { users }, NOW);
  const names = Array.from(allRows(state.users), (user) => user.user_profile?.name);
  expect(names).toEqual(['Countess Lovelace', 'Ann Ray']);
});

test('behaviour I1: rows that PATCH adds get ids that no other row has', () => {
  const environment = packaged('default');
  const once = mergeState(environment, { organizations: [{ name: 'one' }] }, NOW);
  const twice = mergeState({ ...environment, ...once }, { organizations: [{ name: 'two' }] }, NOW);
  expect(new Set(Array.from(allRows(twice.state.organizations), ({ id }) => id)).size).toBe(4);
});

test('PATCH adds access tokens and changes only the settings that it names; PUT sets the others to their defaults', () => {
  const environment = firstOf(
    load('environments: { test: { access_tokens: [a], settings: { hosted: deny, invite_ttl: 1d } } }'),
  );
  const patched = mergeState(
    environment,
    { access_tokens: ['b'], settings: { magic_link_ttl: 'PT1M' } },
    NOW,
  );
  expect(patched.state.access_tokens).toEqual(['a', 'b']);
  expect(replaceState(environment, { access_tokens: ['b'] }, NOW).state.access_tokens).toEqual(['b']);
  expect(patched.settings).toMatchObject({ hosted: 'deny', invite_ttl: DAY, magic_link_ttl: 60_000 });
  expect(replaceState(environment, {}, NOW).settings).toMatchObject({ hosted: 'interactive' });
  expect(() => mergeState(environment, { clock: '2026-01-01T00:00:00Z' }, NOW)).toThrow(
    'clock: only a scenario',
  );
});

test('PATCH with an export of the same environment changes nothing', () => {
  const environment = packaged('default');
  const body = exportEnvironment(environment, NOW);
  const { state } = mergeState(environment, { ...body, id: undefined }, NOW);
  expect(exportEnvironment({ ...environment, state }, NOW)).toEqual(body);
});

test.each([
  ['key_id', { key_id: 'crm', id: 'conn_100000000000000004' }, { key_id: 'sales' }],
  ['type', { key_id: 'crm' }, { type: 'BASIC' }],
  ['provider_key', { key_id: 'crm' }, { provider_key: 'sales' }],
  ['provider', { key_id: 'crm' }, { provider: 'OKTA' }],
])('behaviour X3: the %s of a connection with accounts cannot change', (member, row, change) => {
  expect(() => patched({ connections: [{ ...row, ...change }] })).toThrow(
    `connections[0].${member}: the account crm/ada@acme.test refers to this connection, so ${member} cannot change`,
  );
  const unused = { id: 'conn_100000000000000013', ...change, key_id: 'unused' };
  expect(() => patched({ connections: [unused] })).not.toThrow();
});

test('behaviour X3: the identifier of a custom provider that a connection names cannot change, and serverless of a connection with accounts neither', () => {
  const custom_providers = [{ display_name: 'Ticket Desk', identifier: 'OTHER' }];
  expect(() => patched({ custom_providers })).toThrow(
    /custom_providers\[0\].identifier: the connection helpdesk refers to this custom provider, so identifier cannot/,
  );
  expect(() => patched({ connections: [{ key_id: 'warehouse', serverless: true }] })).toThrow(
    /refers to this connection, so serverless cannot change/,
  );
});

test('behaviour X3: the organization of a connection cannot change while sign-ins refer to the connection, but can while accounts do', () => {
  const move = (key_id: string) => () => patched({ connections: [{ key_id, organization_id: 'globex' }] });
  expect(move('acme-oidc')).toThrow(/refers to this connection, so organization_id cannot change/);
  expect(move('crm')).not.toThrow();
});

const WAITING = 'ca_100000000000000004'; // an account with an open verification request

test.each([
  ['an organization', { organizations: [{ name: 'acme', remove: true }] }],
  ['a role', { roles: [{ name: 'admin', remove: true }] }],
  ['a custom provider', { custom_providers: [{ display_name: 'Ticket Desk', remove: true }] }],
  ['a connection', { connections: [{ key_id: 'acme-oidc', remove: true }] }],
  ['an account with an open request', { connected_accounts: [{ id: WAITING, remove: true }] }],
])('behaviour X3: %s cannot be removed while other rows refer to it', (_, body) => {
  expect(() => patched(body)).toThrow(/\[0\]\.remove: .* refers to this .*; remove or change/);
});

test('behaviour X3: a user cannot be removed while an account names the user, but with that account, and with all memberships', () => {
  const pair = { connector: 'mail', identifier: 'ada@acme.test' };
  const named = patched({ connected_accounts: [{ ...pair, user_id: 'ada@acme.test' }] });
  const start = { ...packaged('default'), ...named };
  const users = [{ email: 'ada@acme.test', remove: true }];
  expect(() => mergeState(start, { users }, NOW)).toThrow(
    'users[0].remove: the account mail/ada@acme.test refers',
  );
  const connected_accounts = [{ ...pair, user_id: 'tenant', labels: true }];
  const { state } = mergeState(start, { users, connected_accounts }, NOW);
  const members = Array.from(allRows(state.memberships), ({ user_id }) => user_id);
  expect(members).not.toContain('usr_100000000000000001');
  expect(state.users.rows.size).toBe(5);
});

test.each([
  { connector: 'workspace' },
  { connection_id: 'workspace' },
  { identifier: 'user-1@globex.test' },
])('behaviour A4: an account cannot get the connector and identifier of another account: %j', (half) => {
  expect(() => patched({ connected_accounts: [{ id: 'ca_100000000000000001', ...half }] })).toThrow(
    /^connected_accounts\[0\].*: another account has the identifier "/,
  );
});

const TAKEN = { id: 'usr_100000000000000002', email: 'ADA@acme.test' };
const AGAIN = { id: WAITING, connector: 'helpdesk', identifier: 'new@acme.test' };

test.each([
  [{ users: [TAKEN] }, 'users[0].email: another user has the email "ada@acme.test"'],
  [
    { organizations: [{ display_name: 'Acme' }] },
    'organizations[0]: another organization has the name "acme"',
  ],
  [
    { connected_accounts: [{ id: WAITING, remove: true }, AGAIN] },
    'the verification request pending-grace-00000000000000000000000000000 refers to this account, so connection_id cannot change',
  ],
])('behaviour X3: a row cannot get the natural key of another row, or another connection by removal and addition: %j', (body, problem) => {
  expect(() => patched(body)).toThrow(problem);
});

test('a row can be removed together with all rows that refer to it, in any order', () => {
  const { state } = patched({
    connections: [{ key_id: 'helpdesk', remove: true }],
    custom_providers: [{ display_name: 'Ticket Desk', remove: true }],
    connected_accounts: [{ connector: 'helpdesk', identifier: 'ada@acme.test', remove: true }],
  });
  expect([state.connections.rows.size, state.connected_accounts.rows.size]).toEqual([16, 11]);
});
