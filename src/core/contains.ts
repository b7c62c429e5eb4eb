/**
 * Whether all of one value is in another, and where it is not. Wanted values may be a test runner's own matchers, such as
 * `expect.any(String)`.
 */
import { isSecretName } from './secrets.ts';

export interface Difference {
  /** Such as `body.connector is "calendar", not "mail"`. */
  readonly words: string;
  /** A matcher of the runner decided, which the mock itself knows nothing of. */
  readonly isByMatcher: boolean;
}

interface Matcher {
  asymmetricMatch(value: unknown): boolean;
  /** Its name, such as `Any<String>`. */
  toAsymmetricMatcher?(): string;
}

const isMatcher = (wanted: unknown): wanted is Matcher =>
  typeof wanted === 'object' && wanted !== null && 'asymmetricMatch' in wanted;

/** Members that are wanted, and items of lists, have to be there; others may be. @param path of `value` */
export const differences = (wanted: unknown, value: unknown, path: string): readonly Difference[] => {
  if (isMatcher(wanted)) return wanted.asymmetricMatch(value) ? [] : [different(wanted, value, path)];
  if (typeof wanted !== 'object' || wanted === null)
    return Object.is(wanted, value) ? [] : [different(wanted, value, path)];
  if (typeof value !== 'object' || value === null) return [different(wanted, value, path)];
  if (Array.isArray(wanted)) return missingItems(wanted, value, path);
  return Object.entries(wanted).flatMap(([name, member]) =>
    differences(member, Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined, `${path}.${name}`),
  );
};

const missingItems = (wanted: readonly unknown[], value: object, path: string): readonly Difference[] =>
  Array.isArray(value)
    ? wanted
        .filter((item) => value.every((other) => differences(item, other, path).length > 0))
        .map((item) => different(item, value, path))
    : [different(wanted, value, path)];

/** What stands under the name of a credential is not shown. */
const different = (wanted: unknown, value: unknown, path: string): Difference => {
  const is = value === undefined ? 'is missing' : `is ${isSecretName(path) ? 'another value' : show(value)}`;
  const expected = isSecretName(path) ? '' : `, expected ${show(wanted)}`;
  return { words: `${path} ${is}${expected}`, isByMatcher: isMatcher(wanted) };
};

/** What the mock can compare by itself; undefined if that is nothing. */
export const withoutMatchers = (wanted: unknown): unknown => {
  if (isMatcher(wanted)) return undefined;
  if (Array.isArray(wanted)) return wanted.filter((item) => !isMatcher(item)).map(withoutMatchers);
  if (typeof wanted !== 'object' || wanted === null) return wanted;
  return Object.fromEntries(Object.entries(wanted).map(([name, member]) => [name, withoutMatchers(member)]));
};

/** In one line, without credentials. */
export const show = (value: unknown): string => {
  const text = JSON.stringify(value, (name, member: unknown) => {
    if (isMatcher(member)) return member.toAsymmetricMatcher?.() ?? String(member);
    return isSecretName(name) && typeof member === 'string' ? '***' : member;
  });
  return text.length > 200 ? `${text.slice(0, 200)}...` : text;
};
