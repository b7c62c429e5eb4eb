/** What `extends` means: later files add to, change and remove what earlier files say. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { allRows } from '../../../src/engine/core/table.ts';
import { inlineScenario, ownFiles } from '../../../src/engine/scenario/scenario-files.ts';
import { service } from '../../../src/service/index.ts';
import { DAY } from '../../support/core.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { type Loaded, loadFiles, stateOf } from './files.ts';

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
