import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  formatDuration,
  parseClockTime,
  parseDuration,
  parseTimestamp,
  readClock,
  setClock,
  toTimestamp,
} from '../../../src/engine/core/clock.ts';

test('a frozen clock does not move, and a running clock keeps its distance from real time', () => {
  expect(readClock(setClock({ mode: 'frozen', now: 5_000 }, undefined, 100), 900)).toBe(5_000);
  expect(readClock(setClock({ mode: 'running', now: 5_000 }, undefined, 100), 900)).toBe(5_800);
  expect(readClock(setClock({ mode: 'frozen', now: 0 }, undefined, 100), 900)).toBe(0);
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

const BAD_TIMES = [
  ...['', '2026-01-15', '2026-01-15T09:30Z', '2026-01-15T09:30:00', ' 2026-01-15T09:30:00Z'],
  ...['2026-01-15T09:30:00Z ', '2026-02-31T00:00:00Z', '2025-02-29T00:00:00Z', '2026-13-01T00:00:00Z'],
  ...['2026-01-15T24:00:00Z', '2026-01-15T09:60:00Z', '2026-01-15T09:30:00+24:00'],
  ...['9999-12-31T23:59:59-00:01', '0000-01-01T00:00:00+00:01'],
];

test.each(BAD_TIMES)('%j is not a timestamp', (text) => {
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

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;

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

test('a duration of 100,000 digits is refused', () => {
  expect(parseDuration(`${'1'.repeat(100_000)}s`)).toBeUndefined();
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
