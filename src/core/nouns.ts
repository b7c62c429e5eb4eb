import { DURATION_HINT, SECONDS_HINT } from './duration.ts';

/** What the types of JSON are called in messages. */
export const NOUNS: Readonly<Record<string, string>> = {
  string: 'a text',
  object: 'an object',
  array: 'a list',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  null: 'null',
};

/** What has a format is called, where that is the same in requests and in scenarios. */
export const FORMAT_NOUNS = {
  email: 'an e-mail address',
  int32: 'a whole number of 32 bits, so 2147483647 at most',
  'duration-or-short': DURATION_HINT,
  'duration-of-a-second': SECONDS_HINT,
} as const;
