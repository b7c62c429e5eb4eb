/** An export that is loaded again gives the same state. And what PATCH does to a state. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Moment, resolve } from '../../src/core/moment.ts';
import { defined } from '../../src/core/object.ts';
import { select, takeSelected } from '../../src/core/selection.ts';
import { allRows, getRow, putRows, rowsBy } from '../../src/core/table.ts';
import { newestFirst } from '../../src/domain/auth-log.ts';
import type { Now } from '../../src/domain/operation.ts';
import type { State } from '../../src/domain/state.ts';
import { mergeState, replaceState } from '../../src/scenario/change.ts';
import { exportEnvironment, exportScenario } from '../../src/scenario/export.ts';
import { DAY } from '../support/core.ts';
import { firstOf, load, packaged, stateWith } from './files.ts';
import { walk, walks } from './walks.ts';

const NOW = { now: 1_800_000_000_000, start: 1_800_000_000_000 };

const START = NOW.start;

/** Every row in its order, and the bearers, with all times absolute: what every read is made from. */
const readable = ({ generator: _, access_tokens, ...tables }: State, at: Now): unknown => {
  // Memberships are read user by user, and the log by its times.
  const rows = { ...tables, memberships: undefined, authentication_requests: undefined };
  const lists = Object.entries(rows).map(([name, table]) => [name, table && [...table.rows.values()]]);
  const parts = Array.from(allRows(tables.users), ({ id }) => rowsBy(tables.memberships, 'user_id', id));
  return JSON.parse(
    JSON.stringify([access_tokens, Object.fromEntries(lists), parts, logOf(tables, at)]),
    (_name, value: unknown) =>
      typeof value === 'number' && value > 2e15 ? resolve(value as Moment, at.start) : value,
  );
};

const logOf = ({ authentication_requests: log }: Pick<State, 'authentication_requests'>, { start }: Now) =>
  takeSelected(newestFirst(select(log, {}), start), 1_000, 'forward').map(({ row }) => row);

/** The same, moved so that `now` is 0. */
const distances = (state: State, at: Now): unknown =>
  JSON.parse(JSON.stringify(readable(state, at)), (_name, value: unknown) =>
    typeof value === 'number' && value > 1e11 ? value - at.now : value,
  );

/** Links forget requests that have ended. */
const withoutEnded = (state: State): State => ({
  ...state,
  authorization_links: putRows(
    state.authorization_links,
    Array.from(allRows(state.authorization_links), ({ auth_request_id, ...row }) =>
      getRow(state.verification_requests, auth_request_id ?? '')
        ? { ...row, ...defined({ auth_request_id }) }
        : row,
    ),
  ),
});

const WALKED = ['default', 'verify-flow', 'invitations'];
/** A fixed seed, since other walks may miss a kind of step; `EXPORT_RUNS` asks for more of them. */
const runs = { numRuns: Number(process.env.EXPORT_RUNS ?? 25), seed: 20_260_301 };

test.each(WALKED)('after any changes to %s, loading its export restores the same state', (name) => {
  const initial = packaged(name);
  const taken = new Map<string, number>();
  fc.assert(
    fc.property(walks, fc.boolean(), (steps, delete_user_with_last_membership) => {
      const settings = { ...initial.settings, delete_user_with_last_membership };
      const place = walk({ state: initial.state, now: START, start: START, settings }, steps, taken);
      const at = { now: place.now, start: START };
      const state = withoutEnded(place.state);
      const content = { ...initial, state, settings, clock: { mode: 'frozen', now: at.now } as const };

      const whole = JSON.stringify(exportScenario(content, at));
      const served = firstOf(load(whole));
      expect(served.clock).toEqual({ mode: 'frozen', now: at.now });
      expect(served.settings).toEqual(settings);
      expect(readable(served.state, at)).toEqual(readable(state, at));

      const later = { ...at, now: at.now + DAY };
      const put = replaceState(initial, exportEnvironment(content, at), later);
      expect(readable(put.state, at)).toEqual(readable(state, at));

      const fresh = firstOf(load(JSON.stringify(exportScenario(content, at, true))));
      expect(fresh.clock).toEqual({ mode: 'running' });
      const moved = { now: START + 400 * DAY, start: START + 400 * DAY };
      expect(distances(fresh.state, moved)).toEqual(distances(state, at));
    }),
    runs,
  );
  for (const kind of name === 'invitations' ? ['accept', 'resend'] : ['approve', 'auth', 'create', 'verify'])
    expect(taken.get(kind)).toBeGreaterThan(0);
});

test('a running clock is exported, and continues when the export is loaded', () => {
  const environment = packaged('default');
  const content = { ...environment, clock: { mode: 'running', offset: 5 } as const };
  const { clock, extends: base } = exportScenario(content, NOW);
  expect([clock, base]).toEqual([{ mode: 'running', now: '2027-01-15T08:00:00.000Z' }, undefined]);
  expect(exportScenario(content, NOW, true).clock).toBeUndefined();
});

test('the scenario directory is exported and loaded without loss', () => {
  const environment = packaged('directory');
  const content = { ...environment, clock: { mode: 'frozen', now: NOW.now } as const };
  const served = firstOf(load(JSON.stringify(exportScenario(content, NOW))));
  expect(readable(served.state, NOW)).toEqual(readable(environment.state, NOW));
});

test('behaviour A5: secret_access_key and session_token are never kept', () => {
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

test('a row that PATCH names by its natural key gets the new members and keeps the others', () => {
  const environment = packaged('default');
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

test('PATCH appends new rows, removes the rows that it should, and changes no other row', () => {
  const environment = packaged('default');
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

test('behaviour I1: PATCH continues the ids of the environment', () => {
  const environment = packaged('default');
  const once = mergeState(environment, { organizations: [{ name: 'one' }] }, NOW);
  const twice = mergeState({ ...environment, ...once }, { organizations: [{ name: 'two' }] }, NOW);
  const ids = Array.from(allRows(twice.state.organizations), ({ id }) => id);
  expect(new Set(ids).size).toBe(4);
});

test('PATCH changes only the settings that it names; PUT sets the others to their defaults', () => {
  const environment = firstOf(load('environments: { test: { settings: { hosted: deny, invite_ttl: 1d } } }'));
  const patched = mergeState(environment, { settings: { magic_link_ttl: 'PT1M' } }, NOW);
  expect(patched.settings).toMatchObject({ hosted: 'deny', invite_ttl: 86_400_000, magic_link_ttl: 60_000 });
  expect(replaceState(environment, {}, NOW).settings).toMatchObject({ hosted: 'interactive' });
});

test('an account that is PENDING_VERIFICATION is exported with its stored status', () => {
  const state = stateWith(`
connections: [{ key_id: mail }]
connected_accounts: [{ connector: mail, identifier: a, status: PENDING_VERIFICATION, stored_status: DISCONNECTED }]`);
  const environment = { ...packaged('empty'), state };
  const exported = exportEnvironment(environment, NOW);
  expect(exported.connected_accounts?.[0]).toMatchObject({
    status: 'PENDING_VERIFICATION',
    stored_status: 'DISCONNECTED',
  });
  expect(readable(replaceState(environment, exported, NOW).state, NOW)).toEqual(readable(state, NOW));
});
