/** The sources agree with their maps and rules: READMEs of wings, cited rules, one name for one type. */

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { packageRoot } from '../../../src/engine/contract/package-root.ts';

const src = join(packageRoot(), 'src');
const read = (...path: string[]): string => readFileSync(join(src, ...path), 'utf8');
const foldersIn = (folder: string): readonly string[] =>
  readdirSync(join(src, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'public')
    .map(({ name }) => name);
const wings = foldersIn('.').filter((name) => name !== 'guide');

test('the map names every wing', () => {
  const listed = [...read('README.md').matchAll(/^\| \[(\w+)\]/gm)].map(([, name]) => name);
  expect(listed.toSorted()).toEqual(wings.toSorted());
});

test.each(wings)('the README of %s is short, and names every folder with files once', (wing) => {
  const text = read(wing, 'README.md');
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(25);
  const listed = [...text.matchAll(/^\| `([\w/]+)\/` \|/gm)].map(([, folder]) => folder);
  const below = foldersIn(wing).flatMap((one) => [
    one,
    ...foldersIn(join(wing, one)).map((two) => `${one}/${two}`),
  ]);
  expect(listed.toSorted()).toEqual(below.toSorted());
});

test.each(['', ...wings])('the files that the README of src/%s names are there', (wing) => {
  const text = read(wing, 'README.md');
  const paths = [...text.matchAll(/`([\w./-]+\/[\w-]+\.(?:ts|tsx|yaml))`/g)].map(([, path]) => path ?? '');
  expect(paths.filter((path) => !path.includes('NOUN') && !existsSync(join(src, wing, path)))).toEqual([]);
});

// Every rule that code, contract, README or tests cite is in `src/RULES.md`, once, as a link target.

const readFromRoot = (file: string): string => readFileSync(join(packageRoot(), file), 'utf8');
const targets = [...readFromRoot('src/RULES.md').matchAll(/<a id="([A-Z]\d+)"><\/a>/g)].map(
  ([, rule]) => rule ?? '',
);

test('each rule is defined once', () => {
  expect(targets.length).toBeGreaterThan(50);
  expect(targets.filter((rule, index) => targets.indexOf(rule) !== index)).toEqual([]);
});

test('each citation names an existing rule', () => {
  const files = execFileSync('git', ['ls-files', 'src', 'test', 'openapi.yaml', 'README.md'], {
    cwd: packageRoot(),
    encoding: 'utf8',
  });
  const known = new Set(targets);
  const unknown = files
    .split('\n')
    .filter((file) => /\.(ts|tsx|yaml|md)$/.test(file))
    .flatMap((file) =>
      [
        ...readFromRoot(file).matchAll(
          /\b(?:behaviour |rule: ')((?:[A-Z]\d+)(?:(?:, | and |, and |-)[A-Z]\d+)*)/g,
        ),
      ].flatMap(([, rules = '']) =>
        (rules.match(/[A-Z]\d+/g) ?? []).filter((rule) => !known.has(rule)).map((rule) => `${file}: ${rule}`),
      ),
    );
  expect(unknown).toEqual([]);
});

/** A rule's number in a text. */
const CODE = /\b[TREIAVCPMLX]\d{1,2}\b/g;

test('each rule that the contract names has a text, and the contract links to it', () => {
  const contract = readFromRoot('openapi.yaml');
  const known = new Set(targets);
  expect((contract.match(CODE) ?? []).filter((code) => !known.has(code))).toEqual([]);
  expect(contract).toContain('/_mock/guide/rules#a5');
});

test("the scenario schema and the control plane's document do not cite rules", () => {
  for (const file of [
    'fixtures/scenario.schema.json',
    'src/engine/control/control.yaml',
    'src/console/console.yaml',
  ])
    expect([file, readFromRoot(file).match(CODE)]).toEqual([file, null]);
});

// One name, one meaning: an exported type has a name that no other file exports for another type.

const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && !file.endsWith('generated.ts'),
);

test('no two files export different types of one name', () => {
  const filesOf = new Map<string, string[]>();
  for (const file of files)
    for (const [, name = ''] of readFileSync(join(src, file), 'utf8').matchAll(
      /^export (?:declare )?(?:abstract )?(?:type|interface|class|enum) (\w+)/gm,
    ))
      filesOf.set(name, [...(filesOf.get(name) ?? []), file]);
  expect(filesOf.size).toBeGreaterThan(200);
  expect([...filesOf].filter(([, places]) => places.length > 1)).toEqual([]);
});
