import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatDuration, parseDuration } from '../../src/core/clock.ts';

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
  ['P1W', 7 * DAY],
  ['36525d', 36_525 * DAY],
])('%s is %d milliseconds', (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

test.each([
  '',
  ' ',
  'P',
  'PT',
  'P1M',
  '15',
  'm',
  '-5m',
  '30m2h',
  '5 m',
  '1e3s',
  '15M',
  'pt15m',
  '36525d1ms',
  'P1DT',
])('%j is not a duration', (text) => {
  expect(parseDuration(text)).toBeUndefined();
});

test('a long text is refused without a long check', () => {
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

test.each(['15m', '1h', '24h', '25h', '36h', '2d', '15d'])('%s is formatted as in the documents', (text) => {
  expect(formatDuration(parseDuration(text) ?? Number.NaN)).toBe(text);
});
