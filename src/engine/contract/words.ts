/**
 * Says what a schema keyword requires, and what is wrong with a value or name: the same words in a scenario, over HTTP and
 * in code (behaviour N2, N5). Also defines the formats that our schemas use.
 */
import type { FormatDefinition } from 'ajv';
import addFormats from 'ajv-formats';
import { isEmail } from '../core/addresses.ts';
import { CLOCK_HINT, isDuration, isTimestamp, parseClockTime, parseDuration } from '../core/clock.ts';
import { isJsonObject, type JsonObject } from '../core/object.ts';
import { cut, didYouMean, listNames, misfit, nearest } from '../core/text.ts';
import { isSecretMember, otherNames } from './marks.ts';

/** How to check a format, and the words that describe it in messages. */
export type Format = (FormatDefinition<string> | FormatDefinition<number>) & { readonly expected: string };

const isUri = addFormats.default.get('uri', 'full') as RegExp | ((text: string) => boolean); // the cast is safe: `uri` is a pattern or a function, but `get` is declared to return any kind of format

const format = (validate: RegExp | ((text: string) => boolean), expected: string) =>
  ({ type: 'string', validate, expected }) as const;

export const FORMATS = {
  email: format(isEmail, 'an e-mail address'),
  uri: format(isUri, 'an absolute URL with http or https, in ASCII'),
  'date-time': format(isTimestamp, 'a time such as 2026-03-01T12:00:00Z'),
  'clock-time': format((text) => parseClockTime(text) !== undefined, CLOCK_HINT),
  int32: {
    type: 'number',
    validate: (value: number) => value === (value | 0),
    expected: 'a 32-bit whole number (at most 2147483647)',
  },
  password: format(() => true, 'a string'),
  'duration-or-short': format(
    isDuration,
    'a duration such as 15m, 2h30m, 3d or PT15M, at most a hundred years',
  ),
  'duration-of-a-second': format(
    (text) => (parseDuration(text) ?? 0) >= 1_000,
    'a duration of a second or more, such as 15m, 2h30m, 3d or PT15M',
  ),
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

const COUNTED: Readonly<Record<string, string>> = {
  Length: 'character',
  Items: 'item',
  Properties: 'member',
};

/** What a limit requires: "must have at most 2 items"; undefined for a keyword that sets no limit. */
const limitWords = (keyword: string, schemas: readonly JsonObject[]): string | undefined => {
  const [, end, of = ''] = /^(min|max)(imum|Length|Items|Properties)$/.exec(keyword) ?? [];
  if (end === undefined) return undefined;
  const limit = schemas.find((schema) => schema[keyword] !== undefined)?.[keyword];
  if (of === 'imum') return `must be ${limit} or ${end === 'min' ? 'more' : 'less'}`;
  return `must have at ${end === 'min' ? 'least' : 'most'} ${limit} ${COUNTED[of]}${limit === 1 ? '' : 's'}`;
};

/** The values that the schemas list as allowed. */
const allowedBy = (schemas: readonly JsonObject[]): string[] =>
  schemas.flatMap((schema) => [schema.const ?? schema.enum ?? []].flat().map(String));

/**
 * The end of a sentence about a value: "must be ...". `x-expected` has the words for a pattern, a format or a union.
 * @param schemas the value's schema, and those in its `allOf` etc. @param types those that the keyword `type` allows
 */
export const requirementOf = (
  keyword: string,
  schemas: readonly JsonObject[],
  formats: Readonly<Record<string, Format>> = FORMATS,
  types: readonly string[] = [],
): string => {
  const said = schemas.find((schema) => 'x-expected' in schema);
  if (said && said.type !== 'string') return `must be ${String(said['x-expected'])}`;
  const limit = limitWords(keyword, schemas);
  if (limit !== undefined) return limit;
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

/** A value, and the keyword of its schema that it breaks. */
export interface WrongValue {
  readonly keyword: string;
  readonly value: unknown;
  readonly path: readonly (string | number)[];
  /** The value's schema, and those in its `allOf` etc. */
  readonly forms: readonly JsonObject[];
  /** With the keyword `type`: the types that are allowed. */
  readonly types: readonly string[];
  /** Default: the formats of the contract. */
  readonly formats?: Readonly<Record<string, Format>>;
  /** A number as a file has it. */
  readonly written?: string | undefined;
}

/** What is wrong, after the value's name: `is 5, but must be a string`. @param others errors about the same value */
export const describeWrong = (wrong: WrongValue, others: readonly WrongValue[] = []): string => {
  const [first = '', ...more] = new Set(
    [wrong, ...others].map(({ keyword, forms, types, formats }) =>
      requirementOf(keyword, forms, formats, types),
    ),
  );
  return misfit(shownValue(wrong), [first, ...more.map((one) => one.replace(/^must be /, ''))].join(', or '));
};

/**
 * The value, shortened; undefined where a credential could appear. A string sent in place of an object is often that
 * object as JSON, so the string is not shown either.
 */
export const shownValue = ({ value, path, types, written }: WrongValue): string | undefined => {
  if (value === undefined || path.some((step) => isSecretMember(String(step)))) return undefined;
  if (Array.isArray(value)) return 'a list';
  if (isJsonObject(value)) return 'an object';
  const isText = typeof value === 'string';
  if (isText && (types.includes('object') || types.includes('array'))) return 'a string';
  return cut(written ?? JSON.stringify(value));
};

/** What to do about a wrong value, if a typing mistake explains it; else "". */
export const adviceOn = ({ keyword, value, forms, types }: WrongValue): string => {
  const known = keyword === 'enum' || keyword === 'const' ? allowedBy(forms) : [];
  if (typeof value === 'string') {
    const isUnquoted =
      known.includes(value) ||
      (types.includes('boolean') && /^(true|false)$/.test(value)) ||
      (types.some((type) => type === 'integer' || type === 'number') && /^-?\d+$/.test(value));
    return isUnquoted ? `Write ${value} without quotes.` : didYouMean(value, known).trim();
  }
  if (typeof value !== 'number' && typeof value !== 'boolean') return '';
  const isText = types.includes('string') && forms.every((form) => form.format === undefined);
  return isText || known.includes(String(value)) ? 'Write it in quotes.' : '';
};

/** Names by which other tools call what faults and stubs call so. */
const OTHER_WORDS = [
  { pattern: /^(?:delay|timeout|latency|wait)(?:_?ms)?$/i, meant: 'delay_ms' },
  { pattern: /^(?:http_?)?(?:status|status_?code)$/i, meant: 'status' },
  { pattern: /^op(?:eration_?id)?$/i, meant: 'operation' },
];

export type NameKind = 'member' | 'parameter';

/** What is wrong with an unknown name, after the name itself. */
export const unknownWords = (kind: NameKind): string => `is not a known ${kind}`;

/** The known name that was probably meant by an unknown one; undefined if none is like it. */
export const nameMeant = (name: string, known: readonly string[]): string | undefined =>
  [...otherNames(), ...OTHER_WORDS].find(({ pattern, meant }) => pattern.test(name) && known.includes(meant))
    ?.meant ?? nearest(name, known);

/** What to do about an unknown name: the known name that was probably meant, or else all known names. */
export const adviceOnName = (name: string, known: readonly string[], kind: NameKind): string => {
  const meant = nameMeant(name, known);
  if (meant !== undefined) return `Did you mean "${meant}"?`;
  return known.length === 0 ? 'Leave it out.' : `The ${kind}s are ${listNames(known)}.`;
};
