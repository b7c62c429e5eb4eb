/** Patterns of bodies: what a case names must be there and fit; whatever else a body holds is not looked at. */
import { isJsonObject } from '../openapi/document.ts';

/** A requirement on one value. */
export interface Check {
  /** Ends the sentence "NAME should be ...". */
  readonly expected: string;
  readonly accepts: (value: unknown) => boolean;
}

export type Pattern =
  | string
  | number
  | boolean
  | Check
  | readonly Pattern[]
  | { readonly [member: string]: Pattern };

/** What does not fit, a sentence each; empty if the value fits. @param place how messages name the value */
export const mismatches = (pattern: Pattern, value: unknown, place = 'the body'): readonly string[] => {
  if (isCheck(pattern)) return pattern.accepts(value) ? [] : [wrong(place, pattern.expected, value)];
  if (Array.isArray(pattern)) return listMismatches(pattern, value, place);
  if (typeof pattern !== 'object')
    return value === pattern ? [] : [wrong(place, JSON.stringify(pattern), value)];
  if (!isJsonObject(value)) return [wrong(place, 'an object', value)];
  return Object.entries(pattern).flatMap(([name, member]) =>
    mismatches(member, Object.hasOwn(value, name) ? value[name] : undefined, join(place, name)),
  );
};

const listMismatches = (patterns: readonly Pattern[], value: unknown, place: string): readonly string[] => {
  if (!Array.isArray(value)) return [wrong(place, 'a list', value)];
  if (value.length !== patterns.length)
    return [`${place} should have ${patterns.length} items, but has ${value.length}`];
  return patterns.flatMap((pattern, index) => mismatches(pattern, value[index], `${place}[${index}]`));
};

const isCheck = (pattern: Pattern): pattern is Check =>
  typeof pattern === 'object' && 'accepts' in pattern && typeof pattern.accepts === 'function';

const join = (place: string, name: string): string => (place === 'the body' ? name : `${place}.${name}`);

const wrong = (place: string, expected: string, value: unknown): string =>
  `${place} should be ${expected}, but ${value === undefined ? 'is not there' : `is ${show(place, value)}`}`;

const CREDENTIAL = /token|secret|password|authorization_details|access_key|(^|\.)(link|details\.)/;

/** A value as messages show it, and never from a place where a credential can stand. */
const show = (place: string, value: unknown): string => {
  if (CREDENTIAL.test(place)) return `another ${typeof value}`;
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (isJsonObject(value))
    return `an object with ${Object.keys(value).slice(0, 10).join(', ') || 'no member'}`;
  return JSON.stringify(value) ?? String(value);
};

const check = (expected: string, accepts: Check['accepts']): Check => ({ expected, accepts });

export const absent = check('absent', (value) => value === undefined);
export const someText = check(
  'a text that is not empty',
  (value) => typeof value === 'string' && value !== '',
);
export const empty = check(
  'empty',
  (value) => value === undefined || (isJsonObject(value) && Object.keys(value).length === 0),
);
export const aTime = check('a UTC date-time', (value) => typeof value === 'string' && UTC.test(value));

const UTC = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;

export const aText = (shape: RegExp): Check =>
  check(`a text like ${shape}`, (value) => typeof value === 'string' && shape.test(value));

export const oneOf = (...values: readonly unknown[]): Check =>
  check(`one of ${values.join(', ')}`, (value) => values.includes(value));

export const not = (unwanted: string | number): Check =>
  check(`anything but ${unwanted}`, (value) => value !== undefined && value !== unwanted);

export const atLeast = (least: number): Check =>
  check(`${least} or more`, (value) => typeof value === 'number' && value >= least);

/** A whole number of 32 bits. */
export const anInteger = check(
  'a whole number of 32 bits',
  (value) => typeof value === 'number' && Math.trunc(value) === value && Math.abs(value) < 2 ** 31,
);
export const aSwitch = oneOf(true, false);

/** A time that lies so many milliseconds after an RFC 3339 time, give or take a minute. */
export const timeAfter = (start: string, milliseconds: number): Check =>
  check(`${milliseconds / 60_000} minutes after ${start}`, (value) => {
    const distance = typeof value === 'string' ? parse(value) - parse(start) - milliseconds : Number.NaN;
    return Math.abs(distance) <= 60_000;
  });

const parse = (time: string): number => new Date(time).getTime();

const list = (expected: string, accepts: (items: readonly unknown[]) => boolean): Check =>
  check(`a list ${expected}`, (value) => Array.isArray(value) && accepts(value));

/** A list of any length whose every item fits. */
export const listOf = (pattern: Pattern): Check =>
  list('whose every item fits the filter', (items) => items.every((item) => fits(pattern, item)));

/** The same with one item at least. */
export const someOf = (pattern: Pattern): Check =>
  list(
    'with items that all fit the filter',
    (items) => items.length > 0 && items.every((item) => fits(pattern, item)),
  );

/** A list with an item that fits. */
export const including = (pattern: Pattern): Check =>
  list('with the item asked for', (items) => items.some((item) => fits(pattern, item)));

/** A list without any item that fits. */
export const without = (pattern: Pattern): Check =>
  list('without such an item', (items) => !items.some((item) => fits(pattern, item)));

export const ofLength = (length: number): Check => list(`of ${length}`, (items) => items.length === length);

/** Times that never rise, in this member of the items. */
export const newestFirst = (member: string): Check =>
  list('with the newest first', (items) => {
    const times = items.map((item) => (isJsonObject(item) ? parse(String(item[member])) : Number.NaN));
    return times.every((time, index) => index === 0 || time <= (times[index - 1] ?? Number.NaN));
  });

const fits = (pattern: Pattern, value: unknown): boolean => mismatches(pattern, value).length === 0;
