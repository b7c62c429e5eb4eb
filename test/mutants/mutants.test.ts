/** Mutants, rules and tests are in step; run.mjs proves that each mutant is caught. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { readMarked } from '../support/readme.ts';
import { figureTable } from './figures.ts';
import { type Mutant, mutate } from './mutant.ts';
import { MUTANTS } from './mutants.ts';
import { findNamingTests } from './naming.ts';
import { RULES } from './rules.ts';

const mutantsOf = (rule: string): readonly Mutant[] => MUTANTS.filter((mutant) => mutant.rule === rule);

test.each(MUTANTS)('the mutant of $rule can be applied to its source: $breaks', (mutant) => {
  const source = readFileSync(mutant.file, 'utf8');
  expect(mutate(source, mutant)).not.toBe(source);
});

test('the text that a mutant replaces must be in its file exactly once', () => {
  const mutant = { rule: 'A4', file: 'a.ts', find: 'x', replace: 'y', breaks: '' } as const;
  expect(mutate('axb', mutant)).toBe('ayb');
  expect(() => mutate('ab', mutant)).toThrow(
    'The mutant of A4 replaces a text that stands 0 times in a.ts: x.',
  );
  expect(() => mutate('xx', mutant)).toThrow('stands 2 times');
});

test('the rules agree with src/RULES.md', () => {
  const written = readFileSync('src/RULES.md', 'utf8').matchAll(/<a id="([A-Z]\d+)">/g);
  expect([...RULES].sort()).toEqual(Array.from(written, ([, rule]) => rule).sort());
});

test('every rule has a mutant', () => {
  expect(RULES.filter((rule) => mutantsOf(rule).length === 0)).toEqual([]);
});

test('every rule is named by a test, and tests name only existing rules', () => {
  const named = new Set(findNamingTests('.').flatMap(({ rules }) => rules));
  expect(RULES.filter((rule) => !named.has(rule))).toEqual([]);
  expect([...named].filter((name) => !RULES.some((rule) => rule === name))).toEqual([]);
});

test('the guide has the present figures; `node test/mutants/run.mjs --figures` writes them', () => {
  expect(readMarked(readFileSync('src/guide/proof.md', 'utf8'), 'figures')).toBe(figureTable('.'));
});
