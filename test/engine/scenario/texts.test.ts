/** Checks before the content of a scenario: a regular file, UTF-8, valid JSON or YAML, and limits of size. */

import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { instantAt } from '../../../src/engine/core/moment.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { loadFiles, loadScenario, mergeState, packaged, problemsOf } from './files.ts';

const jsonProblems = (text: string): string[] =>
  problemsOf(() => loadFiles({ 'main.json': text }, {}, './main.json'));

test.each([
  ['{ "environments": {\n "a": { "users": [ } } }', '2:20: Flow sequence in block collection must be'],
  ['{ "a": 1, "client_secret": s3cret,\n "b": "x" "y-secret" }', '2:11: Unexpected double-quoted-scalar'],
])('the problem of a broken JSON file names the place, and does not show the content: %j', (text, problem) => {
  const [first = ''] = jsonProblems(text);
  expect(first).toContain(`main.json:${problem}`);
  expect(first).not.toContain('secret');
});

test('a name that appears twice in a JSON object causes a problem at its second occurrence', () => {
  const text = '{ "environments": { "a": { "users": [], "organizations": [],\n "users": [] } } }';
  expect(jsonProblems(text)).toEqual(['main.json:2:2: this name appears twice; remove one']);
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

test('a file may begin with a byte order mark, and a .JSON file is JSON', () => {
  const text = '\uFEFF{ "environments": { "a": { "nme": 1 } } }';
  expect(problemsOf(() => loadFiles({ 'main.json': text }, {}, './main.json'))).toEqual([
    expect.stringContaining('main.json:1:28: environments.a.nme: is not a known member'),
  ]);
  expect(problemsOf(() => loadFiles({ 'main.JSON': '{} // why' }, {}, './main.JSON'))).toEqual([
    expect.stringContaining('main.JSON:1:4: JSON has no comments'),
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

test.each([
  [
    'rows',
    {
      organizations: [{ repeat: 40_000, name: 'a{n}' }],
      roles: [{ name: 'b' }, { repeat: 20_000, name: 'b{n}' }],
    },
    'roles[1].repeat: brings the total to more than 50000 rows; send fewer, or serve them from a scenario file',
  ],
  [
    'rows inside of rows',
    { users: [{ repeat: 5_000, email: 'u{n}@b.test', memberships: Array(10).fill({ name: 'acme' }) }] },
    'users[0].repeat: brings the total to more than 50000 rows',
  ],
  [
    'characters',
    { organizations: [{ repeat: 50_000, name: '{n}'.repeat(600) }] },
    'organizations[0].repeat: brings the total to more than 33554432 characters',
  ],
  [
    'items that are not rows',
    { connected_accounts: Array(50_001).fill(1) },
    'connected_accounts[50000]: brings the total to more',
  ],
])('a PATCH body with too many %s is refused', (_, body, problem) => {
  const environment = packaged('empty');
  const problems = problemsOf(() => mergeState(environment, body, instantAt(0, 0)));
  expect(problems).toEqual([expect.stringContaining(problem)]);
});

test('a scenario in a request has the limits of a PATCH body, unless its caller read it from a file', () => {
  const problems = (size: number, more: object) => {
    const api_config = Object.fromEntries(Array.from({ length: size }, (_, n) => [`k${n}`, n]));
    const connected_accounts = [{ connector: 'mail', identifier: 'a', api_config }];
    const scenario = { environments: { a: { connections: [{ key_id: 'mail' }], connected_accounts } } };
    return problemsOf(() => loadScenario(scenario, { fixturesDir: '.', workingDirectory: '.', ...more }));
  };
  expect(problems(20_001, { onlyFixtures: true })).toEqual([
    'environments.a.connected_accounts[0].api_config: contains more than 20000 values; send fewer',
  ]);
  expect(problems(20_000, { onlyFixtures: true })).toEqual([]);
  expect(problems(20_001, { onlyFixtures: true, isFromFile: true })).toEqual([]);
  expect(problems(20_001, {})).toEqual([]);
});

test('a scenario in the fixtures folder replaces only the packaged scenario of the same name', () => {
  const own = { 'default.yaml': 'description: mine\nextends: empty\n' };
  const loaded = loadFiles(own, {}, 'default');
  expect([loaded.description, loaded.environments.length]).toEqual(['mine', 2]);
});
