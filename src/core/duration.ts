/** Durations, written `15m`, `2h30m`, `3d` or in ISO 8601 (`PT15M`, `P3DT2H`). The code holds them in milliseconds. */

const UNITS = { w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000, ms: 1 } as const;

const SHORT =
  /^(?:(\d+(?:\.\d+)?)w)?(?:(\d+(?:\.\d+)?)d)?(?:(\d+(?:\.\d+)?)h)?(?:(\d+(?:\.\d+)?)m(?!s))?(?:(\d+(?:\.\d+)?)s)?(?:(\d+)ms)?$/;
const ISO =
  /^P(?:(\d+(?:\.\d+)?)W)?(?:(\d+(?:\.\d+)?)D)?(?:T(?=\d)(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;

/** The longest duration accepted: a hundred years. */
const LONGEST = 36_525 * UNITS.d;

/** Milliseconds of a duration, or undefined for any other text and for more than a hundred years. */
export const parseDuration = (text: string): number | undefined => {
  const match = text.length > 40 ? null : (SHORT.exec(text) ?? ISO.exec(text));
  const parts = match?.slice(1);
  if (!parts?.some((part) => part !== undefined)) return undefined;
  const ms = Object.values(UNITS).reduce((sum, unit, index) => sum + Number(parts[index] ?? 0) * unit, 0);
  return ms > LONGEST ? undefined : Math.round(ms);
};

/** The short form of a duration, largest units first: `15d`, `2h30m`, `0s`. One day is written `24h`. */
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

/** The end of an error message about a bad duration. */
export const DURATION_HINT = 'a duration such as 15m, 2h30m, 3d or PT15M, of a hundred years at most';

/** Whether a text is a duration of at least one second. */
export const isSecondsLong = (text: string): boolean => (parseDuration(text) ?? 0) >= UNITS.s;

/** The end of an error message about a duration that is too short. */
export const SECONDS_HINT = 'a duration of a second or more, such as 15m, 2h30m, 3d or PT15M';
