/**
 * A point in time as a row holds it: either absolute, or a distance from the environment's start (behaviour E6).
 * A relative one moves with the start, so a reset refreshes all data without touching a row.
 *
 * Encoding, known to this file alone: absolute moments are epoch milliseconds; relative ones are a distance in
 * milliseconds added to RELATIVE, which lies far beyond any date that RFC 3339 can write.
 */

import { toTimestamp } from './clock.ts';

export type Moment = number & { readonly __moment: unique symbol };

const RELATIVE = 4e15;
const FIRST_RELATIVE = 2e15;
const SORT_OFFSET = 1e15;

/** A moment fixed on the calendar. @param ms epoch milliseconds */
export const absolute = (ms: number): Moment => ms as Moment;

/** A moment that keeps its distance from the environment's start. @param ms milliseconds, negative for the past */
export const fromStart = (ms: number): Moment => (RELATIVE + ms) as Moment;

export const isRelative = (moment: Moment): boolean => moment > FIRST_RELATIVE;

/** Epoch milliseconds of a moment in an environment that started at `start`. */
export const resolve = (moment: Moment, start: number): number =>
  isRelative(moment) ? moment - RELATIVE + start : moment;

/** A string that sorts as moments of one kind do; relative ones come after absolute ones. */
export const sortable = (moment: Moment): string => String(moment + SORT_OFFSET).padStart(16, '0');

/** Reads back what `sortable` wrote. */
export const fromSortable = (text: string): Moment => (Number(text) - SORT_OFFSET) as Moment;

/** The first relative moment in sort order: where the absolute ones end. */
export const EARLIEST_RELATIVE = FIRST_RELATIVE as Moment;

/**
 * The instants over which an answer stays the same: no end that was looked at while making it lies between them.
 * `from` is included, `until` is not; both are epoch milliseconds.
 */
export interface ValidityPeriod {
  from: number;
  until: number;
}

/** What time an environment has. `validity`, where there is one, is narrowed by every end that is looked at. */
export interface Instant {
  readonly now: number;
  readonly start: number;
  readonly validity?: ValidityPeriod;
}

/** Whether an end has been reached: everything ends when now >= its end (behaviour T9). An absent end is never reached. */
export const hasEnded = (end: Moment | undefined, { now, start, validity }: Instant): boolean => {
  if (end === undefined) return false;
  const at = resolve(end, start);
  const ended = now >= at;
  if (validity) narrow(validity, at, ended);
  return ended;
};

const narrow = (validity: ValidityPeriod, at: number, ended: boolean): void => {
  if (ended) validity.from = Math.max(validity.from, at);
  else validity.until = Math.min(validity.until, at);
};

/** A moment as the wire shows it. */
export const wireTime = (moment: Moment, env: Pick<Instant, 'start'>): string =>
  toTimestamp(resolve(moment, env.start));

/** Several moments under the names of their members; absent ones are left out. */
export const wireTimes = <Name extends string>(
  moments: { readonly [Each in Name]: Moment | undefined },
  env: Pick<Instant, 'start'>,
): { [Each in Name]?: string } => {
  const present = Object.entries<Moment | undefined>(moments).flatMap(([name, moment]) =>
    moment === undefined ? [] : [[name, wireTime(moment, env)]],
  );
  return Object.fromEntries(present); // it has the names of `moments`
};
