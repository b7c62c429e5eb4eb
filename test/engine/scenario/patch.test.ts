/** `PATCH .../state`: rules that hold for random patches, and patches that are refused. */

import { isDeepStrictEqual } from 'node:util';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parse } from 'yaml';
import { instantAt } from '../../../src/engine/core/moment.ts';
import { allRows } from '../../../src/engine/core/table.ts';
import { exportEnvironment } from '../../../src/engine/scenario/export.ts';
import type { Changed } from '../../../src/engine/scenario/load-scenario.ts';
import type { EnvironmentContent } from '../../../src/engine/scenario/scenario.ts';
import { ScenarioError } from '../../../src/engine/scenario/source.ts';
import { DAY, rowsOf } from '../../support/core.ts';
import {
  environment,
  expectExport,
  firstOf,
  inFull,
  load,
  mergeState,
  packaged,
  problemsOf,
  replaceState,
} from './files.ts';

const START = 1_800_000_000_000;
const NOW = instantAt(START, START);
const LATER = instantAt(START + 20 * DAY, START);

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
        const exported: object = JSON.parse(JSON.stringify(exportEnvironment(environment, now)));
        const put = replaceState({ ...environment, state: start.state }, exported, now);
        expect(exportEnvironment({ ...environment, ...put }, now)).toEqual(exported);
      }
    }),
    { numRuns: Number(process.env.PATCH_RUNS ?? 40), seed: 20_260_301 },
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
  const exported = (content: EnvironmentContent) =>
    Reflect.get(exportEnvironment(content, NOW), 'connected_accounts');
  const [ada, , ...others] = exported(environment);
  const added = { connector: 'crm', identifier: 'new@acme.test', stored_status: 'PENDING_AUTH' };
  expect(exported({ ...environment, ...mergeState(environment, { connected_accounts }, NOW) })).toEqual([
    { ...ada, api_config: { folder: 'inbox' } },
    ...others,
    expect.objectContaining(added),
  ]);
});

test('PATCH adds access tokens and changes only the settings that it names; PUT sets the others to their defaults', () => {
  const environment = firstOf(
    load('environments: { test: { access_tokens: [a], settings: { hosted: deny, invite_ttl: 1d } } }'),
  );
  const body = { access_tokens: ['b'], settings: { magic_link_ttl: 'PT1M' } };
  const patched = mergeState(environment, body, NOW);
  expect(patched.state.access_tokens).toEqual(['a', 'b']);
  expect(replaceState(environment, { access_tokens: ['b'] }, NOW).state.access_tokens).toEqual(['b']);
  expect(patched.settings).toMatchObject({ hosted: 'deny', invite_ttl: DAY, magic_link_ttl: 60_000 });
  expect(replaceState(environment, {}, NOW).settings).toMatchObject({ hosted: 'interactive' });
});

const UNUSED = 'conn_100000000000000013';

test.each([
  { key_id: 'unused', id: UNUSED },
  { id: UNUSED, type: 'BASIC' },
  { id: UNUSED, provider_key: 'sales' },
  { id: UNUSED, provider: 'OKTA' },
  { key_id: 'crm', organization_id: 'globex' },
  { key_id: 'acme-oidc', organization_id: 'globex' }, // sign-ins keep the organization that they had
])('behaviour X3: a member on which no row depends can change: %j', (connection) => {
  expect(() => patched({ connections: [connection] })).not.toThrow();
});

const WAITING = 'ca_100000000000000004'; // an account with an open verification request
const CALENDAR = 'ca_100000000000000002'; // an account that is EXPIRED

/** Patches of the default scenario that are refused, with the end of the problem. */
const REFUSED = `
connections: [{ id: conn_100000000000000004, key_id: sales }] => connections[0].key_id: the account crm/ada@acme.test refers to this connection, so key_id cannot change
connections: [{ key_id: crm, type: BASIC }] => connections[0].type: the account crm/ada@acme.test refers to this connection, so type cannot change
connections: [{ key_id: crm, provider_key: sales }] => connections[0].provider_key: the account crm/ada@acme.test refers to this connection, so provider_key cannot change
connections: [{ key_id: crm, provider: OKTA }] => connections[0].provider: the account crm/ada@acme.test refers to this connection, so provider cannot change
connections: [{ key_id: warehouse, serverless: true }] => connections[0].serverless: the account warehouse/ada@acme.test refers to this connection, so serverless cannot change
custom_providers: [{ display_name: Ticket Desk, identifier: OTHER }] => custom_providers[0].identifier: the connection helpdesk refers to this custom provider, so identifier cannot change
users: [{ id: usr_100000000000000002, email: ADA@acme.test }] => users[0].email: another user has the email "ada@acme.test"
organizations: [{ display_name: Acme }] => organizations[0]: another organization has the name "acme"
connected_accounts: [{ id: ca_100000000000000001, connector: workspace }] => another account has the identifier "workspace/ada@acme.test"
connected_accounts: [{ id: ca_100000000000000001, connection_id: workspace }] => another account has the identifier "workspace/ada@acme.test"
connected_accounts: [{ id: ca_100000000000000001, identifier: user-1@globex.test }] => another account has the identifier "mail/user-1@globex.test"
connected_accounts: [{ id: ${WAITING}, remove: true }, { id: ${WAITING}, connector: helpdesk, identifier: new }] => the verification request pending-grace-00000000000000000000000000000 refers to this account, so connection_id cannot change
connected_accounts: [{ id: ${CALENDAR}, status: ACTIVE }] => connected_accounts[0].status: would read EXPIRED after loading, because of other members; write that value, or change those members
connected_accounts: [{ id: ca_100000000000000001, status: EXPIRED }] => connected_accounts[0].status: would read ACTIVE after loading, because of other members; write that value, or change those members
connected_accounts: [{ id: ${WAITING}, status: ACTIVE }] => connected_accounts[0].status: would read PENDING_VERIFICATION after loading, because of other members; write that value, or change those members
users: [{ email: linus@acme.test, memberships: [{ organization_id: acme, membership_status: PENDING_INVITE }] }] => users[0].memberships[0].membership_status: would read INVITE_EXPIRED after loading, because of other members; write that value, or change those members
clock: 2026-01-01T00:00:00Z => clock: only a scenario file can have a clock here; use PUT .../clock
`;

test.each(rowsOf(REFUSED))('behaviour A4, A8, M6, X3: the patch %s is refused: %s', (body, problem) => {
  const problems = problemsOf(() => patched(parse(body)));
  expect(problems.map((each) => each.slice(-problem.length))).toEqual([problem]);
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

// What PATCH of one member of a row does to the other members, and to rows that name it.

/** The state after a change of an environment with these lines. */
const changed = (lines: string, body: object) =>
  mergeState(firstOf(load(environment(lines))), body, instantAt(0, 0)).state;

const LABELS = 'id auth_request_id token key_id connector identifier name email client_id method path'.split(
  ' ',
);

test.each([
  'default',
  'verify-flow',
  'invitations',
])('behaviour X3: PATCH of one member of any row of %s with what it has changes nothing', (name) => {
  const content = packaged(name);
  const before = exportEnvironment(content, NOW);
  const { faults: _, ...lists } = before; // PATCH refuses faults (behaviour X7)
  const changes = Object.entries(lists).flatMap(([list, rows]) =>
    Object.values(Array.isArray(rows) ? rows : []).flatMap((row) => {
      const members = typeof row === 'string' ? [] : Object.entries(row);
      const keys = members.filter(([key]) => LABELS.includes(key));
      return members.map((one) => ({ [list]: [Object.fromEntries([...keys, one])] }));
    }),
  );
  const isKept = (body: object): boolean =>
    isDeepStrictEqual(exportEnvironment({ ...content, ...mergeState(content, body, NOW) }, NOW), before);
  expect(changes.filter((body) => !isKept(body))).toEqual([]);
  expect(changes.length).toBeGreaterThan(50);
});

const WAITS =
  'MEMBER membership_status: PENDING_INVITE, created_at: -3d, invite: { inviter_email: a@b.test, created_at: -3d, token: kept, ended_tokens: [t] }';

/** A patch, the rows before it, and what an export then holds; `LATER`: 20 days after the start. */
const PATCHES = `
users: [{ email: ada@b.test, user_profile: { family_name: Ray } }, { email: ann@b.test, user_profile: { family_name: Ray } }] beside users: [{ email: ada@b.test, user_profile: { given_name: Ada, family_name: Byron, name: Countess Lovelace } }, { email: ann@b.test, user_profile: { given_name: Ann, family_name: Lee } }] => users: [{ user_profile: { name: Countess Lovelace } }, { user_profile: { name: Ann Ray } }]
connected_accounts: [{ connector: mail, identifier: a, user_id: a@b.test }] beside users: [{ id: usr_100000000000000001, email: a@b.test }]; connections: [{ key_id: mail }]; connected_accounts: [{ connector: mail, identifier: a, organization_id: tenant, user_id: tenant, labels: true }] => connected_accounts: [{ organization_id: tenant, user_id: usr_100000000000000001 }]
connected_accounts: [{ connector: mail, identifier: a, organization_id: acme }] beside organizations: [{ id: org_1, name: acme }]; connections: [{ key_id: mail }]; connected_accounts: [{ connector: mail, identifier: a, organization_id: tenant, user_id: tenant, labels: true }] => connected_accounts: [{ organization_id: org_1, user_id: tenant }]
authorization_links: [{ token: t, connector: chat, identifier: b }] beside connections: [{ key_id: mail }, { key_id: chat }]; connected_accounts: [{ connector: mail, identifier: a }, { connector: chat, identifier: b }]; authorization_links: [{ token: t, account: mail/a }] => authorization_links: [{ token: t, account: chat/b }]
connected_accounts: [{ id: ca_2, connector: crm }] beside connections: [{ key_id: chat }, { key_id: crm, type: API_KEY, provider: OKTA, provider_key: sales }]; connected_accounts: [{ id: ca_2, connector: chat, identifier: b }] => connected_accounts: [{ id: ca_2, connector: crm, identifier: b, provider: SALES, authorization_type: API_KEY, status: PENDING_AUTH }]
authentication_requests: [{ auth_request_id: a, connection_id: two }] beside connections: [{ id: conn_1, key_id: one, type: OIDC }, { id: conn_2, key_id: two, type: SAML, provider: OKTA }]; authentication_requests: [{ auth_request_id: a, connection_id: one }] => authentication_requests: [{ connection_type: SAML, connection_details: [{ connection_id: conn_2, connection_provider: OKTA }] }]
ACCOUNT status: DISCONNECTED beside ACCOUNT status: EXPIRED => connected_accounts: [{ status: DISCONNECTED }]
ACCOUNT status: ACTIVE, token_expires_at: never beside ACCOUNT status: EXPIRED => connected_accounts: [{ status: ACTIVE }]
ACCOUNT api_config: { folder: inbox } beside ACCOUNT status: EXPIRED => connected_accounts: [{ status: EXPIRED }]
ACCOUNT token_expires_at: +1h beside ACCOUNT status: EXPIRED => connected_accounts: [{ status: ACTIVE }]
LATER ACCOUNT status: PENDING_VERIFICATION beside connections: [{ key_id: mail }] => connected_accounts: [{ status: PENDING_VERIFICATION }]
LATER ACCOUNT status: EXPIRED, updated_at: -2d beside connections: [{ key_id: mail }] => connected_accounts: [{ token_expires_at: now, updated_at: -2d }]
LATER MEMBER membership_status: PENDING_INVITE beside organizations: [{ name: acme }] => users: [{ memberships: [{ membership_status: PENDING_INVITE }] }]
MEMBER membership_status: ACTIVE beside ${WAITS} => users: [{ memberships: [{ membership_status: ACTIVE, accepted_at: -3d, join_time: -3d, invite: { status: accepted } }] }]
MEMBER membership_status: INACTIVE beside ${WAITS} => users: [{ memberships: [{ membership_status: INACTIVE }] }]
MEMBER expires_at: -1d beside ${WAITS} => users: [{ memberships: [{ membership_status: INVITE_EXPIRED }] }]
MEMBER expires_at: +1d beside MEMBER membership_status: INVITE_EXPIRED, expires_at: -1d => users: [{ memberships: [{ membership_status: PENDING_INVITE }] }]
MEMBER invite: { expires_at: +1d } beside MEMBER membership_status: INVITE_EXPIRED, expires_at: -1d => users: [{ memberships: [{ membership_status: PENDING_INVITE }] }]
MEMBER inviter_email: boss@b.test beside ${WAITS} => users: [{ memberships: [{ inviter_email: boss@b.test }] }]
MEMBER invite: { inviter_email: boss@b.test } beside ${WAITS} => users: [{ memberships: [{ inviter_email: boss@b.test }] }]
MEMBER invite: { resent_count: 3 } beside ${WAITS} => users: [{ memberships: [{ inviter_email: a@b.test, invite: { resent_count: 3, token: kept, ended_tokens: [t], created_at: -3d, status: pending } }] }]
roles: [{ name: c }] beside roles: [{ name: a }, { name: b, default: true }] => roles: [{ name: a, default: false }, { name: b, default: true }, { name: c, default: false }]
`;

/** An environment with the rows of a case, and the patch before them. */
const besides = (row: string) => {
  const [patch = '', lines = ''] = row.split(' beside ');
  return { patch: parse(inFull(patch)), before: firstOf(load(environment(inFull(lines)))) };
};

test.each(
  rowsOf(PATCHES),
)('behaviour A8, E6, M2, M6, X3: PATCH changes what depends on a member, and nothing else: %s: %s', (row, told) => {
  const { patch, before } = besides(row.replace('LATER ', ''));
  const at = row.startsWith('LATER') ? LATER : NOW;
  expectExport({ ...before, ...mergeState(before, patch, at) }, at, told);
});

test('behaviour N1: PATCH of a link with an identifier, but without its connector, is refused', () => {
  const lines = `connections: [{ key_id: mail }]
connected_accounts: [{ connector: mail, identifier: a }]
authorization_links: [{ token: t, account: mail/a }]`;
  const body = { authorization_links: [{ token: 't', identifier: 'b' }] };
  expect(problemsOf(() => changed(lines, body))).toEqual([
    expect.stringContaining('authorization_links[0]: needs "account"'),
  ]);
});

/** The removal of a row, rows of which one names that row, and the problem. */
const REMOVALS = `
organizations: [{ name: acme, remove: true }] beside organizations: [{ name: acme }]; authentication_requests: [{ organization_id: acme }] => refers to this organization
organizations: [{ name: acme, remove: true }] beside organizations: [{ name: acme }]; connections: [{ key_id: a }]; connected_accounts: [{ connector: a, identifier: b, organization_id: acme }] => the account a/b refers to this organization
organizations: [{ name: acme, remove: true }] beside organizations: [{ name: acme }]; users: [{ email: a@b.test, memberships: [{ name: acme }] }] => refers to this organization
organizations: [{ name: acme, remove: true }] beside organizations: [{ name: acme }]; connections: [{ key_id: mail, organization_id: acme }] => the connection mail refers to this organization
roles: [{ name: r, remove: true }] beside organizations: [{ name: acme }]; roles: [{ name: r }]; users: [{ email: a@b.test, memberships: [{ name: acme, roles: [r] }] }] => refers to this role
roles: [{ name: r, remove: true }] beside roles: [{ name: r }, { name: s, extends: r }] => the role s refers to this role
connections: [{ key_id: two, remove: true }] beside connections: [{ key_id: one, type: OIDC }, { key_id: two, type: OIDC }]; users: [{ email: a@b.test, user_profile: { external_identities: [{ connection_id: one }, { connection_id: two }] } }] => the user a@b.test refers to this connection
connections: [{ key_id: one, remove: true }] beside connections: [{ key_id: one, type: OIDC }]; authentication_requests: [{ connection_id: one }] => refers to this connection
custom_providers: [{ display_name: Wiki, remove: true }] beside custom_providers: [{ display_name: Wiki, proxy_url: https://a.test }]; connections: [{ key_id: mail, provider_key: Wiki }] => the connection mail refers to this custom provider
connected_accounts: [{ connector: a, identifier: b, remove: true }] beside connections: [{ key_id: a }]; connected_accounts: [{ connector: a, identifier: b }]; verification_requests: [{ account: a/b }] => refers to this account
`;

test.each(rowsOf(REMOVALS))('behaviour X3: the removal %s is refused: %s', (row, problem) => {
  const { patch, before } = besides(row);
  const [told, ...more] = problemsOf(() => mergeState(before, patch, NOW));
  expect([told, more]).toEqual([expect.stringContaining(`${problem}; remove or change that row too`), []]);
  expect(told).toContain('[0].remove: the ');
});

test('behaviour X6: PATCH of a stub replaces replies by one answer, or starts new replies from the first', () => {
  const lines =
    'stubs: [{ method: GET, path: /x, replies: [{ status: 201 }, { status: 202 }], answered: 1 }]';
  const after = (more: object) => [
    ...allRows(changed(lines, { stubs: [{ method: 'GET', path: '/x', ...more }] }).stubs),
  ];
  expect(() => after({ answered: 9 })).toThrow('stubs[0].answered: would read 2 after loading');
  for (const one of [{ body: 'one' }, { status: 203 }, { headers: { 'x-a': 'b' } }, { delay_ms: 5 }]) {
    const reply = { status: 200, body: {}, headers: {}, delay_ms: 0, ...one };
    expect(after(one)).toEqual([{ method: 'GET', path: '/x', replies: [reply], auth: true, answered: 1 }]);
  }
  expect(after({ replies: [{ status: 203 }, {}] })).toMatchObject([
    { answered: 0, replies: [{ status: 203 }, {}] },
  ]);
  expect(after({ auth: false })).toMatchObject([
    { answered: 1, auth: false, replies: [{ status: 201 }, {}] },
  ]);
});

test('behaviour E6: a row that PUT writes without a time gets the current time, not the start of the environment', () => {
  const content = packaged('default');
  const { state } = replaceState(content, { users: [{ email: 'new@acme.test' }] }, LATER);
  expectExport({ ...content, state }, LATER, 'users: [{ create_time: now }]');
});
