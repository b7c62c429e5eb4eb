/** Every rule has a mutant and a test, and every mutant fits its source. run.mjs proves that tests catch the mutants. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { findNamingFiles, mutate, readMutants, readRules } from './mutants.ts';

const MUTANTS = readMutants('.');
const RULES = readRules('.');
const NAMED = new Set([...findNamingFiles('.').values()].flatMap((rules) => [...rules]));

test.each(MUTANTS)('the mutant of $rule can be applied to its source: $breaks', (mutant) => {
  const source = readFileSync(mutant.file, 'utf8');
  expect(mutate(source, mutant)).not.toBe(source);
});

test.each([
  ['has a mutant', new Set(MUTANTS.map(({ rule }) => rule))],
  ['is named by a test', NAMED],
])('every rule %s, and no other rule occurs', (_what, named) => {
  expect([...named].sort()).toEqual([...RULES].sort());
});
