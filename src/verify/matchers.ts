/** Matchers, which an expected body may hold in place of values. `core/contains.ts` calls them. */
import { contains } from '../core/contains.ts';
import { isJsonObject } from '../openapi/document.ts';

export interface Matcher {
  asymmetricMatch(value: unknown): boolean;
  toAsymmetricMatcher(): string;
}

const matcher = (words: string, asymmetricMatch: Matcher['asymmetricMatch']): Matcher => ({
  asymmetricMatch,
  toAsymmetricMatcher: () => words,
});

export const absent = matcher('nothing', (value) => value === undefined);
export const someText = matcher(
  'a text that is not empty',
  (value) => typeof value === 'string' && value !== '',
);
export const empty = matcher(
  'an empty object',
  (value) => value === undefined || (isJsonObject(value) && Object.keys(value).length === 0),
);

export const aText = (shape: RegExp): Matcher =>
  matcher(`a text like ${shape}`, (value) => typeof value === 'string' && shape.test(value));

export const aTime = aText(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);

export const oneOf = (...values: readonly unknown[]): Matcher =>
  matcher(`one of ${values.join(', ')}`, (value) => values.includes(value));

export const not = (unwanted: unknown): Matcher =>
  matcher(`anything but ${unwanted}`, (value) => value !== undefined && value !== unwanted);

/** A time this number of days after another time, give or take a minute. */
export const daysAfter = (start: string, days: number): Matcher =>
  matcher(
    `${days} days after ${start}`,
    (value) =>
      Math.abs(new Date(String(value)).getTime() - new Date(start).getTime() - days * 86_400_000) <= 60_000,
  );

const list = (words: string, accepts: (items: readonly unknown[]) => boolean): Matcher =>
  matcher(`a list ${words}`, (value) => Array.isArray(value) && accepts(value));

/** A list of any length in which every item fits. */
export const listOf = (wanted: unknown): Matcher =>
  list('where every item fits', (items) => items.every((item) => contains(wanted, item)));

/** A list of at least one item in which every item fits. */
export const someOf = (wanted: unknown): Matcher =>
  list(
    'with items that all fit',
    (items) => items.length > 0 && items.every((item) => contains(wanted, item)),
  );

/** A list whose items fit these in order, with no other items. */
export const exactly = (...wanted: readonly unknown[]): Matcher =>
  list(
    `of ${wanted.length} that fit`,
    (items) => items.length === wanted.length && items.every((item, index) => contains(wanted[index], item)),
  );

/** A list in which no item fits. */
export const without = (wanted: unknown): Matcher =>
  list('without such an item', (items) => !items.some((item) => contains(wanted, item)));

/** A list that is sorted by the times in this member, the newest first. */
export const newestFirst = (member: string): Matcher =>
  list('with the newest first', (items) => {
    const times = items.map((item) => (isJsonObject(item) ? Date.parse(String(item[member])) : Number.NaN));
    return times.every((time, index) => index === 0 || time <= (times[index - 1] ?? Number.NaN));
  });
