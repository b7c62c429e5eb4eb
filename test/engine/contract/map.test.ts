/** The map of the sources: each wing has a README that names its folders and doors. */
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
