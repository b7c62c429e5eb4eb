/** The formats that a scenario's schema names. */
import type { Format } from 'ajv';
import addFormats from 'ajv-formats';
import { parseClockTime } from '../core/clock.ts';
import { isSecondsLong, parseDuration } from '../core/duration.ts';
import { isEmail } from '../core/email.ts';
import { NEVER, parseTime } from './times.ts';

const isInt32 = (value: number): boolean => value === (value | 0);

export const FORMATS: Readonly<Record<string, Format>> = {
  email: isEmail,
  uri: addFormats.default.get('uri', 'full'),
  // The clock alone; the times of rows have a format of their own.
  'date-time': (text: string) => parseClockTime(text) !== undefined,
  int32: { type: 'number', validate: isInt32 },
  password: true,
  'duration-or-short': (text: string) => parseDuration(text) !== undefined,
  'duration-of-a-second': isSecondsLong,
  'scenario-time': (text: string) => parseTime(text) !== undefined,
  'scenario-time-or-never': (text: string) => text === NEVER || parseTime(text) !== undefined,
};
