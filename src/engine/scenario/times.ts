/** Reads and writes the times in scenario files (behaviour E6): ISO 8601, `now`, `-3d`, `+2h30m`, `never`. */
import { type Format, FORMATS as SHARED } from '../contract/words.ts';
import {
  FIRST_WRITABLE,
  formatDuration,
  LAST_WRITABLE,
  parseDuration,
  parseTimestamp,
  toTimestamp,
} from '../core/clock.ts';
import {
  absolute,
  fromStart,
  type Instant,
  instantAt,
  isRelative,
  type Moment,
  resolve,
} from '../core/moment.ts';

export const NEVER = 'never';

/** The moment at which the environment starts. */
export const NOW = fromStart(0);

/** Parses a time. Returns undefined for `never` and for invalid times. */
export const parseTime = (text: string): Moment | undefined => {
  if (text === 'now') return NOW;
  const sign = text[0];
  if (sign !== '+' && sign !== '-') {
    const ms = parseTimestamp(text);
    return ms === undefined ? undefined : absolute(ms);
  }
  const distance = parseDuration(text.slice(1));
  return distance === undefined ? undefined : fromStart(sign === '-' ? -distance : distance);
};

const TIME_HINT = 'a time such as 2026-01-15T09:30:00Z, now, -3d, +15m or +2h30m';

/** The formats that the scenario schema uses. @internal, to keep Ajv's types out of our published types */
export const SCENARIO_FORMATS: Readonly<Record<string, Format>> = {
  ...SHARED,
  // Only the clock uses this format; rows use the other formats.
  'date-time': SHARED['clock-time'],
  'scenario-time': { validate: (text: string) => parseTime(text) !== undefined, expected: TIME_HINT },
  'scenario-time-or-never': {
    validate: (text: string) => text === NEVER || parseTime(text) !== undefined,
    expected: `${TIME_HINT}, or never`,
  },
};

/** Writes a moment as a string that `parseTime` can read. */
export type FormatTime = (moment: Moment) => string;

/** Writes absolute moments as ISO 8601, and other moments relative to the start of the environment. */
export const formatTime: FormatTime = (moment) => {
  const ms = resolve(moment, 0);
  if (!isRelative(moment)) return toTimestamp(ms);
  if (ms === 0) return 'now';
  return `${ms < 0 ? '-' : '+'}${formatDuration(Math.abs(ms))}`;
};

/** Writes moments as ISO 8601 or, with `isRelativeToNow`, relative to now unless they are more than 100 years away. */
export const timesAt =
  ({ now, start }: Instant, isRelativeToNow: boolean): FormatTime =>
  (moment) => {
    const ms = resolve(moment, start);
    if (!isRelativeToNow) return toTimestamp(ms);
    const distance = formatTime(fromStart(ms - now));
    return parseTime(distance) === undefined ? toTimestamp(ms) : distance;
  };

/**
 * If the clock is unknown, the mock compares values at these two instants: one before all times and one after. A value
 * that is equal at both does not depend on the clock.
 */
export const UNKNOWN_CLOCK: readonly [Instant, Instant] = [
  instantAt(FIRST_WRITABLE, FIRST_WRITABLE),
  instantAt(LAST_WRITABLE, LAST_WRITABLE),
];

/** Moves a moment. @param ms milliseconds; a negative number gives an earlier moment */
export const shift = (moment: Moment, ms: number): Moment =>
  isRelative(moment) ? fromStart(resolve(moment, 0) + ms) : absolute(resolve(moment, 0) + ms);

/** Writes an optional time. Writes `never` if the time is absent. */
export const endText = (format: FormatTime, moment: Moment | undefined): string =>
  moment === undefined ? NEVER : format(moment);
