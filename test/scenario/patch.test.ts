/** `PATCH .../state` at the price of what it says gives what building every row anew would give (interface.md). */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { allRows, type Table } from '../../src/core/table.ts';
import { type Changed, type Changing, mergeState, mergeWhole } from '../../src/scenario/change.ts';
import { exportEnvironment } from '../../src/scenario/export/environment.ts';
import { ScenarioError } from '../../src/scenario/fault.ts';
import { loadFixture } from './files.ts';
import { patchesOf } from './patches.ts';

const START = 1_800_000_000_000;
const DAY = 86_400_000;
const NOW = { now: START, start: START };

const first = (name: string): Changing => {
  const [environment] = loadFixture(name).environments;
  if (!environment) throw new Error('no environment');
  return environment;
};

/** What a change makes of an environment, or every fault of it. */
const attempt = (change: () => Changed): Changed | string => {
  try {
    return change();
  } catch (error) {
    if (error instanceof ScenarioError) return error.message;
    throw error;
  }
};

/** What can be seen of an environment: all that it exports, and what its next ids will be. */
const visible = (environment: Changing, changed: Changed | string): unknown =>
  typeof changed === 'string'
    ? changed
    : [exportEnvironment({ ...environment, ...changed }, NOW), changed.state.generator];

test.each([
  'default',
  'verify-flow',
  'invitations',
])('patches of %s give what building every row anew gives, faults included', (name) => {
  const start = first(name);
  const seen = { refused: 0 };
  const later = fc.constantFrom(0, DAY, 20 * DAY);
  fc.assert(
    fc.property(patchesOf(exportEnvironment(start, NOW)), later, (bodies, time) => {
      const now = { ...NOW, now: START + time };
      let environment = start;
      for (const body of bodies) {
        const expected = attempt(() => mergeWhole(environment, body, now));
        const changed = attempt(() => mergeState(environment, body, now));
        expect(visible(environment, changed)).toEqual(visible(environment, expected));
        if (typeof changed === 'string') seen.refused += 1;
        else environment = { ...environment, ...changed };
      }
    }),
    { numRuns: Number(process.env.PATCH_RUNS ?? 50) },
  );
  expect(seen.refused).toBeGreaterThan(0);
});

const countNew = <Row>(before: Table<Row, string>, after: Table<Row, string>): number => {
  const known = new Set(allRows(before));
  return [...allRows(after)].filter((row) => !known.has(row)).length;
};

test('a patch leaves every table that it does not write as it is, and all rows beside its own', () => {
  const environment = first('directory');
  const before = environment.state;
  const [organization] = allRows(before.organizations);
  const body = { users: [{ email: 'new@acme.test', memberships: [{ organization_id: organization?.id }] }] };
  const { state } = mergeState(environment, body, NOW);
  const { users, memberships, generator: _, reserved: _reserved, access_tokens: _bearers, ...others } = state;
  for (const [name, table] of Object.entries(others)) expect(table).toBe(Reflect.get(before, name));
  expect(countNew(before.users, users)).toBe(1);
  expect(countNew(before.memberships, memberships)).toBe(1);
});

const [earliest, next] = exportEnvironment(first('default'), NOW).authentication_requests ?? [];
const invited = [{ organization_id: 'globex', membership_status: 'PENDING_INVITE' }];

test.each([
  ['an organization that others name goes', { organizations: [{ name: 'acme', remove: true }] }],
  ['a role that members have goes', { roles: [{ name: 'admin', remove: true }] }],
  [
    'an account with an open request goes',
    { connected_accounts: [{ id: 'ca_100000000000000004', remove: true }] },
  ],
  ['a user takes another id', { users: [{ email: 'barbara@free.test', id: 'usr_900000000000000009' }] }],
  [
    'rows are named in another order than the one they stand in',
    {
      users: ['barbara@free.test', 'linus@acme.test', 'ada@acme.test'].map((email) => ({
        email,
        memberships: invited,
      })),
    },
  ],
  [
    'an entry of the log moves to the instant of another',
    { authentication_requests: [{ ...earliest, timestamp: next?.timestamp }] },
  ],
])('a patch gives what building every row anew gives where %s', (_, body) => {
  const environment = first('default');
  const expected = attempt(() => mergeWhole(environment, body, NOW));
  const changed = attempt(() => mergeState(environment, body, NOW));
  expect(visible(environment, changed)).toEqual(visible(environment, expected));
});
