import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseClockTime, parseTimestamp, readClock, setClock, toTimestamp } from '../../src/core/clock.ts';

test('a frozen clock does not move, and a running clock keeps its distance from real time', () => {
  expect(readClock(setClock('frozen', 5_000, 100), 900)).toBe(5_000);
  expect(readClock(setClock('running', 5_000, 100), 900)).toBe(5_800);
});

test('behaviour T9: timestamps are UTC with milliseconds, and read back the same', () => {
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

test.each([
  '',
  '2026-01-15',
  '2026-01-15T09:30Z',
  '2026-01-15T09:30:00',
  '2026-02-31T00:00:00Z',
  '2025-02-29T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-01-15T24:00:00Z',
  '2026-01-15T09:60:00Z',
  '2026-01-15T09:30:00+24:00',
  ' 2026-01-15T09:30:00Z',
  '2026-01-15T09:30:00Z ',
  '9999-12-31T23:59:59-00:01',
  '0000-01-01T00:00:00+00:01',
])('%j is not a timestamp', (text) => {
  expect(parseTimestamp(text)).toBeUndefined();
});

test.each([
  ['1969-12-31T23:59:59.999Z', false],
  ['1970-01-01T00:00:00Z', true],
  ['8999-12-31T23:59:59Z', true],
  ['9000-01-01T00:00:00Z', false],
  ['noon', false],
])('behaviour T9: whether a clock can be set to %s: %s', (text, can) => {
  expect(parseClockTime(text) !== undefined).toBe(can);
});
