/**
 * Checks what a test writes down (behaviour N6): conditions that select calls and e-mails, in filters, waits and matchers,
 * and the bodies of control calls. What JSON would drop or change is refused, because it would have no effect.
 */
import { inspect } from 'node:util';
import { isMatcher } from '../engine/core/contains.ts';
import { isDate } from './option.ts';
import { requireNames } from './unknown-names.ts';

/** The values that a condition takes. */
interface Kind {
  /** Such as `a string that is not empty`. */
  readonly accepts: string;
  is(value: unknown): boolean;
  /** What is wrong inside of a value that `is` accepts, if anything. */
  readonly inside?: (value: unknown, path: string) => string | undefined;
}

/** Conditions by name. */
export type Conditions = Readonly<Record<string, Kind>>;

const isPlain = (value: unknown): value is object => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null; // of another realm too, as in Jest
};

const isWhole = (value: unknown, lowest: number, highest = Infinity): boolean =>
  Number.isInteger(value) && Number(value) >= lowest && Number(value) <= highest;

const isStatus = (value: unknown): boolean => value === 0 || isWhole(value, 100, 599);

const kind = (accepts: string, is: Kind['is'], inside?: Kind['inside']): Kind => ({
  accepts,
  is,
  ...(inside && { inside }),
});

const text = kind('a string that is not empty', (value) => typeof value === 'string' && value !== '');
const since = kind('a Date or an ISO 8601 time', (value) => text.is(value) || isDate(value));
const parameters = kind(
  'an object of parameters and their values, such as { include: "all" }',
  isPlain,
  (value, path) => {
    const found = Object.entries(Object(value)).find(([, each]) => !isParameter(each));
    return found && wrong(`${path}.${found[0]}`, found[1], 'a string, a number or a boolean');
  },
);
const isParameter = (value: unknown): boolean =>
  ['string', 'boolean'].includes(typeof value) || Number.isFinite(value);

const BODY = 'an object of members, such as { connector: "mail" }';
const status = kind(
  'a status such as 404, a class such as "4xx", or 0 for a cut connection',
  (value) => isStatus(value) || (typeof value === 'string' && /^([1-5]xx|0|[1-5]\d\d)$/.test(value)),
);

const never = (why: string): Kind => kind(`left out: ${why}`, () => false);

/** The conditions of `requests`, `har` and `waitForRequest`. */
export const REQUEST_CONDITIONS = {
  ...{ operation: text, status, path: text, query: parameters, identifier: text },
  body: kind(BODY, isPlain, (value, path) => jsonProblem(value, path)),
  ...{ text, since, wait: text },
  limit: never('all calls that match are returned; take the last one with .at(-1)'),
  format: never('har() returns an archive'),
};

/** The conditions of `outbox` and `waitForEmail`. */
export const EMAIL_CONDITIONS = { to: text, kind: text, since, wait: text };

const timeout = kind('a number of milliseconds or a duration such as "5s"', () => true); // `readTimeout` checks it
const { wait: _, ...withoutWait } = REQUEST_CONDITIONS;
export const REQUEST_WAIT = { ...withoutWait, timeout };
export const EMAIL_WAIT = { to: text, kind: text, since, timeout };

const times = kind('a whole number such as 2', (value) => isWhole(value, 0));
const orMatcher = kind(
  'a string, or a matcher such as expect.stringContaining("Acme")',
  (value) => typeof value === 'string' || isMatcher(value),
);

/** The conditions of `toHaveReceived`. */
export const EXPECTED_CALLS = {
  status: kind(
    'a status such as 404, or a list of one or more, such as [503, 200]',
    (value) => isStatus(value) || (Array.isArray(value) && value.length > 0 && value.every(isStatus)),
  ),
  times,
  body: kind(
    BODY,
    (value) => isPlain(value) || isMatcher(value),
    (value, path) => jsonProblem(value, path, true),
  ),
  query: parameters,
};

/** The conditions of `toHaveSent`. */
export const EXPECTED_EMAILS = {
  ...{ to: orMatcher, kind: orMatcher, subject: orMatcher, link: orMatcher },
  times,
};

/** What is wrong with conditions, if anything. @throws TypeError for an unknown name */
export const conditionProblem = (given: object, conditions: Conditions): string | undefined => {
  if (typeof given === 'object' && given !== null && !isPlain(given))
    return wrong('The filter', given, 'a plain object');
  requireNames(given, Object.keys(conditions));
  for (const [name, value] of Object.entries(given)) {
    const { [name]: condition } = conditions;
    const problem = condition?.is(value)
      ? condition.inside?.(value, name)
      : wrong(name, value, condition?.accepts ?? '');
    if (problem !== undefined) return problem;
  }
  return undefined;
};

const wrong = (path: string, value: unknown, accepts: string): string =>
  `${path} is ${inspect(value, { depth: 0, breakLength: Infinity })}, but must be ${accepts}.`;

const JSON_VALUE = 'a value of JSON';

const isScalar = (value: unknown): boolean => value === null || isParameter(value);

const scalarFor = (value: unknown): string => (typeof value === 'number' ? 'a finite number' : JSON_VALUE);

/** Deeper values cannot be sent. */
const MOST_LEVELS = 500;

/**
 * What JSON would drop or change in a value: the first sentence about it, if any.
 * @param hasMatchers whether matchers such as `expect.any(String)` may stand in it
 */
export const jsonProblem = (
  value: unknown,
  path: string,
  hasMatchers = false,
  level = 0,
): string | undefined => {
  if (typeof value !== 'object' || value === null)
    return isScalar(value) ? undefined : wrong(path, value, scalarFor(value));
  if (isMatcher(value) ? hasMatchers : 'toJSON' in value) return undefined; // such as a Date
  const members = Object.entries(value);
  const isEmptied = members.length === 0 && !isPlain(value) && !Array.isArray(value);
  if (isMatcher(value) || isEmptied || level > MOST_LEVELS) return wrong(path, value, JSON_VALUE);
  for (const [name, member] of members) {
    const problem = jsonProblem(member, path === '' ? name : `${path}.${name}`, hasMatchers, level + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
};
