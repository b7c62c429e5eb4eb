/** The formats used by the schema of scenarios. */
import { CLOCK_HINT, parseClockTime } from '../core/clock.ts';
import { type Format, FORMATS as SHARED } from '../openapi/formats.ts';
import { NEVER, parseTime, TIME_HINT } from './times.ts';

export const FORMATS: Readonly<Record<string, Format>> = {
  ...SHARED,
  // Only the clock uses this format; rows use the other formats.
  'date-time': { validate: (text: string) => parseClockTime(text) !== undefined, expected: CLOCK_HINT },
  'scenario-time': { validate: (text: string) => parseTime(text) !== undefined, expected: TIME_HINT },
  'scenario-time-or-never': {
    validate: (text: string) => text === NEVER || parseTime(text) !== undefined,
    expected: `${TIME_HINT}, or never`,
  },
};
