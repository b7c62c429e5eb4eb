/** What PATCH of one member of a row does to the other members, and to rows that name it. */
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from '@jest/globals';
import { instantAt } from '../../../src/engine/core/moment.ts';
import { allRows } from '../../../src/engine/core/table.ts';
import { exportEnvironment } from '../../../src/engine/scenario/export.ts';
import { environment, firstOf, load, mergeState, packaged, problemsOf } from './files.ts';

const NOW = instantAt(0, 0);

/** The state after a change of an environment with these lines. */
const changed = (lines: string, body: object) =>
  mergeState(firstOf(load(environment(lines))), body, NOW).state;

const KEYS = 'id auth_request_id token key_id connector identifier name email client_id method path'.split(
  ' ',
);

test.each([
  'default',
  'verify-flow',
  'invitations',
])('behaviour X3: PATCH of one member of any row of %s with what it has changes nothing', (name) => {
  const content = packaged(name);
  const at = instantAt(1_800_000_000_000, 1_800_000_000_000);
  const before = exportEnvironment(content, at);
  const { faults: _, ...lists } = before; // PATCH refuses faults (behaviour X7)
  const changes = Object.entries(lists).flatMap(([list, rows]) =>
    Object.values(Array.isArray(rows) ? rows : []).flatMap((row) => {
      const members = typeof row === 'string' ? [] : Object.entries(row);
      const keys = members.filter(([key]) => KEYS.includes(key));
      return members.map((one) => ({ [list]: [Object.fromEntries([...keys, one])] }));
    }),
  );
  const isKept = (body: object): boolean =>
    isDeepStrictEqual(exportEnvironment({ ...content, ...mergeState(content, body, at) }, at), before);
  expect(changes.filter((body) => !isKept(body))).toEqual([]);
  expect(changes.length).toBeGreaterThan(50);
});

test.each([
  ['user_id', 'a@b.test', 'usr_100000000000000001'],
  ['organization_id', 'acme', 'org_1'],
])('behaviour X3: PATCH of %s with a name replaces this label, and keeps the other', (member, name, id) => {
  const lines = `users: [{ id: usr_100000000000000001, email: a@b.test }]
organizations: [{ id: org_1, name: acme }]
connections: [{ key_id: mail }]
connected_accounts: [{ connector: mail, identifier: a, organization_id: tenant, user_id: tenant, labels: true }]`;
  const row = { connector: 'mail', identifier: 'a', [member]: name };
  const [account] = allRows(changed(lines, { connected_accounts: [row] }).connected_accounts);
  expect(account).toMatchObject({ organization_id: 'tenant', user_id: 'tenant', [member]: id });
});

test('PATCH moves a link to another account, and an account to another connection, whose kind it gets', () => {
  const lines = `connections: [{ key_id: mail }, { key_id: chat }, { key_id: crm, type: API_KEY, provider: OKTA, provider_key: sales }]
connected_accounts: [{ id: ca_1, connector: mail, identifier: a }, { id: ca_2, connector: chat, identifier: b }]
authorization_links: [{ token: t, account: mail/a }]`;
  const link = { token: 't', connector: 'chat', identifier: 'b' };
  const { authorization_links } = changed(lines, { authorization_links: [link] });
  expect([...allRows(authorization_links)]).toMatchObject([{ token: 't', account_id: 'ca_2' }]);
  const account = { id: 'ca_2', connector: 'crm' };
  const [, moved] = allRows(changed(lines, { connected_accounts: [account] }).connected_accounts);
  const kind = { provider: 'SALES', authorization_type: 'API_KEY', stored_status: 'PENDING_AUTH' };
  expect(moved).toMatchObject({ connector: 'crm', identifier: 'b', ...kind });
});

test('PATCH moves a sign-in to another connection, with the details of that connection', () => {
  const lines = `connections: [{ id: conn_1, key_id: one, type: OIDC }, { id: conn_2, key_id: two, type: SAML, provider: OKTA }]
authentication_requests: [{ auth_request_id: a, connection_id: one }]`;
  const body = { authentication_requests: [{ auth_request_id: 'a', connection_id: 'two' }] };
  const [entry] = allRows(changed(lines, body).authentication_requests);
  expect(entry).toMatchObject({
    connection_type: 'SAML',
    connection_details: [{ connection_id: 'conn_2', connection_provider: 'OKTA' }],
  });
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

const ACME = { organizations: [{ name: 'acme', remove: true }] };
const SSO = 'connections: [{ key_id: one, type: OIDC }, { key_id: two, type: OIDC }]';

test.each([
  ['authentication_requests: [{ organization_id: acme }]', ACME],
  [
    'connections: [{ key_id: a }]\nconnected_accounts: [{ connector: a, identifier: b, organization_id: acme }]',
    ACME,
  ],
  ['users: [{ email: a@b.test, memberships: [{ name: acme }] }]', ACME],
  ['connections: [{ key_id: mail, organization_id: acme }]', ACME],
  [
    'roles: [{ name: r }]\nusers: [{ email: a@b.test, memberships: [{ name: acme, roles: [r] }] }]',
    { roles: [{ name: 'r', remove: true }] },
  ],
  ['roles: [{ name: r }, { name: s, extends: r }]', { roles: [{ name: 'r', remove: true }] }],
  [
    `${SSO}\nusers: [{ email: a@b.test, user_profile: { external_identities: [{ connection_id: one }, { connection_id: two }] } }]`,
    { connections: [{ key_id: 'two', remove: true }] },
  ],
])('behaviour X3: beside %s, a row that is named there cannot be removed: %j', (lines, body) => {
  const whole = `organizations: [{ name: acme }]\n${lines}`;
  expect(problemsOf(() => changed(whole, body))).toEqual([
    expect.stringMatching(/\[0\]\.remove: the .* refers to this .*; remove or change that row too$/),
  ]);
});

test('behaviour M2: PATCH adds a role, and the default role stays the default', () => {
  const { roles } = changed('roles: [{ name: a }, { name: b, default: true }]', { roles: [{ name: 'c' }] });
  const defaults = Array.from(allRows(roles), (role) => [role.name, role.default]);
  expect(Object.fromEntries(defaults)).toEqual({ a: false, b: true, c: false });
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
