/**
 * A point in time as a row stores it: either absolute, or relative to the environment's start (behaviour E6). A
 * relative moment moves with the start, so a reset refreshes all data without changing a row.
 *
 * Only this file knows the encoding: absolute moments are epoch milliseconds; relative moments are milliseconds
 * added to RELATIVE, which is far later than any date that RFC 3339 can write.
 */
import { toTimestamp } from './clock.ts';

export type Moment = number & { readonly __moment: unique symbol };

const RELATIVE = 4e15;
const FIRST_RELATIVE = 2e15;
const SORT_OFFSET = 1e15;

/** A moment fixed on the calendar. @param ms epoch milliseconds */
export const absolute = (ms: number): Moment => ms as Moment;

/** A moment relative to the environment's start. @param ms milliseconds after the start; negative for before */
export const fromStart = (ms: number): Moment => (RELATIVE + ms) as Moment;

export const isRelative = (moment: Moment): boolean => moment > FIRST_RELATIVE;

/** Epoch milliseconds of a moment in an environment that started at `start`. */
export const resolve = (moment: Moment, start: number): number =>
  isRelative(moment) ? moment - RELATIVE + start : moment;

/** A string to sort by: absolute moments come first, then relative ones, each in order of time. */
export const sortable = (moment: Moment): string => String(moment + SORT_OFFSET).padStart(16, '0');

export const fromSortable = (text: string): Moment => (Number(text) - SORT_OFFSET) as Moment;

/** The first relative moment in sort order. All absolute moments come before it. */
export const EARLIEST_RELATIVE = FIRST_RELATIVE as Moment;

/** The period in which a reply stays the same, in epoch milliseconds: `from` is inclusive, `until` exclusive. */
export interface ValidityPeriod {
  from: number;
  until: number;
}

/** The time on an environment's clock, and when the environment started; both in epoch milliseconds. */
export interface Instant {
  readonly now: number;
  readonly start: number;
  /** Each call of `hasEnded` shortens this period to the part in which the result of the call stays the same. */
  readonly validity?: ValidityPeriod;
}

/** Whether `now` is at or after `end` (behaviour T9); false if `end` is undefined. */
export const hasEnded = (end: Moment | undefined, { now, start, validity }: Instant): boolean => {
  if (end === undefined) return false;
  const at = resolve(end, start);
  const ended = now >= at;
  if (validity && ended) validity.from = Math.max(validity.from, at);
  else if (validity) validity.until = Math.min(validity.until, at);
  return ended;
};

/** A moment as replies show it. */
export const wireTime = (moment: Moment, env: Pick<Instant, 'start'>): string =>
  toTimestamp(resolve(moment, env.start));

/** Writes the moments of an object as replies show them; leaves out absent moments. */
export const wireTimes = <Name extends string>(
  moments: { readonly [Each in Name]: Moment | undefined },
  env: Pick<Instant, 'start'>,
): { [Each in Name]?: string } => {
  const present = Object.entries<Moment | undefined>(moments).flatMap(([name, moment]) =>
    moment === undefined ? [] : [[name, wireTime(moment, env)]],
  );
  return Object.fromEntries(present); // the return type is right: every name in `present` comes from `moments`
};
