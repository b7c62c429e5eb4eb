/**
 * A point in time as a row stores it: either absolute, or relative to the environment's start (behaviour E6). A
 * relative moment moves with the start, so a reset refreshes all data without changing a row.
 */
import { toTimestamp } from './clock.ts';

/** `at`: epoch milliseconds. `after`: milliseconds after the start; negative for before. */
export type Moment = { readonly at: number } | { readonly after: number };

export const absolute = (ms: number): Moment => ({ at: ms });

export const fromStart = (ms: number): Moment => ({ after: ms });

export const isRelative = (moment: Moment): moment is { readonly after: number } => 'after' in moment;

/** Epoch milliseconds of a moment in an environment that started at `start`. */
export const resolve = (moment: Moment, start: number): number =>
  isRelative(moment) ? moment.after + start : moment.at;

/** In texts to sort by, relative moments are far later than any date that RFC 3339 can write. */
const RELATIVE = 4e15;
const FIRST_RELATIVE = 2e15;
const SORT_OFFSET = 1e15;

/** A text to sort by: absolute moments come first, then relative ones, each in order of time. */
export const sortable = (moment: Moment): string =>
  String(resolve(moment, RELATIVE) + SORT_OFFSET).padStart(16, '0');

export const fromSortable = (text: string): Moment => {
  const ms = Number(text) - SORT_OFFSET;
  return ms < FIRST_RELATIVE ? absolute(ms) : fromStart(ms - RELATIVE);
};

/** The first of these texts that stands for a relative moment. */
export const FIRST_RELATIVE_TEXT = String(FIRST_RELATIVE + SORT_OFFSET);

export type Instant = Omit<ReturnType<typeof instantAt>, 'validity'>;

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
    /** What the clock shows, in epoch milliseconds. */
    now,
    /** When the environment started, in epoch milliseconds; relative moments count from it (behaviour E6). */
    start,
    /** Whether `now` is at or after `end` (behaviour T9); false if `end` is undefined. */
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

export const wireTime = (moment: Moment, env: Pick<Instant, 'start'>): string =>
  toTimestamp(resolve(moment, env.start));

/** Writes the moments of an object as replies show them; leaves out absent moments. */
export const wireTimes = <Name extends string>(
  moments: { readonly [Each in Name]: Moment | undefined },
  env: Pick<Instant, 'start'>,
): { [Each in Name]?: string } => {
  const times: { [Each in Name]?: string } = {};
  for (const name in moments) if (moments[name]) times[name] = wireTime(moments[name], env);
  return times;
};
