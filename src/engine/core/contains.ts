/**
 * Checks whether a value has all wanted members and items, and lists the differences. A wanted value can also be a test
 * runner's matcher, such as `expect.any(String)`. The names `user_id` and `userId` count as the same (behaviour T3).
 */
import { isSecretName, MASK, withoutTokens } from './secrets.ts';
import { cut, otherSpelling } from './text.ts';

export interface Difference {
  /** A sentence such as `body.connector is "calendar", expected "mail"`. */
  readonly words: string;
  /** Whether a matcher of the test runner found the difference. */
  readonly isByMatcher: boolean;
}

interface Matcher {
  asymmetricMatch(value: unknown): boolean;
  /** The name of the matcher, such as `Any<String>`. */
  toAsymmetricMatcher?(): string;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

export const isMatcher = (wanted: unknown): wanted is Matcher =>
  isObject(wanted) && 'asymmetricMatch' in wanted && typeof wanted.asymmetricMatch === 'function';

/** Whether a value has all wanted members and items. It can also have others. Stops at the first difference. */
export const contains = (wanted: unknown, value: unknown): boolean =>
  differencesIn(wanted, value, '').next().done === true;

/** Each wanted member or item that is missing or differs. @param path the path of `value`, such as `body` */
export const differences = (wanted: unknown, value: unknown, path: string): readonly Difference[] => [
  ...differencesIn(wanted, value, path),
];

function* differencesIn(wanted: unknown, value: unknown, path: string): Generator<Difference> {
  if (isMatcher(wanted) || !isObject(wanted) || !isObject(value)) {
    if (!isSame(wanted, value)) yield different(wanted, value, path);
  } else if (!Array.isArray(wanted))
    for (const [name, member] of Object.entries(wanted))
      yield* differencesIn(member, memberOf(value, name), `${path}.${name}`);
  else if (!Array.isArray(value)) yield different(wanted, value, path);
  else
    for (const item of wanted)
      if (!value.some((other) => contains(item, other))) yield different(item, value, path);
}

const isSame = (wanted: unknown, value: unknown): boolean =>
  isMatcher(wanted) ? wanted.asymmetricMatch(value) : Object.is(wanted, value);

const memberOf = (value: object, name: string): unknown => {
  const spelling = Object.hasOwn(value, name) ? name : otherSpelling(name);
  return Object.hasOwn(value, spelling) ? Reflect.get(value, spelling) : undefined;
};

/** `words` never contains a credential. It is a getter, because most callers only count differences. */
const different = (wanted: unknown, value: unknown, path: string): Difference => ({
  get words() {
    const isSecret = isSecretName(path);
    const is = value === undefined ? 'is missing' : `is ${isSecret ? 'another value' : show(value)}`;
    return `${path} ${is}${isSecret ? '' : `, expected ${show(wanted)}`}`;
  },
  isByMatcher: isMatcher(wanted),
});

/** A wanted value without its matchers; undefined if the value is a matcher. */
export const withoutMatchers = (wanted: unknown): unknown => {
  if (isMatcher(wanted)) return undefined;
  if (Array.isArray(wanted)) return wanted.filter((item) => !isMatcher(item)).map(withoutMatchers);
  if (!isObject(wanted) || 'toJSON' in wanted) return wanted; // such as a Date
  const members = Object.entries(wanted).filter(([, member]) => !isMatcher(member));
  return Object.fromEntries(members.map(([name, member]) => [name, withoutMatchers(member)]));
};

/** A value as one line of JSON, shortened, with credentials masked. */
export const show = (value: unknown): string => {
  const text = JSON.stringify(value, (name, member: unknown) => {
    if (isMatcher(member)) return member.toAsymmetricMatcher?.() ?? String(member);
    if (typeof member !== 'string') return member;
    return isSecretName(name) ? MASK : withoutTokens(member);
  });
  return cut(text, 200);
};
