/** Times as scenario files write them (behaviour E6): ISO 8601, `now`, `-3d`, `+2h30m`, `never`. */
import { parseTimestamp, toTimestamp } from '../core/clock.ts';
import { formatDuration, parseDuration } from '../core/duration.ts';
import {
  absolute,
  fromStart,
  hasEnded,
  type Instant,
  isRelative,
  type Moment,
  resolve,
} from '../core/moment.ts';

export const NEVER = 'never';

export const TIME_HINT = 'a time such as 2026-01-15T09:30:00Z, now, -3d, +15m or +2h30m';

/** The moment that a text means, or undefined if it means none; `never` is none. */
export const parseTime = (text: string): Moment | undefined => {
  if (text === 'now') return fromStart(0);
  const sign = text[0];
  if (sign !== '+' && sign !== '-') {
    const ms = parseTimestamp(text);
    return ms === undefined ? undefined : absolute(ms);
  }
  const distance = parseDuration(text.slice(1));
  return distance === undefined ? undefined : fromStart(sign === '-' ? -distance : distance);
};

/** The text that `parseTime` reads as this moment. */
export const formatTime = (moment: Moment): string => {
  const ms = resolve(moment, 0);
  if (!isRelative(moment)) return toTimestamp(ms);
  if (ms === 0) return 'now';
  return `${ms < 0 ? '-' : '+'}${formatDuration(Math.abs(ms))}`;
};

/** The text of a moment that may be absent. @param at see `formatOptional` */
export const formatEnd = (moment: Moment | undefined, at?: Instant): string =>
  formatOptional(moment, at) ?? NEVER;

/** A moment so much later; negative for earlier. @param ms milliseconds */
export const shift = (moment: Moment, ms: number): Moment =>
  isRelative(moment) ? fromStart(resolve(moment, 0) + ms) : absolute(resolve(moment, 0) + ms);

/** The moment of a member that always has one. @param text compared with the schema before */
export const momentOr = (text: string | undefined, fallback: Moment): Moment =>
  (text === undefined ? undefined : parseTime(text)) ?? fallback;

/** The moment of a member that can be absent: `never` means that it is. */
export const endOr = (text: string | undefined, fallback?: Moment): Moment | undefined =>
  text === undefined ? fallback : parseTime(text);

/** Whether an end is not after the start; undefined where that depends on when the environment starts. */
export const isPast = (end: Moment | undefined): boolean | undefined => {
  if (end === undefined) return false;
  return isRelative(end) ? resolve(end, 0) <= 0 : undefined;
};

/** The start of the environment. */
export const NOW = fromStart(0);

/**
 * The text of a moment that is left out where absent.
 * @param at for ends: one that has been reached since the start is the instant that it was, so that a file in which it
 * is written starts with the statuses that are shown at this instant
 */
export const formatOptional = (moment: Moment | undefined, at?: Instant): string | undefined => {
  if (moment === undefined) return undefined;
  const isOvertaken = at !== undefined && isPast(moment) === false && hasEnded(moment, at);
  return isOvertaken ? toTimestamp(resolve(moment, at.start)) : formatTime(moment);
};
