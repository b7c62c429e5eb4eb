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

/** A time on an environment's clock. */
export interface Instant {
  /** What the clock shows, in epoch milliseconds. */
  readonly now: number;
  /** When the environment started, in epoch milliseconds; relative moments count from it (behaviour E6). */
  readonly start: number;
  /** Whether `now` is at or after `end` (behaviour T9); false if `end` is undefined. */
  hasEnded(end: Moment | undefined): boolean;
}

/** A period in epoch milliseconds: `from` is inclusive, `until` exclusive. */
export interface Period {
  readonly from: number;
  readonly until: number;
}

/** An instant that also knows how long its answers stay true. */
export const instantAt = (now: number, start: number) => {
  let from = -Infinity;
  let until = Infinity;
  return {
    now,
    start,
    hasEnded: (end: Moment | undefined): boolean => {
      if (end === undefined) return false;
      const at = resolve(end, start);
      const ended = now >= at;
      if (ended) from = Math.max(from, at);
      else until = Math.min(until, at);
      return ended;
    },
    /** The period in which every `hasEnded` so far has the same result. */
    validity: (): Period => ({ from, until }),
  };
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
