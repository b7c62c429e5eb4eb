import { expect, test } from '@jest/globals';
import { allRows } from '../../src/core/table.ts';
import type { InitialEnvironment } from '../../src/domain/scenario.ts';
import type { State } from '../../src/domain/state.ts';
import { mergeState, replaceState } from '../../src/scenario/change.ts';
import { exportEnvironment } from '../../src/scenario/export.ts';
import { loadScenario } from '../../src/scenario/scenario.ts';
import { call } from '../support/core.ts';
import { fixturesDir, load, loadFixture, stateWith } from './files.ts';

const NOW = { now: 1_800_000_000_000, start: 1_800_000_000_000 };

/** Every row of every table, and the bearers. */
const contentOf = ({ generator: _, access_tokens, ...tables }: State) => ({
  access_tokens,
  ...Object.fromEntries(Object.entries(tables).map(([name, table]) => [name, [...table.rows.values()]])),
});

const throughJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const first = ({ environments }: { environments: readonly InitialEnvironment[] }): InitialEnvironment => {
  const [environment] = environments;
  if (!environment) throw new Error('no environment');
  return environment;
};

test.each([
  'default',
  'empty',
  'verify-flow',
  'invitations',
  'directory',
])('what is exported from %s loads to the same state, as a file and over PUT', (name) => {
  for (const environment of loadFixture(name).environments) {
    const exported = throughJson(exportEnvironment(environment, NOW));
    const loaded = loadScenario(
      { environments: { [environment.name]: exported } },
      { fixturesDir, workingDirectory: fixturesDir },
    );
    expect(contentOf(first(loaded).state)).toEqual(contentOf(environment.state));
    expect(first(loaded).settings).toEqual(environment.settings);
    const replaced = replaceState(
      { ...environment, state: first(loadFixture('empty')).state },
      exported,
      NOW,
    );
    expect(contentOf(replaced.state)).toEqual(contentOf(environment.state));
  }
});

test('an environment that is later than its dates is exported with the statuses of now, and PUT takes them back', () => {
  const environment = first(loadFixture('default'));
  const later = { start: NOW.start, now: NOW.start + 20 * 86_400_000 };
  const exported = exportEnvironment(environment, later);
  expect(exported.users?.[1]?.memberships?.[0]?.membership_status).toBe('INVITE_EXPIRED');
  const put = { ...environment, state: replaceState(environment, throughJson(exported), later).state };
  expect(exportEnvironment(put, later)).toEqual(exported);
});

test('what is exported after time has passed is a scenario that starts with the same statuses', () => {
  const environment = first(
    load(`environments: { test: {
      organizations: [{ name: acme }],
      users: [{ email: a@b.test, memberships: [{ name: acme, membership_status: PENDING_INVITE, expires_at: +1d }] }],
      connections: [{ key_id: mail }],
      connected_accounts: [
        { connector: mail, identifier: ends, status: ACTIVE, token_expires_at: +10m },
        { connector: mail, identifier: waits, status: PENDING_VERIFICATION, stored_status: DISCONNECTED }] } }`),
  );
  const later = { start: NOW.start, now: NOW.start + 2 * 86_400_000 };
  const exported = throughJson(exportEnvironment(environment, later));
  const again = first(load(JSON.stringify({ clock: new Date(later.now), environments: { test: exported } })));
  const shown = exportEnvironment(again, { start: later.now, now: later.now });
  expect(shown.connected_accounts?.map(({ status }) => status)).toEqual(['EXPIRED', 'DISCONNECTED']);
  expect(shown.users?.[0]?.memberships?.[0]?.membership_status).toBe('INVITE_EXPIRED');
});

test('behaviour A5: secret_access_key and session_token are never kept', () => {
  const environment = first(
    load(`environments: { test: {
      connections: [{ key_id: dwh, type: TRUSTED_IDP }],
      connected_accounts: [{ connector: dwh, identifier: a, authorization_details: { trusted_idp: {
        db_user: ada, access_key_id: KEY, secret_access_key: canary-1, session_token: canary-2, expiry: +1h } } }] } }`),
  );
  const text = JSON.stringify([contentOf(environment.state), exportEnvironment(environment, NOW)]);
  expect(text).toContain('"access_key_id":"KEY"');
  expect(text).not.toContain('canary');
});

test('a row that PATCH names by its natural key takes the new members and keeps the others', () => {
  const environment = first(loadFixture('default'));
  const { state } = mergeState(
    environment,
    {
      connected_accounts: [
        { connector: 'MAIL', identifier: 'ada@acme.test', api_config: { folder: 'inbox' } },
      ],
    },
    NOW,
  );
  const [before] = allRows(environment.state.connected_accounts);
  const [after] = allRows(state.connected_accounts);
  expect(after).toEqual({ ...before, api_config: { folder: 'inbox' } });
  expect(state.connected_accounts.rows.size).toBe(12);
});

test('PATCH appends new rows at the end, drops those it removes, and leaves all other rows as they are', () => {
  const environment = first(loadFixture('default'));
  const { state } = mergeState(
    environment,
    {
      connected_accounts: [
        { id: 'ca_100000000000000002', remove: true },
        { connector: 'crm', identifier: 'new@acme.test' },
      ],
    },
    NOW,
  );
  const before = [...allRows(environment.state.connected_accounts)];
  const after = [...allRows(state.connected_accounts)];
  expect(after.slice(0, 11)).toEqual(before.filter(({ id }) => id !== 'ca_100000000000000002'));
  expect(after[11]).toMatchObject({
    connector: 'crm',
    identifier: 'new@acme.test',
    stored_status: 'PENDING_AUTH',
  });
});

test('accounts follow a connection that PATCH renames', () => {
  const environment = first(loadFixture('default'));
  const body = { connections: [{ id: 'conn_100000000000000004', key_id: 'sales', provider_key: 'sales' }] };
  const { state } = mergeState(environment, body, NOW);
  expect([...allRows(state.connected_accounts)][5]).toMatchObject({ connector: 'sales', provider: 'SALES' });
  const listed = (query: object) => call(state, 'listConnectedAccounts', { query }).body.total_size;
  expect([listed({ connector: 'sales', provider: 'SALES' }), listed({ connector: 'crm' })]).toEqual([1, 0]);
});

test('behaviour I1: ids that PATCH draws go on where the environment stands', () => {
  const environment = first(loadFixture('default'));
  const once = mergeState(environment, { organizations: [{ name: 'one' }] }, NOW);
  const twice = mergeState({ ...environment, ...once }, { organizations: [{ name: 'two' }] }, NOW);
  const ids = Array.from(allRows(twice.state.organizations), ({ id }) => id);
  expect(new Set(ids).size).toBe(4);
});

test('PATCH is all or nothing, and its problems name the path in the body', () => {
  const environment = first(loadFixture('default'));
  const body = {
    organizations: [{ name: 'new' }],
    users: [{ email: 'a@b.test', memberships: [{ name: 'gone' }] }],
  };
  expect(() => mergeState(environment, body, NOW)).toThrow(
    'users[0].memberships[0].name: there is no organization "gone". There are acme, globex, new',
  );
});

test('settings that PATCH names change, the others stay; PUT sets those it leaves out to their defaults', () => {
  const environment = first(load('environments: { test: { settings: { hosted: deny, invite_ttl: 1d } } }'));
  const patched = mergeState(environment, { settings: { magic_link_ttl: 'PT1M' } }, NOW);
  expect(patched.settings).toMatchObject({ hosted: 'deny', invite_ttl: 86_400_000, magic_link_ttl: 60_000 });
  expect(replaceState(environment, {}, NOW).settings).toMatchObject({ hosted: 'interactive' });
});

test('an account that is PENDING_VERIFICATION comes back with what it is beneath', () => {
  const state = stateWith(`
connections: [{ key_id: mail }]
connected_accounts: [{ connector: mail, identifier: a, status: PENDING_VERIFICATION, stored_status: DISCONNECTED }]`);
  const environment = { ...first(loadFixture('empty')), state };
  const exported = exportEnvironment(environment, NOW);
  expect(exported.connected_accounts?.[0]).toMatchObject({
    status: 'PENDING_VERIFICATION',
    stored_status: 'DISCONNECTED',
  });
  expect(contentOf(replaceState(environment, throughJson(exported), NOW).state)).toEqual(contentOf(state));
});
