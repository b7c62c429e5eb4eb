/** Harmful scenarios, and harmless ones that look harmful: prototype names, YAML bombs, file paths sent over HTTP. */
import { expect, test } from '@jest/globals';
import { allRows } from '../../../src/engine/core/table.ts';
import { fixturesDir, load, loadFiles, loadScenario, problemsOf, stateOf, stateWith } from './files.ts';

test('a call over the network can load and extend only scenarios of the fixtures folder', () => {
  const places = { fixturesDir, workingDirectory: fixturesDir, onlyFixtures: true };
  for (const named of ['../package.json', '/etc/hosts', './default.yaml', 'default.yaml']) {
    const refused = [`"${named}" is a path; only names of scenarios in the fixtures folder can be used here`];
    expect(problemsOf(() => loadScenario(named, places))).toEqual(refused);
    expect(problemsOf(() => loadScenario({ extends: named }, places))).toContain(`extends: ${refused}`);
    const nested = { extends: [{ extends: named }], environments: { a: {} } };
    expect(problemsOf(() => loadScenario(nested, places))).toEqual([`extends[0].extends: ${refused}`]);
  }
  expect(loadScenario('default', places).name).toBe('default');
  expect(problemsOf(() => loadScenario('defalt', places))).toEqual([
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
  expect(problemsOf(() => loadFiles({ 'main.json': text }, {}, './main.json'))).toContainEqual(
    'main.json:1:42: environments.a.settings.__proto__: the name __proto__ cannot be used; choose another name',
  );
  for (const yaml of ['__proto__: {polluted: 1}', 'a: &x {polluted: 1}\n__proto__: *x'])
    expect(problemsOf(() => load(yaml)).join()).toContain('__proto__');
  expect(
    problemsOf(() => loadScenario(JSON.parse(text), { fixturesDir, workingDirectory: fixturesDir })),
  ).toContainEqual(
    'environments.a.settings.__proto__: the name __proto__ cannot be used; choose another name',
  );
});

test.each([
  [
    'aliases that multiply',
    [
      'a: &a [x]',
      ...'bcdefg'.split('').map((name, nth) => `${name}: &${name} [${Array(10).fill(`*${'abcdef'[nth]}`)}]`),
    ].join('\n'),
    'aliases add more than 10000 values',
  ],
  ['an alias of itself', 'a: &a [*a]\n', 'is nested deeper than 210 levels'],
  ['deep nesting', `a: ${'['.repeat(300)}${']'.repeat(300)}\n`, 'is nested deeper than 210 levels'],
  [
    'nesting that would overflow the stack of the parser',
    `a: ${'['.repeat(100_000)}`,
    'is nested deeper than 210 levels',
  ],
  ['a name that is repeated very often', 'a: 1\n'.repeat(150_000), 'this name appears twice'],
  ['a file of 9 MiB', `# ${'x'.repeat(9 * 2 ** 20)}`, 'is larger than 8 MiB'],
])('a YAML bomb is refused: %s', (_, text, problem) => {
  expect(problemsOf(() => load(text))).toContainEqual(expect.stringContaining(problem));
});

test('a scenario object is copied, and refused if it holds more than plain data', () => {
  const places = { fixturesDir, workingDirectory: fixturesDir };
  const settings = { post_user_verify_redirect_url: 'http://localhost/done' };
  const scenario = {
    environments: { a: { users: [{ email: 'a@b.test', metadata: { team: 'core' } }], settings } },
  };
  const [user] = allRows(stateOf(loadScenario(scenario, places)).users);
  for (const row of scenario.environments.a.users) row.metadata.team = 'changed';
  expect(user?.metadata).toEqual({ team: 'core' });
  expect(loadScenario(scenario, places)).toMatchObject({ name: 'object', description: '', files: [] });
  expect(problemsOf(() => loadScenario({ environments: { a: () => 1 } }, places))).toEqual([
    'the scenario contains a function or some other value that is not plain data',
  ]);
});
