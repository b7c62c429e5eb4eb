/** All faults in one run, whatever their kinds and files, and none that only follows from another (interface.md). */
import { expect, test } from '@jest/globals';
import { mergeState } from '../../src/scenario/change.ts';
import { faultsOf, faultsWith, load, loadFiles, loadFixture } from './files.ts';

/** `LINE:COL PATH` of each line. */
const placesOf = (lines: readonly string[]): string[] =>
  lines.map((line) => line.replace(/^main\.yaml:(\d+:\d+): ([^:]*): .*$/, '$1 $2'));

const onlyMessages = (lines: readonly string[]): string[] =>
  lines.map((line) => line.replace(/^[^ ]+ ([^:]+: )?/, ''));

test('faults of every kind are told in one run, each once, in the order of the file', () => {
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
      - { connector: mial, identifier: a, status: ACTVE, token_expires_at: soon }
      - { connector: mail, identifier: b, user_id: ada@acme.tset }
  two:
    clients: [{ client_id: same, client_secret: s }]
    conections: []
`;
  const faults = faultsOf(() => load(text));
  expect(placesOf(faults)).toEqual([
    '4:17 environments.one.settings.hostd',
    '7:17 environments.one.organizations[1].name',
    '10:25 environments.one.connections[0].statsu',
    '12:18 environments.one.users[0].email',
    '14:22 environments.one.users[1].create_time',
    '16:32 environments.one.users[1].memberships[0].organization_id',
    '16:54 environments.one.users[1].memberships[0].roles[1]',
    '16:80 environments.one.users[1].memberships[0].membership_status',
    '18:22 environments.one.connected_accounts[0].connector',
    '18:51 environments.one.connected_accounts[0].status',
    '18:76 environments.one.connected_accounts[0].token_expires_at',
    '19:52 environments.one.connected_accounts[1].user_id',
    '21:28 environments.two.clients[0].client_id',
    '22:5 environments.two.conections',
  ]);
  expect(faults[5]).toContain('there is no organization "acmee". Did you mean "acme"?');
  expect(faults[11]).toContain('there is no user "ada@acme.tset". Did you mean "ada@acme.test"?');
});

test('all references of a row are told at once, whichever of them leads nowhere', () => {
  const faults = faultsWith(`
organizations: [{ name: acme }]
roles: [{ name: admin }, { name: owner, extends: [admin, ownr] }]
connections: [{ key_id: mail, organization_id: acm }]
users:
  - { memberships: [{ organization_id: acmee, roles: [admn] }] }
  - { email: a@b.test, user_profile: { external_identities: [{ connection_id: mael }] } }
connected_accounts: [{ connector: mial, identifier: a, organization_id: acmee, user_id: b@b.test }]`);
  expect(onlyMessages(faults).map((fault) => fault.replace(/"\..*$/, '"'))).toEqual([
    'there is no role "ownr"',
    'there is no organization "acm"',
    'a user needs an email',
    'there is no organization "acmee"',
    'there is no role "admn"',
    'there is no connection "mael"',
    'there is no connection "mial"',
    'there is no organization "acmee"',
    'there is no user "b@b.test"',
  ]);
});

test.each([
  ['misspelled', 'users: [{ »emial: a@b.test }]', 'user_id: a@b.test'],
  ['of the wrong form', 'users: [{ email: »[a@b.test] }]', 'user_id: a@b.test'],
  ['not allowed', 'users: [{ email: »ada at b.test }]', 'user_id: ada at b.test'],
  ['of a list that is none', 'users: »{ a@b.test: {} }', 'user_id: a@b.test'],
  ['of a list that is misspelled', '»user: [{ email: a@b.test }]', 'user_id: a@b.test'],
  [
    'repeated an unknown number of times',
    'users: [{ repeat: »many, email: "a{n}@b.test" }]',
    'user_id: a7@b.test',
  ],
  ['of a row without a place', 'users: [»a@b.test]', 'user_id: a@b.test'],
])('a row whose name is %s is not called missing by those who name it', (_, section, reference) => {
  const faults = faultsWith(`
connections: [{ key_id: mail }]
${section.replace('»', '')}
connected_accounts: [{ connector: mail, identifier: a, ${reference} }]`);
  expect(placesOf(faults).map((place) => place.split(' ')[0])).toEqual([`4:${section.indexOf('»') + 5}`]);
});

test('where no name is near, those that people gave are listed', () => {
  const faults = faultsWith('roles: [{ name: admin }, { name: member, extends: [nobody] }]');
  expect(onlyMessages(faults)).toEqual(['there is no role "nobody". There are admin, member.']);
});

test('a row that could not be built is not called missing by those who name it', () => {
  const faults = faultsWith(`
connections: [{ key_id: mail }]
connected_accounts: [{ connector: mial, identifier: a }]
authorization_links: [{ account: mial/a }, { account: mail/b }]`);
  expect(onlyMessages(faults)).toEqual([
    'there is no connection "mial". Did you mean "mail"?',
    'there is no account "mail/b".',
  ]);
});

test('what follows from a faulty member is judged once that is right', () => {
  const faults = faultsWith(`
settings: { invite_ttl: long }
organizations: [{ name: acme, dispaly_name: Acme Inc }]
connections: [{ key_id: crm, type: API_KEE }]
connected_accounts:
  - { connector: crm, identifier: a, authorization_type: API_KEY, authorization_details: { static_auth: { details: { key: k } } } }
  - { connector: crm, identifier: b, status: EXPIRD, standing: ACTIVE }
users:
  - email: a@b.test
    memberships: [{ organization_id: acme, display_name: Acme Inc, membership_status: PENDING_INVITE, created_at: -20d }]`);
  expect(placesOf(faults).map((place) => place.split(' ')[1]?.replace('environments.test.', ''))).toEqual([
    'settings.invite_ttl',
    'organizations[0].dispaly_name',
    'connections[0].type',
    'connected_accounts[1].status',
  ]);
});

test('faults of a file and of those it extends come together, sorted by file', () => {
  const base = `environments:
  test:
    organizations: [{ name: acme }, { nme: globex }]
    connections: [{ key_id: mail }]
    connected_accounts: [{ connector: mial, identifier: a }]
`;
  const main = `extends: ./base.yaml
environments:
  test:
    users: [{ email: a@b.test, memberships: [{ name: acmee }, { name: globex }] }]
    connected_accounts: [{ connector: mail, identifier: b, status: 7 }]
`;
  expect(faultsOf(() => loadFiles({ 'main.yaml': main, 'base.yaml': base }))).toEqual([
    expect.stringMatching(/^base\.yaml:3:39: .*organizations\[1\]\.nme: there is no member "nme"/),
    expect.stringMatching(/^base\.yaml:5:39: .*there is no connection "mial"\. Did you mean "mail"\?/),
    expect.stringMatching(/^main\.yaml:4:54: .*there is no organization "acmee"\. Did you mean "acme"\?/),
    expect.stringMatching(/^main\.yaml:5:68: .*status: 7 must be one of ACTIVE/),
  ]);
});

test('a text that is no YAML is told beside the faults of the files around it, which may name what it holds', () => {
  const files = {
    'main.yaml': `extends: [./broken.yaml, ./gone.yaml]
environments:
  test:
    connections: [{ key_id: mail }]
    conections: []
`,
    'broken.yaml': `extends: ./base.yaml
environments: { test: { organizations: [{ name: acme }] } } }
`,
    'base.yaml': 'environments: { test: { users: [{ emial: a@b.test, memberships: [{ name: acme }] }] } }\n',
  };
  expect(faultsOf(() => loadFiles(files)).map((line) => line.replace(/ environments.*/, ''))).toEqual([
    'base.yaml:1:35:',
    expect.stringMatching(/^broken\.yaml:\d:\d+: /),
    'main.yaml:1:26: extends[1]: there is no file gone.yaml',
    'main.yaml:5:5:',
  ]);
});

test('beside a text that is no YAML a name that it does not hold is unknown all the same', () => {
  const files = {
    'main.yaml': `extends: ./broken.yaml
environments: { test: { connected_accounts: [{ connector: mial, identifier: a }, { connector: crm, identifier: a }] } }
`,
    'broken.yaml': 'environments: { test: { connections: [{ key_id: crm }] } } }\n',
  };
  expect(faultsOf(() => loadFiles(files))).toEqual([
    expect.stringMatching(/^broken\.yaml/),
    expect.stringMatching(/^main\.yaml:2:59: .*there is no connection "mial"/),
  ]);
});

test('a row is not missed for removal where it could not be read', () => {
  const files = {
    'main.yaml': `extends: ./base.yaml
environments:
  test:
    organizations: [{ name: acme, remove: true }, { nme: globex, remove: true }, { name: other, remove: true }]
`,
    'base.yaml': 'environments: { test: { organizations: [{ nme: acme }, { name: globex }] } }\n',
  };
  expect(onlyMessages(faultsOf(() => loadFiles(files)))).toEqual([
    expect.stringContaining('there is no member "nme" here'),
    expect.stringContaining('there is no member "nme" here'),
    'there is no such row to remove',
  ]);
});

test('a list that stands twice is told once, and what its second writing holds is not called missing', () => {
  const faults = faultsWith(`
connections: [{ key_id: mail }]
users: []
connections: [{ key_id: crm }]
connected_accounts: [{ connector: crm, identifier: a }, { connector: crn, identifier: a, status: no }]`);
  expect(onlyMessages(faults)).toEqual([
    'stands twice; leave one out',
    expect.stringContaining('there is no connection "crn"'),
    expect.stringContaining('"no" must be one of'),
  ]);
});

test('of very many faults two hundred are told, and how many more there are', () => {
  const rows = Array.from({ length: 1_000 }, (_, nth) => `- { emial: user-${nth}@b.test }`);
  const faults = faultsWith(`users:\n${rows.join('\n')}\nconnected_accounts: [{ connector: mial }]`);
  expect(faults).toHaveLength(201);
  expect(faults.at(-1)).toBe('and 800 more');
});

test('PATCH tells all faults of its body at once, of whatever kind, and changes nothing', () => {
  const [environment] = loadFixture('default').environments;
  if (!environment) throw new Error('no environment');
  const body = {
    users: [{ email: 'a@b.test', memberships: [{ name: 'acmee' }], metadata: { ab: 'x' } }],
    connected_accounts: [{ connector: 'mial', identifier: 'a', status: 'ACTVE' }],
  };
  const faults = faultsOf(() => mergeState(environment, body, { now: 0, start: 0 }));
  expect(faults.map((line) => line.split(':')[0]).sort()).toEqual([
    'connected_accounts[0].connector',
    'connected_accounts[0].status',
    'users[0].memberships[0].name',
    'users[0].metadata.ab',
  ]);
});
