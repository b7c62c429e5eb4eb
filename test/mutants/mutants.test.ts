/** Mutants, rules and tests are in step; run.mjs proves that each mutant is caught. */
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

test('the text that a mutant replaces must be in its file exactly once', () => {
  const mutant = { rule: 'A4', file: 'a.ts', find: 'x', replace: 'y', breaks: '' };
  expect(mutate('axb', mutant)).toBe('ayb');
  expect(() => mutate('ab', mutant)).toThrow('The mutant of A4 replaces a text that is 0 times in a.ts: x');
  expect(() => mutate('xx', mutant)).toThrow('is 2 times');
});

test.each([
  ['has a mutant', new Set(MUTANTS.map(({ rule }) => rule))],
  ['is named by a test', NAMED],
])('every rule %s, and no other', (_what, named) => {
  expect([...named].sort()).toEqual([...RULES].sort());
});
