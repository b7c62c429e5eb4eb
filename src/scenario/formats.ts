/** The formats that a scenario's schema names: what has them, and how messages call it. */
import type { FormatDefinition } from 'ajv';
import addFormats from 'ajv-formats';
import { isEmail } from '../core/addresses.ts';
import { CLOCK_HINT, parseClockTime } from '../core/clock.ts';
import { isSecondsLong, parseDuration } from '../core/duration.ts';
import { FORMAT_NOUNS } from '../core/nouns.ts';
import { NEVER, parseTime, TIME_HINT } from './times.ts';

type Format = (FormatDefinition<string> | FormatDefinition<number>) & { readonly expected: string };

const isUri = addFormats.default.get('uri', 'full') as RegExp | ((text: string) => boolean); // as its types do not say

export const FORMATS: Readonly<Record<string, Format>> = {
  email: { validate: isEmail, expected: FORMAT_NOUNS.email },
  uri: { validate: isUri, expected: 'a URL' },
  // The clock alone; the times of rows have a format of their own.
  'date-time': { validate: (text: string) => parseClockTime(text) !== undefined, expected: CLOCK_HINT },
  int32: {
    type: 'number',
    validate: (value: number) => value === (value | 0),
    expected: FORMAT_NOUNS.int32,
  },
  password: { validate: () => true, expected: 'a text' },
  'duration-or-short': {
    validate: (text: string) => parseDuration(text) !== undefined,
    expected: FORMAT_NOUNS['duration-or-short'],
  },
  'duration-of-a-second': { validate: isSecondsLong, expected: FORMAT_NOUNS['duration-of-a-second'] },
  'scenario-time': { validate: (text: string) => parseTime(text) !== undefined, expected: TIME_HINT },
  'scenario-time-or-never': {
    validate: (text: string) => text === NEVER || parseTime(text) !== undefined,
    expected: `${TIME_HINT}, or never`,
  },
};
