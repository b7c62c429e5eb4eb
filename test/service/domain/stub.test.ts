/** Behaviour X4-X6: which calls a stub answers, which of several stubs does, and what placeholders become. */
import { expect, test } from '@jest/globals';
import { fill, lookUpIn } from '../../../src/engine/stubs/echo.ts';
import type { StubMatch, StubRow } from '../../../src/engine/stubs/stub.ts';
import { findStubs, valuesInPath } from '../../../src/engine/stubs/stub.ts';

test.each([
  ['/x/{id}', '/x/a%20b', { id: 'a b' }],
  ['/x/{id}', '/x/', undefined],
  ['/x/{id}', '/x/1/2', undefined],
  ['/x/{id}', '/X/1', undefined],
  ['/x/{id}:run', '/x/1:run', { id: '1' }],
  ['/x/{id}:run', '/x/:run', undefined],
  ['/x/{id}:run', '/x/1', undefined],
  ['/x/{a}/*', '/x/1/2/3', { a: '1', '*': '2/3' }],
  ['/x/*', '/x/', { '*': '' }],
  ['/x/*', '/x', undefined],
])('behaviour X4: the path %s of a stub takes %s as %j', (pattern, path, values) => {
  expect(valuesInPath(pattern, path)).toEqual(values);
});

const CALL = {
  method: 'POST',
  path: '/x',
  query: new URLSearchParams('q=1&p=2'),
  headers: { 'x-h': '1' },
  body: { n: 7, list: ['a', 'b'], deep: { b: 1, c: 2, d: 3 } },
};
const stubOf = (match?: StubMatch): StubRow => ({
  method: 'POST',
  path: '/x',
  ...(match && { match }),
  replies: [{ status: 200, body: {}, headers: {}, delay_ms: 0 }],
  auth: true,
  answered: 0,
});

test('behaviour X6: of stubs that match, the one with the most values answers, and of equal ones the first', () => {
  const two = { query: { q: '1' }, headers: { 'X-H': '1' } };
  const other = { query: { q: '1', p: '2' } };
  const three = { body: { deep: { b: 1, c: 2, d: 3 } } };
  const found = (...matches: (StubMatch | undefined)[]) => findStubs(matches.map(stubOf), CALL)[0]?.match;
  expect(found(undefined, two, three)).toEqual(three);
  expect(found(two, other)).toEqual(two);
  expect(found({ query: { q: '2' } }, { headers: { 'x-h': '2' } }, { body: { n: 8 } })).toBeUndefined();
});

test('behaviour X6: a placeholder without a value is null in a list, left out as a member, and nothing within a text', () => {
  const call = { ...CALL, path: {}, now: 'NOW', id: (prefix: string) => `${prefix}_1` };
  const written = {
    list: ['{query.none}', '{query.q}', '{body.none}'],
    gone: '{query.none}',
    text: '<{query.none}> {now} {body.list.1} {body.list}',
    kept: ['{body.n}', '{body.list}', '{id.usr}', '{unknown}', 5, null],
  };
  expect(fill(written, lookUpIn(call))).toStrictEqual({
    list: [null, '1', null],
    text: '<> NOW b ["a","b"]',
    kept: [7, ['a', 'b'], 'usr_1', '{unknown}', 5, null],
  });
});
