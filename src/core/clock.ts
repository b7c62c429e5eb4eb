/** The one place that reads the machine's time; everything else is given `now` (milliseconds since the epoch). */

/** A clock of an environment: running at a distance from real time, or standing still. */
export type Clock =
  | { readonly mode: 'running'; readonly offset: number }
  | { readonly mode: 'frozen'; readonly now: number };

export const REAL_TIME: Clock = { mode: 'running', offset: 0 };

/** Real time in epoch milliseconds. */
export const realNow = (): number => Date.now();

/** Milliseconds that never go back, for durations and for rate limits under a frozen clock (behaviour X2). */
export const monotonicNow = (): number => performance.now();

/** What an environment's clock shows, in epoch milliseconds. */
export const readClock = (clock: Clock, real: number = realNow()): number =>
  clock.mode === 'frozen' ? clock.now : real + clock.offset;

/** The same kind of clock, set to `now`. */
export const setClock = (mode: Clock['mode'], now: number, real: number = realNow()): Clock =>
  mode === 'frozen' ? { mode, now } : { mode, offset: now - real };

/** RFC 3339 UTC with milliseconds and `Z` (behaviour T9). @param ms epoch milliseconds */
export const toTimestamp = (ms: number): string => {
  const known = timestamps.get(ms);
  if (known !== undefined) return known;
  const text = new Date(ms).toISOString();
  if (timestamps.size >= MOST_TIMESTAMPS) timestamps.clear();
  timestamps.set(ms, text);
  return text;
};

/** Rows show the same few instants over and over; writing one anew costs four times as much as finding it. */
const timestamps = new Map<number, string>();
const MOST_TIMESTAMPS = 10_000;

/** Epoch milliseconds of an RFC 3339 date-time, or undefined if it is none. A space before the offset reads as `+`. */
export const parseTimestamp = (text: string): number | undefined => {
  const match = RFC3339.exec(text);
  if (!match) return undefined;
  const [, date = '', time = '', offset = ''] = match;
  const ms = new Date(`${date}T${time}${offset.replace(' ', '+').toUpperCase()}`).getTime();
  return Number.isNaN(ms) || !isOnCalendar(date) ? undefined : ms;
};

const RFC3339 =
  /^(\d{4}-\d{2}-\d{2})[Tt]((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?)([Zz]|[+ -](?:[01]\d|2[0-3]):[0-5]\d)$/;

const isOnCalendar = (date: string): boolean => {
  const day = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date);
};
