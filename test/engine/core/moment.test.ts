import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  absolute,
  EARLIEST_RELATIVE,
  fromSortable,
  fromStart,
  instantAt,
  isRelative,
  type Moment,
  resolve,
  sortable,
} from '../../../src/engine/core/moment.ts';

const HUNDRED_YEARS = 3_155_760_000_000;
const instant = fc.integer({ min: Date.UTC(1, 0), max: Date.UTC(9_999, 11, 31) });
const distance = fc.integer({ min: -HUNDRED_YEARS, max: HUNDRED_YEARS });
const moment: fc.Arbitrary<Moment> = fc.oneof(instant.map(absolute), distance.map(fromStart));

test('behaviour E6: a relative moment keeps its distance from the start, and an absolute moment keeps its date', () => {
  fc.assert(
    fc.property(instant, distance, instant, (ms, away, start) => {
      expect(resolve(absolute(ms), start)).toBe(ms);
      expect(resolve(fromStart(away), start)).toBe(start + away);
      expect([isRelative(absolute(ms)), isRelative(fromStart(away))]).toEqual([false, true]);
    }),
  );
});

test('moments of one kind sort by time, and relative moments come after absolute moments', () => {
  fc.assert(
    fc.property(moment, moment, (left, right) => {
      expect(fromSortable(sortable(left))).toBe(left);
      expect(sortable(left) < sortable(right)).toBe(left < right);
      expect(sortable(left) >= sortable(EARLIEST_RELATIVE)).toBe(isRelative(left));
    }),
  );
});

test('behaviour T9: an end is reached when now is the end or later, and a missing end is never reached', () => {
  const hasEndedAt = (end: Moment | undefined, now: number) => instantAt(now, 1_000).hasEnded(end);
  expect([hasEndedAt(absolute(5_000), 4_999), hasEndedAt(absolute(5_000), 5_000)]).toEqual([false, true]);
  expect([hasEndedAt(fromStart(50), 1_049), hasEndedAt(fromStart(50), 1_050)]).toEqual([false, true]);
  expect(hasEndedAt(undefined, Number.MAX_SAFE_INTEGER)).toBe(false);
});

test('an answer is valid from the latest end in the past to the earliest end in the future', () => {
  const ends = [7_000, 3_000, 9_000, 6_000, 1_000];
  for (const order of [ends, ends.toReversed()]) {
    const { hasEnded, validity } = instantAt(5_000, 0);
    for (const end of order) hasEnded(absolute(end));
    expect(validity()).toEqual({ from: 3_000, until: 6_000 });
  }
});
