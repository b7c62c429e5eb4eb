/** Comparisons of a wanted part with a value. */
import { expect, test } from '@jest/globals';
import { contains, differences, withoutMatchers } from '../../../src/engine/core/contains.ts';

test.each([
  [{ a: 1 }, { a: 1, b: 2 }, true],
  [{ a: { b: [1] } }, { a: { b: [3, 1] } }, true],
  [{ a: [{ b: 1 }] }, { a: [{ b: 2 }, { b: 1, c: 1 }] }, true],
  [{ user_id: 1 }, { userId: 1 }, true],
  [{ a: expect.any(String) }, { a: 'x' }, true],
  [{ a: undefined }, {}, true],
  [{ a: 1 }, { a: 2 }, false],
  [{ a: [] }, { a: {} }, false],
  [[1, 2], [1], false],
  [{ a: 1 }, 'text', false],
  [null, undefined, false],
])('%j is contained in %j: %j, and then there is no difference', (wanted, value, expected) => {
  expect(contains(wanted, value)).toBe(expected);
  expect(differences(wanted, value, 'body').length === 0).toBe(expected);
});

test('a wanted part that is sent elsewhere has no matchers, neither in members nor in lists', () => {
  const any = expect.any(String);
  expect(withoutMatchers({ a: any, b: [any, 1, { c: any, d: null }] })).toEqual({
    a: undefined,
    b: [1, { c: undefined, d: null }],
  });
  expect(differences({ a: [1, any] }, { a: [2] }, 'body')).toEqual([
    { words: 'body.a is [2], expected 1', isByMatcher: false },
    { words: 'body.a is [2], expected "Any<String>"', isByMatcher: true },
  ]);
});

test('behaviour R2: a difference shows no credential', () => {
  const wordsOf = (wanted: object, value: object) =>
    differences(wanted, value, 'body').map(({ words }) => words);
  expect(wordsOf({ a: { password: 'hush' } }, { a: 1 })).toEqual([
    'body.a is 1, expected {"password":"***"}',
  ]);
  expect(wordsOf({ password: 'hush' }, { password: 'hash' })).toEqual(['body.password is another value']);
});

test('a comparison stops at the first difference', () => {
  let steps = 0;
  const counted = (one: object): object =>
    new Proxy(one, {
      get: (target, name) => {
        steps += typeof name === 'string' ? 1 : 0;
        return Reflect.get(target, name);
      },
    });
  const long = Object.fromEntries(Array.from({ length: 1_000 }, (_, nth) => [`member${nth}`, nth]));
  expect(contains({ ...long, member0: 'other' }, counted(long))).toBe(false);
  expect(steps).toBe(1);
});
