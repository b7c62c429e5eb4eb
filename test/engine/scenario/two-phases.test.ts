/** Loading reports all mistakes of shape together. Without such mistakes, it reports all mistakes of meaning together. */
import { expect, test } from '@jest/globals';
import { fixturesDir, load, loadFiles, loadScenario, problemsOf, problemsWith } from './files.ts';

/** The place of each problem, as `LINE:COL PATH`. */
const placesOf = (lines: readonly string[]): string[] =>
  lines.map((line) => line.replace(/^main\.yaml:(\d+:\d+): ([^:]*): .*$/, '$1 $2'));

test('loading reports all problems of shape, each once and in order; after these are mended, it reports all problems of meaning', () => {
  const text = `environments:
  one:
    clients: [{ client_id: same, client_secret: s }]
    settings: { hostd: approve }
    organizations:
      - { name: acme }
      - { name: acme }
    roles: [{ name: admin }]
    connections:
      - { key_id: mail, statsu: DRAFT }
    users:
      - { email: nobody }
      - email: ada@acme.test
        create_time: yesterday
        memberships:
          - { organization_id: acmee, roles: [admin, admn], membership_status: ACTVE }
    connected_accounts:
      - { connector: mial, identifier: a, token_expires_at: soon, status: ACTVE }
  two:
    clients: [{ client_id: same, client_secret: s }]
    conections: []
`;
  const problems = problemsOf(() => load(text));
  expect(placesOf(problems)).toEqual([
    '4:17 environments.one.settings.hostd',
    '10:25 environments.one.connections[0].statsu',
    '12:18 environments.one.users[0].email',
    '14:22 environments.one.users[1].create_time',
    '16:80 environments.one.users[1].memberships[0].membership_status',
    '18:61 environments.one.connected_accounts[0].token_expires_at',
    '18:75 environments.one.connected_accounts[0].status',
    '21:5 environments.two.conections',
  ]);
  const mended = text
    .replace('hostd: approve', 'hosted: approve')
    .replace('statsu', 'status')
    .replace('email: nobody', 'email: somebody@acme.test')
    .replace('yesterday', '-1d')
    .replaceAll('ACTVE', 'ACTIVE')
    .replace('soon', '+1h')
    .replace('conections', 'connections');
  const meanings = problemsOf(() => load(mended));
  expect(placesOf(meanings)).toEqual([
    '7:17 environments.one.organizations[1].name',
    '16:32 environments.one.users[1].memberships[0].organization_id',
    '16:54 environments.one.users[1].memberships[0].roles[1]',
    '18:22 environments.one.connected_accounts[0].connector',
    '20:28 environments.two.clients[0].client_id',
  ]);
  expect(meanings[1]).toContain('there is no organization "acmee". Did you mean "acme"?');
});

test('all wrong references are reported together, each with the most similar name or with all names', () => {
  const problems = problemsWith(`
organizations: [{ name: acme }]
roles: [{ name: admin }, { name: owner, extends: [admin, nobody] }]
connections: [{ key_id: mail, organization_id: acm }]
users:
  - { email: b@b.test, memberships: [{ organization_id: acmee, roles: [admn] }] }
  - { external_id: nameless }
  - { email: a@b.test, user_profile: { external_identities: [{ connection_id: mael }] } }
connected_accounts: [{ connector: mial, identifier: a }]`);
  expect(problems.map((line) => line.replace(/^[^ ]+ ([^:]+: )?/, ''))).toEqual([
    'there is no role "nobody". The roles are admin, owner.',
    'there is no organization "acm". Did you mean "acme"?',
    'there is no organization "acmee". Did you mean "acme"?',
    'there is no role "admn". Did you mean "admin"?',
    'a user needs an email',
    'there is no connection "mael". Did you mean "mail"?',
    'there is no connection "mial". Did you mean "mail"?',
  ]);
});

test('problems of a file and of the files that it extends are reported together, sorted by file', () => {
  const base = (name: string) => `environments:
  test:
    organizations: [{ name: acme }, { ${name}: globex }]
    connections: [{ key_id: mail }]
    connected_accounts: [{ connector: mial, identifier: a }]
`;
  const main = (more: string, status: string) => `extends: [./base.yaml${more}]
environments:
  test:
    users: [{ email: a@b.test, memberships: [{ name: acmee }, { name: globex }] }]
    connected_accounts: [{ connector: mail, identifier: b, status: ${status} }]
`;
  expect(
    problemsOf(() => loadFiles({ 'main.yaml': main(', ./gone.yaml', '7'), 'base.yaml': base('nme') })),
  ).toEqual([
    expect.stringMatching(/^base\.yaml:3:39: .*organizations\[1\]\.nme: is not a known member/),
    'main.yaml:1:24: extends[1]: there is no file gone.yaml',
    expect.stringMatching(/^main\.yaml:5:68: .*status: is 7, but must be one of ACTIVE/),
  ]);
  expect(problemsOf(() => loadFiles({ 'main.yaml': main('', 'ACTIVE'), 'base.yaml': base('name') }))).toEqual(
    [
      expect.stringMatching(/^base\.yaml:5:39: .*there is no connection "mial"\. Did you mean "mail"\?/),
      expect.stringMatching(/^main\.yaml:4:54: .*there is no organization "acmee"\. Did you mean "acme"\?/),
    ],
  );
});

test('the message shows only the first 100 problems, and says that there may be more', () => {
  const rows = Array.from({ length: 1_000 }, (_, nth) => `- { emial: user-${nth}@b.test }`);
  const problems = problemsWith(`users:\n${rows.join('\n')}\nconnected_accounts: [{ connector: mial }]`);
  expect(problems).toHaveLength(101);
  expect(problems.at(-1)).toBe('these are the first 100 problems; there may be more');
});

test('an environment that no call can reach causes a warning', () => {
  const warnings = (lines: string) =>
    load(`environments: { open: { access_tokens: [t] }, test: {${lines}} }`).warnings;
  expect(warnings('')).toEqual([
    'environments.test has no clients and no access_tokens, so no call can reach it',
  ]);
  expect(warnings(' clients: [{ client_id: a, client_secret: b }] ')).toEqual([]);
});

test('3,000 roles that each extend another, and 5,000 accounts with the same identifier, can be loaded', () => {
  const roles = Array.from({ length: 3_000 }, (_, n) => ({
    name: `r${n}`,
    ...(n > 0 && { extends: `r${n - 1}` }),
  }));
  const body = {
    roles,
    connections: [{ repeat: 5_000, key_id: 'c{n}' }],
    connected_accounts: [{ repeat: 5_000, connector: 'c{n}', identifier: 'one' }],
  };
  const problems = (test: object) =>
    problemsOf(() =>
      loadScenario({ environments: { test } }, { fixturesDir, workingDirectory: fixturesDir }),
    );
  expect(problems(body)).toEqual([]);
  const circle = { roles: [{ ...roles[0], extends: 'r2999' }, ...roles.slice(1)] };
  expect(problems(circle)).toHaveLength(101);
});
