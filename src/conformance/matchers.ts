/** Matchers, which stand for a value in what a case wants. `core/contains.ts` calls them. */
import { contains } from '../engine/core/contains.ts';
import { parseJson, valueAt } from '../engine/core/object.ts';

/** @param wanted a value in which placeholders are still to be filled in */
export class Matcher {
  constructor(
    readonly words: string,
    readonly test: (value: unknown, wanted: unknown) => boolean,
    readonly wanted?: unknown,
  ) {}

  asymmetricMatch(value: unknown): boolean {
    return this.test(value, this.wanted);
  }

  toJSON(): string {
    return this.toAsymmetricMatcher();
  }

  toAsymmetricMatcher(): string {
    return this.wanted === undefined ? this.words : `${this.words} ${JSON.stringify(this.wanted)}`;
  }
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Matcher);

export const absent = new Matcher('nothing', (value) => value === undefined);
export const someText = new Matcher('a text that is not empty', (value) => isText(value) && value !== '');
export const empty = new Matcher(
  'an empty object',
  (value) => value === undefined || (isPlain(value) && Object.keys(value).length === 0),
);

/** A text with this shape, or with these words. */
export const like = (shape: RegExp | string) =>
  new Matcher(
    `a text like`,
    (value, wanted) => isText(value) && (shape instanceof RegExp ? shape.test(value) : value.includes(String(wanted))),
    String(shape),
  );
export const aTime = like(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
export const not = (unwanted: unknown) =>
  new Matcher('anything but', (value, wanted) => value !== undefined && !contains(wanted, value), unwanted);

/** These members and no others, also in objects inside; lists with just these items. */
export const whole = (members: object) =>
  new Matcher(WHOLE, (value, wanted) => contains(opened(wanted, value, true), value), members);
const WHOLE = 'exactly';

/** `wanted` with `absent` for each member of `value` that `whole` does not allow, so that the differences name it. */
export const opened = (wanted: unknown, value: unknown, isWhole = false): unknown => {
  if (wanted instanceof Matcher) return wanted.words === WHOLE ? opened(wanted.wanted, value, true) : wanted;
  if (Array.isArray(wanted))
    return isWhole ? exactly(...wanted.map((each, nth) => opened(each, valueAt(value, nth), true))) : wanted;
  if (!isPlain(wanted)) return wanted;
  const members = Object.entries(wanted).map(
    ([name, each]) => [name, opened(each, valueAt(value, name), isWhole)] as const,
  );
  const others = isWhole ? Object.keys(Object(value)).filter((name) => !(name in wanted)) : [];
  return Object.fromEntries([...members, ...others.map((name) => [name, absent] as const)]);
};

/** A JWT with exactly these claims, or a part of them. */
export const jwt = (claims: unknown) =>
  new Matcher(
    'a JWT with the claims',
    (value, wanted) =>
      contains(wanted, parseJson(Buffer.from(String(value).split('.')[1] ?? '', 'base64url').toString())),
    claims,
  );

const list = (words: string, wanted: unknown, accepts: (items: readonly unknown[], wanted: unknown) => boolean) =>
  new Matcher(words, (value, filled) => Array.isArray(value) && accepts(value, filled), wanted);

export const listOf = (wanted: unknown) =>
  list('a list whose items all match', wanted, (items, each) => items.every((item) => contains(each, item)));
export const someOf = (wanted: unknown) =>
  list(
    'a list that is not empty and whose items all match',
    wanted,
    (items, each) => items.length > 0 && items.every((item) => contains(each, item)),
  );
export const without = (wanted: unknown) =>
  list('a list without', wanted, (items, each) => !items.some((item) => contains(each, item)));
/** A list of just these items, in this order. */
export const exactly = (...wanted: readonly unknown[]) =>
  list(
    'a list of just',
    wanted,
    (items, all) =>
      Array.isArray(all) && items.length === all.length && all.every((each, nth) => contains(each, items[nth])),
  );
export const newestFirst = (member: string) =>
  list('a list with the newest first, by', member, (items) => {
    const times = items.map((item) => Date.parse(String(valueAt(item, member))));
    return times.every((time, nth) => nth === 0 || time <= (times[nth - 1] ?? Number.NaN));
  });
