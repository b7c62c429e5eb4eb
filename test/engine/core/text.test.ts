import { expect, test } from '@jest/globals';
import { cut, didYouMean, listNames, nearest } from '../../../src/engine/core/text.ts';

test('behaviour R1: a text is cut between characters, never inside a surrogate pair', () => {
  expect(cut(`${'a'.repeat(99)}😀b`)).toBe(`${'a'.repeat(99)}...`);
  expect(cut(`${'a'.repeat(98)}😀b`)).toBe(`${'a'.repeat(98)}😀...`);
  expect(cut('a'.repeat(100))).toBe('a'.repeat(100));
});

test('a message lists twenty names, and says how many more there are', () => {
  const names = Array.from({ length: 23 }, (_, nth) => `n${nth}`);
  expect(listNames(names.slice(0, 20))).toMatch(/^n0, .*, n19$/);
  expect(listNames(names)).toMatch(/^n0, .*, n19 and 3 more$/);
});

test.each(['conector', 'Connector', 'conecctor'])('the most similar name to %s is connector', (word) => {
  expect(nearest(word, ['status', 'connector', 'identifier'])).toBe('connector');
});

test('capitals in a known name count for nothing', () => {
  expect(nearest('delet', ['PENDING', 'DELETE'])).toBe('DELETE');
});

test('a word that is not similar to a known name gets no suggestion', () => {
  expect(nearest('zebra', ['status', 'connector'])).toBeUndefined();
  expect(nearest('ab', ['cd', 'xy'])).toBeUndefined();
  expect(didYouMean('zebra', ['status'])).toBe('');
});

test('of two similar names the more similar name is suggested, or the first if both are equally similar', () => {
  expect(didYouMean('statuz', ['state', 'status'])).toBe(' Did you mean "status"?');
  expect(nearest('mart', ['cart', 'dart'])).toBe('cart');
});
