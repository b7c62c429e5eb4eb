/** Mistakes in a scenario file as a whole. In the cases, `»` marks the place that the problem must name. */

import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { instantAt } from '../../../src/engine/core/moment.ts';
import { rowsOf } from '../../support/core.ts';
import { temporaryFolder } from '../../support/folder.ts';
import {
  load,
  loadFiles,
  loadScenario,
  mergeState,
  packaged,
  problemsOf,
  problemsWith,
  readMark,
} from './files.ts';

/** A file in one line, in which `; ` stands for a line end, and the problem. */
const LINES = `
environments: { test: { users: [{ repeat: 2, email: user-»{n}@acme.test }] } } => a string with {...} must be quoted here, for example "user-{n}@acme.test"
environments: { test: { stubs: [{ method: GET, path: /x/»{name}, body: {} }, { method: GET, path: /y, body: {} }] } } => a string with {...} must be quoted here, for example "user-{n}@acme.test"
environments: {; » => Flow map in block collection must be sufficiently indented and end with a }
environments: { test: {} }; »---; environments: { other: {} } => a second document begins here, but a file may hold only one
environments: { test: { »conections: [] } } => environments.test.conections: is not a known member. Did you mean "connections"?
environments: { »current: {} } => environments.current: the key "current" of environments must be a name of up to 63 letters, digits, "-" and "_" that begins with a letter or a digit, and not "current"
environments: { one: { users: [{ repeat: 999999, email: 'a{n}@b.test' }] }, two: { users: [{ email: a@b.test }, { repeat: »2, email: 'b{n}@b.test' }] } } => environments.two.users[1].repeat: brings the total to more than 1000000 rows
environments: { test: {} }; »users: [] => users: users belongs below an environment: write it below environments.development
environments: { test: {} }; »settings: { strict: true } => settings: settings belongs below an environment: write it below environments.development
environments: { test: {} }; »access_tokens: [dev-token] => access_tokens: access_tokens belongs below an environment: write it below environments.development
environments: { test: { faults: [{ operation: createMembership, abort: after, times: 1 }, { operation: listConnections, match: { body: »{ a: 1 } }, status: 503 }] } } => environments.test.faults[1].match.body: Calls of listConnections have no body
environments: { test: »*base, base: &base {} } => this alias needs an anchor &base before it
extends: »nowhere; environments: { test: {} } => extends: there is no scenario "nowhere". The scenarios are agents, default, directory, empty, invitations, large, main, verify-flow. The path of a file begins with ./, / or C:\\.
extends: [»./gone.yaml]; environments: { test: {} } => extends[0]: there is no file gone.yaml
»description: nothing => the scenario needs at least one environment under "environments"
environments: { test: { users: [{ email: a@b.test, metadata: { 100: a, »"100": b } }] } } => this name appears twice; remove one
environments: { test: { users: [{ email: "a@b.test" »"b" }], organizations: [{ name: x }] } } => Unexpected double-quoted-scalar
environments: { a: { clients: »!mine [] } } => Unresolved tag: !mine
environments: { a: { custom_providers: [{ metadata: { n: »-12345678901234567890 } }] } } => -12345678901234567890 is not kept as a number as it is written; write it in quotes
environments: { a: { users: [{ email: a@b.test, external_id: »012345678901234567890 }] } } => 012345678901234567890 is not kept as a number as it is written; write it in quotes
environments: { a: { custom_providers: [{ metadata: { n: »-012 } }] } } => -012 is not kept as a number as it is written; write it in quotes
environments: { a: { custom_providers: [{ metadata: { n: »0x1F } }] } } => 0x1F is not kept as a number as it is written; write it in quotes
environments: { test: { settings: { <<: »5 } } } => the merge key << takes a map, such as the alias *base of an anchor &base, or a list of maps
environments: { test: { stubs: [{ method: GET, path: /a, replies: »[] }] } } => environments.test.stubs[0].replies: is a list, but must have at least 1 item
`;

test.each(
  rowsOf(LINES),
)('behaviour N5, X7: a mistake is reported once, with its file, line and column: %s: %s', (marked, problem) => {
  const { text, place } = readMark(marked.replaceAll('; ', '\n'));
  expect(problemsOf(() => load(text))).toEqual([expect.stringContaining(`main.yaml:${place}: ${problem}`)]);
});

test('files that extend each other in a circle cause a problem at the name that closes the circle', () => {
  const base = 'description: base\nextends: ./main.yaml\nenvironments: { test: {} }\n';
  const files = { 'main.yaml': 'extends: ./base.yaml\n', 'base.yaml': base };
  expect(problemsOf(() => loadFiles(files))).toEqual([
    'base.yaml:2:10: extends: the file extends itself: main.yaml -> base.yaml -> main.yaml',
  ]);
});

test('a problem that only merging reveals names the file that contains the member', () => {
  const base =
    'environments:\n  test:\n    connections: [{ key_id: mail }]\n    connected_accounts: [{ connector: mail, identifier: a, token_expires_at: +1d }]\n';
  const main =
    'extends: ./base.yaml\nenvironments:\n  test:\n    connected_accounts: [{ connector: mail, identifier: a, status: EXPIRED }]\n';
  expect(problemsOf(() => loadFiles({ 'main.yaml': main, 'base.yaml': base }))).toEqual([
    'main.yaml:4:68: environments.test.connected_accounts[0].status: would read ACTIVE after loading, because of other members; write that value, or change those members',
  ]);
});

test('a row that is repeated too often does not hide other mistakes', () => {
  const text =
    'environments: { test: { users: [{ repeat: 100000000, email: "{n}@b.test" }, { emial: a@b.test }] } }';
  expect(problemsOf(() => load(text))).toEqual([
    expect.stringContaining('users[0].repeat: brings the total to more than 1000000 rows'),
    expect.stringContaining('users[1].emial: is not a known member. Did you mean "email"?'),
  ]);
});

// Checks before the content of a scenario: a regular file, UTF-8, valid JSON or YAML, and limits of size.

const jsonProblems = (text: string, file = 'main.json'): string[] =>
  problemsOf(() => loadFiles({ [file]: text }, {}, `./${file}`));

const COMMENT =
  'JSON has no comments; remove this one, or rename the file to .yaml and begin comments with #';

test.each([
  ['{\n  "description": "a // b", // why\n  "environments": { "test": {} } }', `2:28: ${COMMENT}`],
  ['{\n  "description": "a // b", /* why */\n  "environments": { "test": {} } }', `2:28: ${COMMENT}`],
  ['{ "environments": {\n "a": { "users": [ } } }', '2:20: Flow sequence in block collection must be', 2],
  ['{ "a": 1, "client_secret": s3cret,\n "b": "x" "y-secret" }', '2:11: Unexpected double-quoted-scalar'],
  ['{ "environments": { "a": { "users": [],\n "users": [] } } }', '2:2: this name appears twice; remove one'],
  ['\uFEFF{ "environments": { "a": { "nme": 1 } } }', '1:28: environments.a.nme: is not a known member'], // a byte order mark
])('the problem of a JSON file names the place, and does not show a secret: %j', (text, problem, count = 1) => {
  const [first, ...more] = jsonProblems(text);
  expect([first, more.length]).toEqual([expect.stringContaining(`main.json:${problem}`), count - 1]);
  expect([first, ...more].join()).not.toContain('secret');
});

test('a text in JSON may hold the signs of a comment, and a .JSON file is JSON', () => {
  expect(jsonProblems('{ "description": "a // b",\n "environments": { "test": {} } }')).toEqual([]);
  expect(jsonProblems('{} // why', 'main.JSON')).toEqual([`main.JSON:1:4: ${COMMENT}`]);
});

test('a problem in a large JSON file names its line and column', () => {
  const row = (n: number) => JSON.stringify({ name: `name-${n}`, display_name: 'x'.repeat(1_000) });
  const rows = Array.from({ length: 1_100 }, (_, n) => row(n));
  const text = (last: string) => `{"environments":{"a":{"organizations":[${rows.join(',\n')},\n${last}]}}}`;
  expect(jsonProblems(text('{"name":"last"}'))).toEqual([]);
  expect(jsonProblems(text('{"nme":"last"}'))).toEqual([
    expect.stringMatching(/^main\.json:1101:2: .*\.nme: /),
  ]);
});

test('a problem in JSON beyond the limit of YAML names the file and the path', () => {
  const text = JSON.stringify({ environments: { a: { nme: 1 } }, description: 'x'.repeat(9 * 2 ** 20) });
  expect(jsonProblems(text)).toEqual([
    expect.stringMatching(/^main\.json: environments\.a\.nme: is not a known/),
  ]);
});

test.each([
  '',
  '# only a comment\n',
  'null\n',
])('an empty file such as %j causes a problem that says what to write', (text) => {
  expect(problemsOf(() => loadFiles({ 'main.yaml': text }))).toEqual([
    'main.yaml:1:1: is empty; write "environments: { development: {} }" or create a file with "ca-mock init"',
  ]);
});

test('a problem inside an aliased value is reported at the alias', () => {
  const text = 'environments:\n  a: { users: &users [{ email: a@b.test }] }\n  b: { roles: *users }\n';
  expect(problemsOf(() => loadFiles({ 'main.yaml': text }))).toEqual([
    expect.stringMatching(/^main\.yaml:3:15: environments\.b\.roles\[0\]\.email: is not a known member/),
  ]);
});

test('bytes that are not UTF-8, and a path that is not a regular file, cause a problem', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'latin.yaml'), Buffer.from('description: Caf\xe9\n', 'latin1'));
  symlinkSync('/dev/zero', join(folder, 'endless.yaml'));
  const problems = (file: string) =>
    problemsOf(() => loadScenario(file, { fixturesDir: folder, workingDirectory: folder }));
  expect(problems('./latin.yaml')).toEqual(['latin.yaml:1:1: contains bytes that are not UTF-8']);
  expect(problems('./endless.yaml')).toEqual(['endless.yaml:1:1: is not a regular file']);
  expect(problems('./')).toEqual(['"./" is a folder; use the path of a file in it']);
  const outside = join(folder, 'latin.yaml'); // outside of the working directory, messages show the whole path
  const places = { fixturesDir: folder, workingDirectory: join(folder, 'work') };
  expect(problemsOf(() => loadScenario(outside, places))).toEqual([
    `${outside}:1:1: contains bytes that are not UTF-8`,
  ]);
});

const PEOPLE = { repeat: 5_000, email: 'u{n}@b.test', memberships: Array(10).fill({ name: 'acme' }) };
const [SOME, MORE] = [
  { repeat: 40_000, name: 'a{n}' },
  { repeat: 20_000, name: 'b{n}' },
];

test.each([
  [{ organizations: [SOME], roles: [{ name: 'b' }, MORE] }, 'roles[1].repeat', '50000 rows; write fewer'],
  [{ users: [PEOPLE] }, 'users[0].repeat', '50000 rows'],
  [{ roles: [{ repeat: 50_000, name: '{n}'.repeat(6_000) }] }, 'roles[0].repeat', '536870912 characters'],
])('a PATCH body with too many rows, rows inside of rows, or characters is refused', (body, path, most) => {
  const problems = problemsOf(() => mergeState(packaged('empty'), body, instantAt(0, 0)));
  expect(problems).toEqual([expect.stringContaining(`${path}: brings the total to more than ${most}`)]);
});

test('a scenario in the fixtures folder replaces only the packaged scenario of the same name', () => {
  const own = { 'default.yaml': 'description: mine\nextends: empty\n' };
  const loaded = loadFiles(own, {}, 'default');
  expect([loaded.description, loaded.environments.length]).toEqual(['mine', 2]);
});

// Loading reports all mistakes of shape together. Without such mistakes, it reports all mistakes of meaning together.

/** The place of each problem, as `LINE:COL PATH`. */
const placesOf = (text: string): string[] =>
  problemsOf(() => load(text)).map((line) => line.replace(/^main\.yaml:(\d+:\d+): ([^:]*): .*$/, '$1 $2'));

/** A scenario in which `WRONG|RIGHT` stands for mistakes of shape and for what mends them. */
const MANY = `environments:
  one:
    clients: [{ client_id: same, client_secret: s }]
    settings: { hostd|hosted: approve }
    organizations: [{ name: acme }, { name: acme }]
    roles: [{ name: admin }]
    connections: [{ key_id: mail, statsu|status: DRAFT }]
    users:
      - { email: nobody|somebody@acme.test }
      - email: ada@acme.test
        create_time: yesterday|-1d
        memberships: [{ organization_id: acmee, roles: [admin, admn], membership_status: ACTVE|ACTIVE }]
    connected_accounts: [{ connector: mial, identifier: a, token_expires_at: soon|+1h, status: ACTVE|ACTIVE }]
  two:
    clients: [{ client_id: same, client_secret: s }]
    conections|connections: []
`;

test('loading reports all problems of shape, each once and in order; after these are mended, it reports all problems of meaning', () => {
  expect(placesOf(MANY.replaceAll(/\|[^:, \n]+/g, ''))).toEqual([
    '4:17 environments.one.settings.hostd',
    '7:35 environments.one.connections[0].statsu',
    '9:18 environments.one.users[0].email',
    '11:22 environments.one.users[1].create_time',
    '12:90 environments.one.users[1].memberships[0].membership_status',
    '13:78 environments.one.connected_accounts[0].token_expires_at',
    '13:92 environments.one.connected_accounts[0].status',
    '16:5 environments.two.conections',
  ]);
  expect(placesOf(MANY.replaceAll(/\w+\|/g, ''))).toEqual([
    '5:45 environments.one.organizations[1].name',
    '12:42 environments.one.users[1].memberships[0].organization_id',
    '12:64 environments.one.users[1].memberships[0].roles[1]',
    '13:39 environments.one.connected_accounts[0].connector',
    '15:28 environments.two.clients[0].client_id',
  ]);
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
