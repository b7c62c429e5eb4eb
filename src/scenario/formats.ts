/** The formats that a scenario's schema names. */
import type { Format } from 'ajv';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { parseClockTime } from '../core/clock.ts';
import { isSecondsLong, parseDuration } from '../core/duration.ts';
import { NEVER, parseTime } from './times.ts';

export const FORMATS: Readonly<Record<string, Format>> = {
  email: fullFormats.email,
  uri: fullFormats.uri,
  // The clock alone; the times of rows have a format of their own.
  'date-time': (text: string) => parseClockTime(text) !== undefined,
  int32: true,
  int64: true,
  password: true,
  'duration-or-short': (text: string) => parseDuration(text) !== undefined,
  'duration-of-a-second': isSecondsLong,
  'scenario-time': (text: string) => parseTime(text) !== undefined,
  'scenario-time-or-never': (text: string) => text === NEVER || parseTime(text) !== undefined,
};
