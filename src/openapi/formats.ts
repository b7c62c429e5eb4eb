/** The formats of our schemas: how to check each, and its name in messages. */
import type { FormatDefinition } from 'ajv';
import addFormats from 'ajv-formats';
import { isEmail } from '../core/addresses.ts';
import { DURATION_HINT, isDuration, isSecondsLong, isTimestamp, SECONDS_HINT } from '../core/clock.ts';

export type Format = (FormatDefinition<string> | FormatDefinition<number>) & { readonly expected: string };

const isUri = addFormats.default.get('uri', 'full') as RegExp | ((text: string) => boolean); // the types of `addFormats` leave out `get`

export const FORMATS = {
  email: { type: 'string', validate: isEmail, expected: 'an e-mail address' },
  uri: { type: 'string', validate: isUri, expected: 'an absolute URL with http or https, in ASCII' },
  'date-time': {
    type: 'string',
    validate: isTimestamp,
    expected: 'a time such as 2026-03-01T12:00:00Z',
  },
  int32: {
    type: 'number',
    validate: (value: number) => value === (value | 0),
    expected: 'a whole number of 32 bits, so 2147483647 at most',
  },
  password: { type: 'string', validate: () => true, expected: 'a text' },
  'duration-or-short': { type: 'string', validate: isDuration, expected: DURATION_HINT },
  'duration-of-a-second': { type: 'string', validate: isSecondsLong, expected: SECONDS_HINT },
} as const satisfies Readonly<Record<string, Format>>;
