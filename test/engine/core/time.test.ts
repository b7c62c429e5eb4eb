import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  clockAfter,
  clockTime,
  formatDuration,
  parseClockTime,
  parseDuration,
  parseTimestamp,
  toTimestamp,
} from '../../../src/engine/core/clock.ts';
import { drawFrom, environmentKey, seedGenerator } from '../../../src/engine/core/ids.ts';
import {
  absolute,
  FIRST_RELATIVE_TEXT,
  fromSortable,
  fromStart,
  instantAt,
  isRelative,
  type Moment,
  resolve,
  sortable,
} from '../../../src/engine/core/moment.ts';
import { DAY, MINUTE } from '../../support/core.ts';

test('a frozen clock does not move, and a running clock keeps its distance from real time', () => {
  expect(clockTime(clockAfter({ mode: 'frozen', now: 5_000 }, undefined, 100), 900)).toBe(5_000);
  expect(clockTime(clockAfter({ mode: 'running', now: 5_000 }, undefined, 100), 900)).toBe(5_800);
  expect(clockTime(clockAfter({ mode: 'frozen', now: 0 }, undefined, 100), 900)).toBe(0);
});

test('behaviour T9: timestamps are UTC with milliseconds, and reading one gives back the same time', () => {
  expect(toTimestamp(Date.UTC(2026, 0, 15, 9, 30))).toBe('2026-01-15T09:30:00.000Z');
  fc.assert(
    fc.property(fc.integer({ min: Date.UTC(1, 0), max: Date.UTC(9_999, 11, 31) }), (ms) => {
      expect(parseTimestamp(toTimestamp(ms))).toBe(ms);
    }),
  );
});

test.each([
  ['2026-01-15T09:30:00Z', '2026-01-15T09:30:00.000Z'],
  ['2026-01-15t09:30:00z', '2026-01-15T09:30:00.000Z'],
  ['2026-01-15T09:30:00.5+02:00', '2026-01-15T07:30:00.500Z'],
  ['2026-01-15T09:30:00.123456789-00:00', '2026-01-15T09:30:00.123Z'],
  ['2026-01-15T09:30:00.123456789012345678Z', '2026-01-15T09:30:00.123Z'],
  ['2026-01-15T09:30:00 02:00', '2026-01-15T07:30:00.000Z'],
  ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
])('behaviour L1: %s is read as %s', (text, expected) => {
  expect(toTimestamp(parseTimestamp(text) ?? Number.NaN)).toBe(expected);
});

const BAD_TIMES =
  '2026-01-15 2026-01-15T09:30Z 2026-01-15T09:30:00 2026-02-31T00:00:00Z 2025-02-29T00:00:00Z 2026-13-01T00:00:00Z ' +
  '2026-01-15T24:00:00Z 2026-01-15T09:60:00Z 2026-01-15T09:30:00+24:00 9999-12-31T23:59:59-00:01 0000-01-01T00:00:00+00:01';

test.each([
  ...['', ' 2026-01-15T09:30:00Z', '2026-01-15T09:30:00Z '],
  ...BAD_TIMES.split(' '),
])('%j is not a timestamp', (text) => {
  expect(parseTimestamp(text)).toBeUndefined();
});

test.each([
  ['1969-12-31T23:59:59.999Z', false],
  ['1970-01-01T00:00:00Z', true],
  ['8999-12-31T23:59:59Z', true],
  ['9000-01-01T00:00:00Z', false],
  ['noon', false],
])('behaviour T9: the check whether a clock can be set to %s gives %s', (text, can) => {
  expect(parseClockTime(text) !== undefined).toBe(can);
});

test.each([
  ['15m', 15 * MINUTE],
  ['2h30m', 150 * MINUTE],
  ['3d', 3 * DAY],
  ['1.5h', 90 * MINUTE],
  ['250ms', 250],
  ['1m5ms', MINUTE + 5],
  ['2w', 14 * DAY],
  ['0s', 0],
  ['PT15M', 15 * MINUTE],
  ['P3DT2H', 3 * DAY + 120 * MINUTE],
  ['PT0.5S', 500],
  ['1.001s', 1_001],
  ['P1W', 7 * DAY],
  ['36525d', 36_525 * DAY],
])('%s is %d milliseconds', (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

const BAD_DURATIONS = ['', ' ', '5 m', ...'P PT P1M 15 m -5m 30m2h 1e3s 15M pt15m P1DT 36525d1ms'.split(' ')];

test.each(BAD_DURATIONS)('%j is not a duration', (text) => {
  expect(parseDuration(text)).toBeUndefined();
});

test('a formatted duration is read back as the same duration', () => {
  fc.assert(
    fc.property(fc.nat({ max: 36_525 * DAY }), (ms) => {
      expect(parseDuration(formatDuration(ms))).toBe(ms);
    }),
  );
  expect(formatDuration(15 * DAY + 90 * MINUTE)).toBe('15d1h30m');
});

test.each(['15m', '1h', '24h', '25h', '36h', '2d', '15d'])('%s is formatted as it was written', (text) => {
  expect(formatDuration(parseDuration(text) ?? Number.NaN)).toBe(text);
});

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

/** Beyond all absolute moments, if it is relative. */
const placeOf = (one: Moment): number => resolve(one, 4e15);

test('moments of one kind sort by time, and relative moments come after absolute moments', () => {
  fc.assert(
    fc.property(moment, moment, (left, right) => {
      expect(fromSortable(sortable(left))).toEqual(left);
      expect(sortable(left) < sortable(right)).toBe(placeOf(left) < placeOf(right));
      expect(sortable(left) >= FIRST_RELATIVE_TEXT).toBe(isRelative(left));
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

test('behaviour I1: ids are the prefix and 18 digits, tokens 43 base64url characters', () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const draw = drawFrom(seedGenerator(seed));
      expect(draw.id('ca')).toMatch(/^ca_[0-9]{18}$/);
      expect(draw.token()).toMatch(/^[A-Za-z0-9_-]{43}$/);
    }),
  );
});

const drawThree = (state: ReturnType<typeof seedGenerator>) => {
  const draw = drawFrom(state);
  return { drawn: [draw.id('org'), draw.token()], state: draw.state() };
};

test('behaviour I1: the same seed draws the same ids, and a stored generator continues the sequence', () => {
  const first = drawThree(seedGenerator(7));
  expect(drawThree(seedGenerator(7))).toEqual(first);
  expect(drawThree(first.state).drawn).toEqual(drawThree(first.state).drawn);
  expect(drawThree(first.state).drawn).not.toEqual(first.drawn);
  expect(drawThree(seedGenerator(8)).drawn).not.toEqual(first.drawn);
});

test('a generator that drew nothing does not change', () => {
  const state = seedGenerator(1);
  expect(drawFrom(state).state()).toBe(state);
});

test('behaviour I1: ids with the same prefix ascend, whatever else the generator draws in between', () => {
  let state = seedGenerator(1);
  const [accounts, organizations]: [string[], string[]] = [[], []];
  for (let round = 0; round < 100; round += 1) {
    const draw = drawFrom(state);
    accounts.push(draw.id('ca'));
    organizations.push(draw.id('org'));
    accounts.push(draw.id('ca'));
    draw.token();
    state = draw.state();
  }
  expect(accounts).toEqual([...new Set(accounts)].sort());
  expect(organizations).toEqual([...new Set(organizations)].sort());
});

test.each<[string, string, boolean]>([
  ['ca', 'ca_900000000000000005', true],
  ['ca', 'org_900000000000000005', false],
  ['ca', 'ca_mine', false],
  ['ca', 'ca_9', false],
])('behaviour I1: an id with the prefix %s that is drawn after a scenario used %s is higher: %s', (prefix, written, isAbove) => {
  const draw = drawFrom(seedGenerator(1));
  draw.reserve(written);
  draw.reserve(`${prefix}_000000000000000001`); // the highest id counts, not the last
  const id = drawFrom(draw.state()).id(prefix);
  expect(id > written).toBe(isAbove);
  expect(id).toMatch(/^ca_[0-9]{18}$/);
});

test('behaviour I1: after the last number of 18 digits, ids have 19 digits', () => {
  const draw = drawFrom(seedGenerator(1));
  draw.reserve('usr_999999999999999999');
  expect(draw.id('usr')).toMatch(/^usr_1[0-9]{18}$/);
  draw.reserve('usr_1999999999999999999');
  expect(draw.id('usr')).toMatch(/^usr_2[0-9]{18}$/);
});

test('behaviour E5: the key of an environment is eleven base64url characters, unique and constant', () => {
  expect(environmentKey('env_1')).toMatch(/^[A-Za-z0-9_-]{11}$/);
  expect(environmentKey('env_1')).toBe(environmentKey('env_1'));
  expect(environmentKey('env_1')).not.toBe(environmentKey('env_2'));
});
