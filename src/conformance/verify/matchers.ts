/** Matchers. An expected body can contain a matcher in place of a value; `core/contains.ts` calls it. */
import { isJsonObject } from '../../engine/contract/document.ts';
import { contains } from '../../engine/core/contains.ts';
import { valueAt } from '../../engine/core/object.ts';

const matcher = (words: string, asymmetricMatch: (value: unknown) => boolean) => ({
  asymmetricMatch,
  toAsymmetricMatcher: () => words,
});

export const absent = matcher('nothing', (value) => value === undefined);
export const someText = matcher(
  'a string that is not empty',
  (value) => typeof value === 'string' && value !== '',
);
export const empty = matcher(
  'an empty object',
  (value) => value === undefined || (isJsonObject(value) && Object.keys(value).length === 0),
);

export const aText = (shape: RegExp) =>
  matcher(`a string like ${shape}`, (value) => typeof value === 'string' && shape.test(value));

export const aTime = aText(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);

export const not = (unwanted: unknown) =>
  matcher(`anything but ${unwanted}`, (value) => value !== undefined && value !== unwanted);

/** A time this number of days after another time, give or take a minute. */
export const daysAfter = (start: string, days: number) =>
  matcher(`${days} days after ${start}`, (value) => {
    const end = Date.parse(start) + days * 86_400_000;
    return Math.abs(Date.parse(String(value)) - end) <= 60_000;
  });

const list = (words: string, accepts: (items: readonly unknown[]) => boolean) =>
  matcher(`a list ${words}`, (value) => Array.isArray(value) && accepts(value));

export const listOf = (wanted: unknown) =>
  list('whose items all match', (items) => items.every((item) => contains(wanted, item)));

export const someOf = (wanted: unknown) =>
  list(
    'that is not empty and whose items all match',
    (items) => items.length > 0 && listOf(wanted).asymmetricMatch(items),
  );

export const exactly = (...wanted: readonly unknown[]) =>
  list(
    `of exactly ${wanted.length} items, each of which matches`,
    (items) => items.length === wanted.length && items.every((item, index) => contains(wanted[index], item)),
  );

export const without = (wanted: unknown) =>
  list('without an item that matches', (items) => !items.some((item) => contains(wanted, item)));

export const newestFirst = (member: string) =>
  list('with the newest first', (items) => {
    const times = items.map((item) => Date.parse(String(valueAt(item, member))));
    return times.every((time, index) => index === 0 || time <= (times[index - 1] ?? Number.NaN));
  });
