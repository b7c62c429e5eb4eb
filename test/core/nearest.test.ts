import { expect, test } from '@jest/globals';
import { didYouMean, nearest } from '../../src/core/nearest.ts';

test.each([
  ['conector', 'connector'],
  ['STATUS', 'status'],
  ['identifer', 'identifier'],
])('%s means %s', (word, meant) => {
  expect(nearest(word, ['status', 'connector', 'identifier'])).toBe(meant);
});

test('a word far from all known ones means none of them', () => {
  expect(nearest('zebra', ['status', 'connector'])).toBeUndefined();
  expect(nearest('ab', ['cd', 'xy'])).toBeUndefined();
  expect(didYouMean('zebra', ['status'])).toBe('');
});

test('of two near words the nearer one is meant, and the first of two that are as near', () => {
  expect(didYouMean('statuz', ['state', 'status'])).toBe(' Did you mean "status"?');
  expect(nearest('mart', ['cart', 'dart'])).toBe('cart');
});
