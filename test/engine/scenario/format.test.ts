/** What the scenario format means: extends, repeat, times, references and generated values. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { loadControlContract } from '../../../src/engine/control/control-document.ts';
import { absolute, fromStart, instantAt } from '../../../src/engine/core/moment.ts';
import { valueAt } from '../../../src/engine/core/object.ts';
import { allRows } from '../../../src/engine/core/table.ts';
import { inlineScenario, ownFiles } from '../../../src/engine/scenario/scenario-files.ts';
import { readScenario } from '../../../src/engine/scenario/scenario-text.ts';
import { scenarioSchema } from '../../../src/engine/scenario/schema.ts';
import { formatTime, parseTime, timesAt } from '../../../src/engine/scenario/times.ts';
import { service } from '../../../src/service/index.ts';
import { DAY } from '../../support/core.ts';
import { temporaryFolder } from '../../support/folder.ts';
import {
  firstOf,
  fixturesDir,
  type Loaded,
  load,
  loadFiles,
  loadFixture,
  problemsOf,
  stateOf,
  stateWith,
} from './files.ts';

test('the committed JSON schema of scenarios is up to date with the contract', () => {
  const committed: unknown = JSON.parse(readFileSync(join(fixturesDir, 'scenario.schema.json'), 'utf8'));
  expect(committed).toEqual(
    JSON.parse(JSON.stringify(scenarioSchema(service, loadControlContract().document))),
  );
});

test('maps that merge each other have all members, and adding too many members is refused', () => {
  const layers = Array.from({ length: 6 }, (_, n) => `  - &m${n + 1} { <<: [*m${n}, *m${n}], k${n}: 1 }`);
  const { value } = readScenario(['a:', '  - &m0 { k: 1 }', ...layers].join('\n'));
  expect(Object.keys(Object(valueAt(value, 'a', 6)))).toHaveLength(7);
  const wide = Array.from({ length: 1_000 }, (_, n) => `k${n}: 1`).join(', ');
  const users = Array.from({ length: 101 }, () => '  - { <<: *wide }');
  expect(readScenario(['a:', `  - &wide { ${wide} }`, ...users].join('\n')).problems).toEqual([
    { line: 103, column: 5, message: 'merge keys add more than 100000 members' },
  ]);
});

test.each([
  ['now', fromStart(0)],
  ['-3d', fromStart(-3 * 86_400_000)],
  ['+15m', fromStart(15 * 60_000)],
  ['+2h30m', fromStart(150 * 60_000)],
  ['2026-01-15T09:30:00.000Z', absolute(Date.UTC(2026, 0, 15, 9, 30))],
])('the time %s is read, and written in the same form', (text, moment) => {
  expect(parseTime(text)).toEqual(moment);
  expect(formatTime(moment)).toBe(text);
});

test('a time that is more than a hundred years away is not written as a distance', () => {
  const relative = timesAt(instantAt(0, 0), true);
  expect(relative(absolute(Date.UTC(2069, 0, 1)))).toMatch(/^\+\d+d$/);
  expect(relative(absolute(Date.UTC(2071, 0, 1)))).toBe('2071-01-01T00:00:00.000Z');
});

test('behaviour I1: generated ids are higher than all ids in the file', () => {
  const rows = '[{ name: x }, { id: "org_50000000000000000{n}", name: "y{n}", repeat: 2 }, { name: z }]';
  const { organizations } = stateOf(load(`environments: { a: { organizations: ${rows} } }`));
  const [x = '', y1 = '', y2 = '', z = ''] = [...organizations.rows.values()].map(({ id }) => id);
  expect([y1, y2, x, z]).toEqual([x, y1, y2, z].sort());
  const people = '[{ email: a@b.test }, { email: b@b.test, user_profile: { id: usp_500000000000000000 } }]';
  const { environments } = load(
    `environments: { a: { users: ${people} }, b: { id: env_500000000000000000 } }`,
  );
  const [a, b] = environments;
  const [first, second] = Array.from(a?.state.users.rows.values() ?? [], (user) => user.user_profile?.id);
  expect([second, first]).toEqual([first, second].sort());
  expect([b?.id, a?.id]).toEqual([a?.id, b?.id].sort());
});

test('seed, clock and settings of the caller override the file, and a running clock can start at a given time', () => {
  const text = (clock: string) =>
    `seed: 3\nclock: ${clock}\nenvironments: { a: { settings: { strict: true, hosted: deny } } }`;
  const own = load(text('2026-01-01T00:00:00Z'));
  expect([own.seed, firstOf(own).clock]).toEqual([3, { mode: 'frozen', now: Date.UTC(2026, 0, 1) }]);
  const given = { seed: 4, clock: '2027-01-01T00:00:00Z', settings: { strict: false } };
  const asked = load(text('{ mode: running, now: 2026-01-01T00:00:00Z }'), given);
  expect([asked.seed, firstOf(asked).clock]).toEqual([4, { mode: 'frozen', now: Date.UTC(2027, 0, 1) }]);
  expect(firstOf(asked).settings).toMatchObject({ strict: false, hosted: 'deny' });
  const running = load(text('{ mode: running, now: 2026-01-01T00:00:00Z }'));
  expect(firstOf(running).clock).toEqual({ mode: 'running', now: Date.UTC(2026, 0, 1) });
  const both = load(
    'clock: 2026-01-01T00:00:00Z\nenvironments: { a: { clock: 2027-01-01T00:00:00Z }, b: {} }',
  );
  expect(both.environments.map(({ clock }) => clock.now)).toEqual([
    Date.UTC(2027, 0, 1),
    Date.UTC(2026, 0, 1),
  ]);
});

// Harmful scenarios, and harmless ones that look harmful: prototype names, YAML bombs, file paths sent over HTTP.

test('a call over the network can load and extend only scenarios of the fixtures folder', () => {
  const loadByCall = (from: string | object) => loadFixture(from, { onlyFixtures: true });
  for (const named of ['../package.json', '/etc/hosts', './default.yaml', 'default.yaml']) {
    const refused = [`"${named}" is a path; only names of scenarios in the fixtures folder can be used here`];
    expect(problemsOf(() => loadByCall(named))).toEqual(refused);
    expect(problemsOf(() => loadByCall({ extends: named }))).toContain(`extends: ${refused}`);
    const nested = { extends: [{ extends: named }], environments: { a: {} } };
    expect(problemsOf(() => loadByCall(nested))).toEqual([`extends[0].extends: ${refused}`]);
  }
  expect(loadByCall('default').name).toBe('default');
  expect(problemsOf(() => loadByCall('defalt'))).toEqual([
    'there is no scenario "defalt". Did you mean "default"?',
  ]);
  const own = { 'own.yaml': 'extends: ./base.yaml\n', 'base.yaml': 'environments: { a: {} }\n' };
  expect(loadFiles(own, { onlyFixtures: true }, 'own').environments).toHaveLength(1);
});

test('behaviour T10: names that every JavaScript object has, such as constructor, are ordinary data', () => {
  const state = stateWith(`
connections: [{ key_id: constructor }]
connected_accounts: [{ connector: constructor, identifier: toString, api_config: { <<: { constructor: 1 }, hasOwnProperty: 2 } }]`);
  const [account] = allRows(state.connected_accounts);
  expect(account).toMatchObject({ connector: 'constructor', identifier: 'toString' });
  expect(Object.entries(account?.api_config ?? {})).toEqual([
    ['hasOwnProperty', 2],
    ['constructor', 1],
  ]);
});

test('behaviour T10: __proto__ is refused in files and in scenario objects', () => {
  const text = '{ "environments": { "a": { "settings": { "__proto__": {} } } } }';
  const problem = 'environments.a.settings.__proto__: the name __proto__ cannot be used; choose another name';
  const inFile = problemsOf(() => loadFiles({ 'main.json': text }, {}, './main.json'));
  expect(inFile).toContainEqual(`main.json:1:42: ${problem}`);
  expect(problemsOf(() => loadFixture(JSON.parse(text)))).toContainEqual(problem);
  for (const yaml of ['__proto__: {polluted: 1}', 'a: &x {polluted: 1}\n__proto__: *x'])
    expect(problemsOf(() => load(yaml)).join()).toContain('__proto__');
});

const LAYERS = [...'abcdef'].map(
  (name, nth) => `${'bcdefg'[nth]}: &${'bcdefg'[nth]} [${Array(10).fill(`*${name}`)}]`,
);

test.each([
  ['aliases that multiply', ['a: &a [x]', ...LAYERS].join('\n'), 'aliases add more than 10000 values'],
  ['an alias of itself', 'a: &a [*a]\n', 'is nested deeper than 210 levels'],
  ['deep nesting', `a: ${'['.repeat(300)}${']'.repeat(300)}\n`, 'is nested deeper than 210 levels'],
  ['nesting beyond the stack of the parser', `a: ${'['.repeat(100_000)}`, 'is nested deeper than 210 levels'],
  ['a name that is repeated very often', 'a: 1\n'.repeat(30_000), 'this name appears twice'],
  ['a file of 9 MiB', `# ${'x'.repeat(9 * 2 ** 20)}`, 'is larger than 8 MiB'],
])('a YAML bomb is refused: %s', (_, text, problem) => {
  expect(problemsOf(() => load(text))).toContainEqual(expect.stringContaining(problem));
});

test('a scenario object is copied, and refused if it holds more than plain data', () => {
  const settings = { post_user_verify_redirect_url: 'http://localhost/done' };
  const scenario = {
    environments: { a: { users: [{ email: 'a@b.test', metadata: { team: 'core' } }], settings } },
  };
  const [user] = allRows(stateOf(loadFixture(scenario)).users);
  for (const row of scenario.environments.a.users) row.metadata.team = 'changed';
  expect(user?.metadata).toEqual({ team: 'core' });
  expect(loadFixture(scenario)).toMatchObject({ name: 'object', description: '', files: [] });
  expect(problemsOf(() => loadFixture({ environments: { a: () => 1 } }))).toEqual([
    'the scenario contains a function or some other value that is not plain data',
  ]);
});

// What `extends` means: later files add to, change and remove what earlier files say.

const namesIn = (loaded: Loaded): readonly string[] =>
  Array.from(allRows(stateOf(loaded).organizations), ({ name, display_name }) => `${name} ${display_name}`);

test('later files override, remove and restore rows of earlier files, by environment name and natural key', () => {
  const file = (rows: string, more = '') => `environments: { a: { organizations: [${rows}] }${more} }`;
  const loaded = loadFiles({
    'one.yaml': file(
      '{ name: acme, display_name: One }, { name: globex }, { name: again, display_name: Old }',
    ),
    'two.json': JSON.stringify(
      parse(file('{ name: acme, display_name: Two }, { name: again, remove: true }', ', b: {}')),
    ),
    'main.yaml': `extends: [one, two]\n${file('{ name: globex, remove: true }, { name: again }')}`,
  });
  expect(loaded.environments.map(({ name }) => name)).toEqual(['a', 'b']);
  expect(namesIn(loaded)).toEqual(['acme Two', 'again Again']);
  expect(loaded.files.map((file) => basename(file)).sort()).toEqual(['main.yaml', 'one.yaml', 'two.json']);
});

test('a row with the name of an earlier row and another id takes the place of that row', () => {
  const file = (id: string) => `environments: { a: { organizations: [{ id: ${id}, name: acme }] } }`;
  const loaded = loadFiles({ 'base.yaml': file('org_1'), 'main.yaml': `extends: base\n${file('org_2')}` });
  expect([...stateOf(loaded).organizations.positions.keys()]).toEqual(['org_2']);
});

test('a file that two other files extend is applied once, before both', () => {
  const organization = (name: string) =>
    `environments: { a: { organizations: [{ name: acme, display_name: ${name} }] } }`;
  const loaded = loadFiles({
    'base.yaml': `description: base\n${organization('Base')}`,
    'left.yaml': `extends: base\n${organization('Left')}`,
    'right.yaml': 'extends: base\n',
    'main.yaml': 'extends: [left, right]\n',
  });
  expect([namesIn(loaded), loaded.description]).toEqual([['acme Left'], '']);
});

test('memberships of one organization are merged, even if one file gives its name and another its id, and profiles are merged field by field', () => {
  const base = `environments: { a: {
    organizations: [{ id: org_1, name: acme }],
    users: [{ email: a@b.test, user_profile: { given_name: Ada }, memberships: [{ name: acme, metadata: { team: core } }] }] } }`;
  const over = `extends: base
environments: { a: { users: [{ email: A@B.test, user_profile: { locale: en },
    memberships: [{ organization_id: org_1, membership_status: INACTIVE }] }] } }`;
  const state = stateOf(loadFiles({ 'base.yaml': base, 'main.yaml': over }));
  const memberships = [...allRows(state.memberships)];
  expect(memberships).toHaveLength(1);
  expect(memberships[0]).toMatchObject({ stored_status: 'INACTIVE', metadata: { team: 'core' } });
  expect([...allRows(state.users)][0]?.user_profile).toMatchObject({ given_name: 'Ada', locale: 'en' });
});

test('settings and access tokens of all files add up, and the last file with a seed, clock or id decides', () => {
  const base = `description: Base
seed: 5
clock: 2026-01-01T00:00:00Z
environments:
  b: { clock: { mode: frozen, now: 2026-03-01T00:00:00Z }, access_tokens: [b] }
  a: { id: env_base, settings: { invite_ttl: 1d, hosted: deny }, access_tokens: [one, two] }`;
  const main = `extends: [./base.yaml]
seed: 6
environments: { a: { id: env_main, settings: { hosted: approve }, access_tokens: [two, three] }, c: {} }`;
  const files = { 'base.yaml': base, 'main.yaml': main };
  const { name, description, seed, environments } = loadFiles(files);
  const [january, march] = [Date.UTC(2026, 0, 1), Date.UTC(2026, 2, 1)];
  expect({ name, description, seed }).toEqual({ name: './main.yaml', description: '', seed: 6 });
  expect(environments.map((each) => [each.name, each.clock.now, each.state.access_tokens])).toEqual([
    ['b', march, ['b']],
    ['a', january, ['one', 'two', 'three']],
    ['c', january, []],
  ]);
  expect(environments[1]).toMatchObject({ id: 'env_main', settings: { hosted: 'approve', invite_ttl: DAY } });
  const later = { ...files, 'main.yaml': main.replace('seed: 6', 'clock: 2026-03-01T00:00:00Z') };
  expect(loadFiles(later)).toMatchObject({ seed: 5, environments: [{}, { clock: { now: march } }, {}] });
});

test('a scenario can be named with its fixtures folder before it, or by a path beside the file that extends it', () => {
  const row = 'environments: { a: { organizations: [{ name: x, display_name: Yml }] } }';
  const files = { 'own.yml': row, 'own.json': '{}', 'other.json': '{ "extends": "./own.yml" }' };
  for (const named of ['own', './own.yml', ['other'], { extends: 'own' }])
    expect(namesIn(loadFiles({ ...files, 'main.yaml': JSON.stringify({ extends: named }) }))).toEqual([
      'x Yml',
    ]);
});

const folderWith = (files: Readonly<Record<string, string>>): string => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'inner'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
};

test('of the default files of a folder the first is ca-mock.yaml, then .yml, then .json', () => {
  const names = ['ca-mock.yaml', 'ca-mock.yml', 'ca-mock.json'];
  const folder = folderWith(Object.fromEntries([...names, 'ca-mock.txt'].map((name) => [name, ''])));
  expect(ownFiles(folder).map((file) => basename(file))).toEqual(names);
});

test('a scenario for a remote mock holds all that it extends, in order, without their names; paths count from the folder of their file', () => {
  const folder = folderWith({
    'one.yaml': 'seed: 1\nextends: ./inner/deep.yaml',
    'inner/deep.yaml': 'seed: 0\nextends: [./deeper.yaml, ../three.yaml]',
    'inner/deeper.yaml': 'seed: 4',
    'two.yaml': 'seed: 2',
    'three.yaml': 'seed: 5',
    'main.yaml': 'extends: [one, ./two.yaml]\nseed: 3\nenvironments: { a: {} }',
  });
  const inlined = inlineScenario(service, join(folder, 'main.yaml'));
  const extended = [4, 5, 0, 1, 2].map((seed) => ({ seed }));
  expect(inlined).toEqual({ seed: 3, environments: { a: {} }, extends: extended });
});
