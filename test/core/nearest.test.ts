import { expect, test } from '@jest/globals';
import { didYouMean, nearest } from '../../src/core/text.ts';

test.each([
  ['conector', 'connector'],
  ['STATUS', 'status'],
  ['identifer', 'identifier'],
])('the most similar name to %s is %s', (word, meant) => {
  expect(nearest(word, ['status', 'connector', 'identifier'])).toBe(meant);
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
