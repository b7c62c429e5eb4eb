/** Matchers, which stand for a value in what a case wants. `core/contains.ts` calls them. */
import { contains, show } from '../engine/core/contains.ts';
import { valueAt } from '../engine/core/object.ts';

/** @param wanted a value in which placeholders are still to be filled in */
export class Matcher {
  constructor(
    readonly words: string,
    readonly asks: (value: unknown, wanted: unknown) => boolean,
    readonly wanted?: unknown,
  ) {}

  asymmetricMatch(value: unknown): boolean {
    return this.asks(value, this.wanted);
  }

  toAsymmetricMatcher(): string {
    return this.wanted === undefined ? this.words : `${this.words} ${show(this.wanted)}`;
  }
}

export const absent = new Matcher('nothing', (value) => value === undefined);
export const someText = new Matcher('a text that is not empty', (value) => typeof value === 'string' && value !== '');
export const empty = new Matcher('an empty object', (value) => JSON.stringify(value ?? {}) === '{}');

/** A text with this shape, or with these words. */
export const like = (shape: RegExp | string) => {
  const has = (value: string, words: unknown) =>
    shape instanceof RegExp ? shape.test(value) : value.includes(String(words));
  return new Matcher('a text like', (value, words) => typeof value === 'string' && has(value, words), String(shape));
};
export const aTime = like(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
export const not = (unwanted: unknown) =>
  new Matcher('anything but', (value, wanted) => value !== undefined && !contains(wanted, value), unwanted);

/** These members and no others, also in objects inside; lists with just these items. */
export const whole = (members: object) =>
  new Matcher('exactly', (value, wanted) => contains(wanted, value) && hasNoOther(wanted, value), members);

const hasNoOther = (wanted: unknown, value: unknown): boolean =>
  typeof wanted !== 'object' ||
  wanted instanceof Matcher ||
  Object.keys(Object(value)).every(
    (name) => name in Object(wanted) && hasNoOther(valueAt(wanted, name), valueAt(value, name)),
  );

/** An error of the API or of the control plane. */
export const anError = (wanted: object) => {
  const of = (body: unknown) => ({
    code: valueAt(body, 'error', 'code') ?? valueAt(body, 'details', 0, 'error_code'),
    message: valueAt(body, 'error', 'message') ?? valueAt(body, 'message'),
  });
  return new Matcher('an error with', (body, parts) => contains(parts, of(body)), wanted);
};

const list = (words: string, wanted: unknown, accepts: (items: readonly unknown[], wanted: unknown) => boolean) =>
  new Matcher(words, (value, filled) => Array.isArray(value) && accepts(value, filled), wanted);

export const listOf = (wanted: unknown) =>
  list('a list whose items all match', wanted, (items, each) => items.every((item) => contains(each, item)));
/** A list of just these items, in this order. */
export const exactly = (...wanted: readonly unknown[]) =>
  list('a list of just', wanted, (items, all) => items.length === wanted.length && contains({ ...Object(all) }, items));
export const newestFirst = (member: string) =>
  list('a list with the newest first, by', member, (items) => {
    const times = items.map((item) => Date.parse(String(valueAt(item, member))));
    return times.every((time, nth) => nth === 0 || time <= (times[nth - 1] ?? Number.NaN));
  });
