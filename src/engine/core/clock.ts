/** Clocks, timestamps and durations. Only this file reads the machine's clock. */
import { invalidField } from './errors.ts';

export type EnvironmentClock =
  | { readonly mode: 'running'; readonly offset: number }
  | { readonly mode: 'frozen'; readonly now: number };

const REAL_TIME: EnvironmentClock = { mode: 'running', offset: 0 };

export interface ClockSetting {
  readonly mode: EnvironmentClock['mode'];
  /** The time that the clock then shows, in epoch milliseconds. Default: the time that it shows already. */
  readonly now?: number;
}

/** Real time, in milliseconds since the epoch. */
export const realNow = (): number => Date.now();

/** Milliseconds that never go back, for durations and for rate limits under a frozen clock (behaviour X2). */
export const monotonicNow = (): number => performance.now();

/** What an environment's clock shows, in epoch milliseconds. */
export const clockTime = (clock: EnvironmentClock, real: number = realNow()): number =>
  clock.mode === 'frozen' ? clock.now : real + clock.offset;

/** The clock after it is set. A new clock shows real time. @throws Refusal 400 for a time that clocks cannot show */
export const clockAfter = (
  { mode, now }: ClockSetting,
  before: EnvironmentClock = REAL_TIME,
  real: number = realNow(),
): EnvironmentClock => {
  const instant = now ?? clockTime(before, real);
  if (!canShow(instant))
    throw invalidField('now', 'range', 'The clock cannot be set to this time.', `Choose ${CLOCK_HINT}.`);
  return mode === 'frozen' ? { mode, now: instant } : { mode, offset: instant - real };
};

/** Writes an instant in RFC 3339, in UTC with milliseconds and `Z` (behaviour T9). @param ms epoch milliseconds */
export const toTimestamp = (ms: number): string => new Date(ms).toISOString();

/** The first and last instant that RFC 3339 can write, because RFC 3339 has only the years 0000 to 9999. */
export const FIRST_WRITABLE = Date.parse('0000-01-01T00:00:00Z');
export const LAST_WRITABLE = Date.parse('9999-12-31T23:59:59.999Z');

/** Whether `toTimestamp` can write this instant (epoch milliseconds). */
export const isWritable = (ms: number): boolean => ms >= FIRST_WRITABLE && ms <= LAST_WRITABLE;

/** Epoch milliseconds of an RFC 3339 date-time, else undefined. In a query, a `+` before the offset has become a space. */
export const parseTimestamp = (text: string): number | undefined => {
  const match = RFC3339.exec(text);
  if (!match) return undefined;
  const [, date = '', time = '', offset = ''] = match;
  const ms = new Date(`${date}T${time}${offset.replace(' ', '+').toUpperCase()}`).getTime();
  return isWritable(ms) && isOnCalendar(date) ? ms : undefined;
};

export const isTimestamp = (text: string): boolean => parseTimestamp(text) !== undefined;

/** Not before 1970, as times in tokens cannot be negative, nor after 8999, so that a duration can still be added. */
const canShow = (instant: number): boolean => instant >= 0 && instant < Date.UTC(9000, 0, 1);

/** Epoch milliseconds of a time that a clock can be set to; undefined for any other text. */
export const parseClockTime = (text: string): number | undefined => {
  const instant = parseTimestamp(text);
  return instant !== undefined && canShow(instant) ? instant : undefined;
};

export const CLOCK_HINT = 'an ISO 8601 time such as 2026-01-15T09:30:00Z, in the years 1970 to 8999';

const RFC3339 =
  /^(\d{4}-\d{2}-\d{2})[Tt]((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?)([Zz]|[+ -](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** False for dates such as 31 February, which `Date` accepts as a day in March. */
const isOnCalendar = (date: string): boolean =>
  new Date(`${date}T00:00:00Z`).getUTCDate() === Number(date.slice(-2));

/** The units of durations, in milliseconds. Durations are written `15m`, `2h30m` or, in ISO 8601, `PT15M`, `P3DT2H`. */
const UNITS = { w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000, ms: 1 } as const;

const SHORT =
  /^(?:(\d+(?:\.\d+)?)w)?(?:(\d+(?:\.\d+)?)d)?(?:(\d+(?:\.\d+)?)h)?(?:(\d+(?:\.\d+)?)m(?!s))?(?:(\d+(?:\.\d+)?)s)?(?:(\d+)ms)?$/;
const ISO =
  /^P(?:(\d+(?:\.\d+)?)W)?(?:(\d+(?:\.\d+)?)D)?(?:T(?=\d)(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;

/** A duration in milliseconds; undefined if the text is not a duration or means more than a hundred years. */
export const parseDuration = (text: string): number | undefined => {
  const match = text.length > 40 ? null : (SHORT.exec(text) ?? ISO.exec(text));
  const parts = match?.slice(1);
  if (!parts?.some((part) => part !== undefined)) return undefined;
  const ms = Object.values(UNITS).reduce((sum, unit, index) => sum + Number(parts[index] ?? 0) * unit, 0);
  const aHundredYears = 36_525 * UNITS.d;
  return ms > aHundredYears ? undefined : Math.round(ms);
};

export const isDuration = (text: string): boolean => parseDuration(text) !== undefined;

/** Writes a duration such as `15d`, `2h30m` or `0s`. Below two days, the unit `d` is not used: `36h`. */
export const formatDuration = (ms: number): string => {
  let rest = ms;
  let text = '';
  for (const [name, unit] of Object.entries(UNITS).slice(1)) {
    const count = Math.floor(rest / unit);
    if (count === 0 || (name === 'd' && count === 1)) continue;
    text += `${count}${name}`;
    rest -= count * unit;
  }
  return text || '0s';
};
