/** Explains in words what a schema keyword requires. Also defines the formats that our schemas use. */
import type { FormatDefinition } from 'ajv';
import addFormats from 'ajv-formats';
import { isEmail } from '../core/addresses.ts';
import { CLOCK_HINT, isDuration, isTimestamp, parseClockTime, parseDuration } from '../core/clock.ts';
import type { JsonObject } from './document.ts';

/** How to check a format, and the words that describe it in messages. */
export type Format = (FormatDefinition<string> | FormatDefinition<number>) & { readonly expected: string };

const isUri = addFormats.default.get('uri', 'full') as RegExp | ((text: string) => boolean); // the cast is safe: `uri` is a pattern or a function, but `get` is declared to return any kind of format

export const FORMATS = {
  email: { type: 'string', validate: isEmail, expected: 'an e-mail address' },
  uri: { type: 'string', validate: isUri, expected: 'an absolute URL with http or https, in ASCII' },
  'date-time': {
    type: 'string',
    validate: isTimestamp,
    expected: 'a time such as 2026-03-01T12:00:00Z',
  },
  'clock-time': {
    type: 'string',
    validate: (text: string) => parseClockTime(text) !== undefined,
    expected: CLOCK_HINT,
  },
  int32: {
    type: 'number',
    validate: (value: number) => value === (value | 0),
    expected: 'a 32-bit whole number (at most 2147483647)',
  },
  password: { type: 'string', validate: () => true, expected: 'a string' },
  'duration-or-short': {
    type: 'string',
    validate: isDuration,
    expected: 'a duration such as 15m, 2h30m, 3d or PT15M, at most a hundred years',
  },
  'duration-of-a-second': {
    type: 'string',
    validate: (text: string) => (parseDuration(text) ?? 0) >= 1_000,
    expected: 'a duration of a second or more, such as 15m, 2h30m, 3d or PT15M',
  },
} as const satisfies Readonly<Record<string, Format>>;

const NOUNS: Readonly<Record<string, string>> = {
  string: 'a string',
  object: 'an object',
  array: 'a list',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  null: 'null',
};

/** The types as words: "a string or null". */
export const nounOf = (types: unknown): string =>
  [types]
    .flat()
    .map((type) => NOUNS[String(type)] ?? String(type))
    .join(' or ');

/** A number with its noun: "1 item", "2 items". */
const count = (limit: string, noun: string): string => `${limit} ${noun}${limit === '1' ? '' : 's'}`;

const LIMITS: Readonly<Record<string, (limit: string) => string>> = {
  minLength: (limit) => `must have at least ${count(limit, 'character')}`,
  maxLength: (limit) => `must have at most ${count(limit, 'character')}`,
  minItems: (limit) => `must have at least ${count(limit, 'item')}`,
  maxItems: (limit) => `must have at most ${count(limit, 'item')}`,
  minProperties: (limit) => `must have at least ${count(limit, 'member')}`,
  maxProperties: (limit) => `must have at most ${count(limit, 'member')}`,
  minimum: (limit) => `must be ${limit} or more`,
  maximum: (limit) => `must be ${limit} or less`,
};

/** The values that the schemas list as allowed, by `const` or `enum`. */
export const allowedBy = (schemas: readonly JsonObject[]): string[] =>
  schemas.flatMap((schema) => {
    if (schema.const !== undefined) return [String(schema.const)];
    return Array.isArray(schema.enum) ? schema.enum.map(String) : [];
  });

/**
 * The end of a sentence about a value: "must be ...". For a pattern, a format, a number or a union, `x-expected` supplies
 * the words.
 * @param schemas the value's schema, and any schemas in its `allOf` etc.
 * @param types with the keyword `type`, the types that are allowed
 */
export const requirementOf = (
  keyword: string,
  schemas: readonly JsonObject[],
  formats: Readonly<Record<string, Format>> = FORMATS,
  types: readonly string[] = [],
): string => {
  const said = schemas.find((schema) => 'x-expected' in schema);
  if (said && said.type !== 'string') return `must be ${String(said['x-expected'])}`;
  const say = LIMITS[keyword];
  if (say) return say(String(schemas.find((schema) => schema[keyword] !== undefined)?.[keyword]));
  if (keyword === 'enum' || keyword === 'const') {
    const allowed = allowedBy(schemas);
    return `must be ${allowed.length > 1 ? 'one of ' : ''}${allowed.join(', ')}`;
  }
  const own = keyword === 'type' ? schemas.filter(({ type }) => String(type) === String(types)) : schemas;
  const format = own.map((schema) => formats[String(schema.format)]?.expected).find(Boolean);
  if (keyword === 'type' && format === undefined) return `must be ${nounOf(types)}`;
  const expected = said?.['x-expected'] ?? format;
  const orNull = own.some(({ type }) => Array.isArray(type) && type.includes('null')) ? ', or null' : '';
  return expected === undefined ? 'has the wrong format' : `must be ${String(expected)}${orNull}`;
};
