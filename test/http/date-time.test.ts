import { expect, test } from '@jest/globals';
import { isDateTime } from '../../src/http/date-time.ts';

test.each([
  ['2026-01-15T09:30:00.000Z', true],
  ['2026-02-28T23:59:59.999Z', true],
  ['2028-02-29T00:00:00.000Z', true],
  ['2026-02-29T00:00:00.000Z', false],
  ['2026-04-31T00:00:00.000Z', false],
  ['2026-13-01T00:00:00.000Z', false],
  ['2026-01-15T24:00:00.000Z', false],
  ['2026-01-15T09:30:00+05:30', true],
  ['2026-12-31T23:59:60Z', true],
  ['2026-01-15', false],
  ['', false],
])('behaviour T9: %j is a time of RFC 3339: %s', (text, isOne) => {
  expect(isDateTime(text)).toBe(isOne);
});
