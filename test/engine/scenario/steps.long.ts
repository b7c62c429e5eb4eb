/**
 * The steps of scenario sections do not grow with the square of the rows. Twice the rows take 2.15
 * times the steps with sorted trees, but more than 2.25 times if steps grow with the square of 200 rows.
 */

import { Session } from 'node:inspector';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { instantAt } from '../../../src/engine/core/moment.ts';
import { exportEnvironment } from '../../../src/engine/scenario/export.ts';
import { allSections } from '../../../src/engine/service.ts';
import { service } from '../../../src/service/index.ts';
import { START } from '../../support/core.ts';
import { firstOf, loadFixture, mergeState, stateOf } from './files.ts';

const FEW = 200;
const MOST = 2.25;

/** Matches files of the sources, and of their build (`built/build.mjs`), which contains the packages that they use. */
const COUNTED = /[/]src[/]|[/]\.cache[/]ca-mock[/]/;

const session = new Session();
beforeAll(() => {
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
});
afterAll(() => session.disconnect());

/** How often V8 entered functions in the files that `COUNTED` matches, since the last time. */
const takeSteps = (): number => {
  let steps = 0;
  // V8 calls the callback before `post` returns.
  session.post('Profiler.takePreciseCoverage', (_error, { result }) => {
    for (const { url, functions } of result)
      if (COUNTED.test(url)) for (const { ranges } of functions) steps += ranges[0]?.count ?? 0;
  });
  return steps;
};

const countSteps = (happen: () => unknown): number => {
  takeSteps();
  happen();
  return takeSteps();
};

const make = <Row>(count: number, row: (index: number) => Row): Row[] =>
  Array.from({ length: count }, (_, index) => row(index));
const USER = 'usr_100000000000000001';
const ACCOUNT = 'ca_100000000000000001';

/** For each section, `count` rows and the rows that they refer to. The rows are as alike as possible. */
const rowsFor = (count: number): { readonly [section: string]: object } => {
  const each = <Row>(row: (n: number) => Row): Row[] => make(count, row);
  const organizations = each((n) => ({ id: `org_${n}`, name: `o${n}` }));
  const connections = each((n) => ({ key_id: `c${n}`, provider_key: 'desk' }));
  const memberships = each((n) => ({ organization_id: `o${n}`, roles: [{ display_name: `R${n}` }] }));
  const linked = {
    connections: [{ key_id: 'mail' }],
    connected_accounts: [{ id: ACCOUNT, connector: 'mail', identifier: 'a' }],
  };
  return {
    clients: { clients: each((n) => ({ client_id: `c${n}`, client_secret: 's' })) },
    organizations: { organizations },
    roles: { roles: each((n) => ({ name: `r${n}`, ...(n > 0 && { extends: `r${n - 1}` }) })) },
    custom_providers: {
      custom_providers: each((n) => ({ display_name: `Wiki ${n}`, proxy_url: 'https://a.test' })),
    },
    connections: { connections },
    users: { users: each((n) => ({ email: `u${n}@a.test`, external_id: `e${n}` })) },
    memberships: {
      organizations,
      roles: each((n) => ({ name: `r${n}` })),
      users: [{ id: USER, email: 'a@a.test', memberships }],
    },
    connected_accounts: {
      connections,
      connected_accounts: each((n) => ({
        connector: `c${n}`,
        identifier: 'same',
        user_id: 'same',
        labels: true,
      })),
    },
    authorization_links: { ...linked, authorization_links: each(() => ({ account: 'mail/a' })) },
    verification_requests: { ...linked, verification_requests: each(() => ({ account: 'mail/a' })) },
    stubs: { stubs: each((n) => ({ method: 'GET', path: `/api/v1/things-${n}` })) },
    authentication_requests: {
      authentication_requests: each(() => ({ email: 'a@a.test', status: 'SUCCESS' })),
    },
  };
};

const load = (form: object) => firstOf(loadFixture({ environments: { test: form } }));

const sectionNames = allSections(service).map(({ name }) => name);

test('the scenarios "directory" and "large" have the documented sizes', () => {
  const directory = stateOf(loadFixture('directory'));
  expect([directory.users.rows.size, directory.organizations.rows.size]).toEqual([2_000, 40]);
  expect(stateOf(loadFixture('large')).connected_accounts.rows.size).toBe(100_000);
});

test('this test has rows for every section', () => {
  expect(Object.keys(rowsFor(1)).sort()).toEqual([...sectionNames].sort());
});

/**
 * Requires that twice the rows take little more than twice the steps.
 * @param prepare makes the rows, and returns the work whose steps are counted
 */
const expectNoSquare = (prepare: (count: number) => () => unknown): void => {
  const [warm, few, many] = [FEW, FEW, 2 * FEW].map(prepare);
  warm?.();
  const once = countSteps(() => few?.());
  const twice = countSteps(() => many?.());
  expect(once).toBeGreaterThan(0);
  expect(twice / once).toBeLessThan(MOST);
};

test.each(
  sectionNames,
)('twice the %s take little more than twice the steps to load, export and merge', (section) => {
  const at = instantAt(START, START);
  const formOf = (count: number) => rowsFor(count)[section] ?? {};
  expectNoSquare((count) => {
    const form = formOf(count);
    return () => load(form);
  });
  expectNoSquare((count) => {
    const environment = load(formOf(count));
    return () => mergeState(environment, exportEnvironment(environment, at), at);
  });
});
