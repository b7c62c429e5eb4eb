/** The formats that a scenario's schema names. */
import type { Format } from 'ajv';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { parseDuration } from '../core/duration.ts';
import { NEVER, parseTime } from './times.ts';

export const FORMATS: Readonly<Record<string, Format>> = {
  email: fullFormats.email,
  uri: fullFormats.uri,
  'date-time': fullFormats['date-time'],
  int32: true,
  int64: true,
  password: true,
  'duration-or-short': (text: string) => parseDuration(text) !== undefined,
  'scenario-time': (text: string) => parseTime(text) !== undefined,
  'scenario-time-or-never': (text: string) => text === NEVER || parseTime(text) !== undefined,
};
