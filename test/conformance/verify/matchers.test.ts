/** The matchers of the suite's expectations: what each accepts, and what it does not. */
import { expect, test } from '@jest/globals';
import * as all from '../../../src/conformance/verify/matchers.ts';

const {
  absent,
  aText,
  aTime,
  daysAfter,
  empty,
  exactly,
  listOf,
  newestFirst,
  not,
  someOf,
  someText,
  without,
} = all;

const times = (...moments: readonly unknown[]) => moments.map((at) => ({ at }));
const START = '2026-01-01T00:00:00Z';

test.each<[string, { asymmetricMatch(value: unknown): boolean }, readonly unknown[], readonly unknown[]]>([
  ['absent', absent, [undefined], [null, '', 0]],
  ['someText', someText, ['a', ' '], ['', 5, undefined]],
  ['empty', empty, [undefined, {}], [{ a: 1 }, [], null, '']],
  ['aText', aText(/^a/), ['ab'], ['ba', 5, undefined]],
  ['aTime', aTime, [START, '2026-01-01T00:00:00.123Z'], ['2026-01-01', '2026-01-01T00:00:00+01:00']],
  ['not', not('a'), ['b', null, ''], ['a', undefined]],
  [
    'daysAfter',
    daysAfter(START, 2),
    ['2026-01-03T00:00:00Z', '2026-01-03T00:01:00Z', '2026-01-02T23:59:00Z'],
    ['2026-01-03T00:01:01Z', '2026-01-02T23:58:59Z', undefined, 'soon'],
  ],
  ['listOf', listOf({ a: 1 }), [[], [{ a: 1, b: 2 }]], [[{ a: 1 }, {}], {}, undefined]],
  ['someOf', someOf({ a: 1 }), [[{ a: 1 }]], [[], [{ a: 1 }, {}], undefined]],
  ['exactly', exactly({ a: 1 }, { a: 2 }), [[{ a: 1 }, { a: 2 }]], [[{ a: 1 }], [{ a: 2 }, { a: 1 }]]],
  ['exactly as many', exactly({ a: 1 }), [[{ a: 1, b: 1 }]], [[], [{ a: 1 }, { a: 1 }]]],
  ['without', without({ a: 1 }), [[], [{ a: 2 }]], [[{ a: 2 }, { a: 1 }], undefined]],
  [
    'newestFirst',
    newestFirst('at'),
    [[], times(START, START), times('2027', '2026')],
    [times('2026', '2027')],
  ],
  [
    'newestFirst of times',
    newestFirst('at'),
    [times('2026')],
    [times('2026', 'soon'), times('2026', undefined)],
  ],
])('%s', (_name, matcher, accepted, refused) => {
  const judged = (values: readonly unknown[]) =>
    values.map((value) => [value, matcher.asymmetricMatch(value)]);
  expect(judged(accepted)).toEqual(accepted.map((value) => [value, true]));
  expect(judged(refused)).toEqual(refused.map((value) => [value, false]));
});
