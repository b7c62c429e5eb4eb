import { expect, test } from '@jest/globals';
import { cut } from '../../src/core/text.ts';

test('behaviour R1: a text is cut between characters, never inside a surrogate pair', () => {
  expect(cut(`${'a'.repeat(99)}😀b`)).toBe(`${'a'.repeat(99)}...`);
  expect(cut(`${'a'.repeat(98)}😀b`)).toBe(`${'a'.repeat(98)}😀...`);
  expect(cut('a'.repeat(100))).toBe('a'.repeat(100));
});
