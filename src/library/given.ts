/**
 * Checks what code passes to the library, in plain JavaScript too (behaviour N1, N6): names and texts, the conditions that
 * select calls and e-mails, and bodies. What JSON would drop or change is refused, because it would have no effect.
 */
import { inspect } from 'node:util';
import { isMatcher, show } from '../engine/core/contains.ts';
import { didYouMean, nearest } from '../engine/core/text.ts';
import { invalid } from './mock-error.ts';
import { isDate } from './option.ts';

/** The text of an argument. @throws MockError if it is missing, or no string, URL or named object */
export const requireText = (name: string, value: string | URL | { readonly name: string }): string => {
  const given: unknown = requireGiven(name, value);
  const text = Object(given).href ?? Object(given).name ?? given; // a URL of another realm is not `instanceof URL`
  if (typeof text === 'string') return text;
  throw invalid(wrong(name, given, 'a string'), `Pass ${name} as a string.`);
};

/** @throws MockError if the argument is missing or empty */
export const requireGiven = <Value>(name: string, value: Value): Value => {
  if (value !== undefined && value !== null && value !== '') return value;
  throw invalid(`${name} is missing.`, `Pass ${name} as an argument.`);
};

/** @throws TypeError for an unknown name, because a misspelled condition would otherwise be ignored */
export const requireNames = <Given extends object>(given: Given, names: readonly string[]): Given => {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new TypeError(`${show(given)} must be an object. Its members can be ${names.join(', ')}.`);
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown === undefined) return given;
  const advice = didYouMean(unknown, names) || ` Known: ${names.join(', ')}.`;
  throw new TypeError(`Unknown name ${unknown}.${advice}`);
};

/** @throws TypeError for a name like `name`; the mock checks the others, but does not know this one */
export const refuseLike = (name: string, others: object): void => {
  const misspelt = Object.keys(others).find((each) => nearest(each, [name]) !== undefined);
  if (misspelt !== undefined) throw new TypeError(`Unknown name ${misspelt}. Did you mean "${name}"?`);
};

/** What is wrong with the value of a condition, if anything. @param path such as `body` */
type Check = (value: unknown, path: string) => string | undefined;

/** Conditions by name. */
type Conditions = Readonly<Record<string, Check>>;

/** @param inside checks what is in a value that `is` accepts */
const kind =
  (accepts: string, is: (value: unknown) => boolean, inside?: Check): Check =>
  (value, path) =>
    is(value) ? inside?.(value, path) : wrong(path, value, accepts);

const isPlain = (value: unknown): value is object => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null; // of another realm too, as in Jest
};
const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isStatus = (value: unknown): boolean =>
  Number.isInteger(value) && (value === 0 || (Number(value) >= 100 && Number(value) <= 599));
const isParameter = (value: unknown): boolean =>
  ['string', 'boolean'].includes(typeof value) || Number.isFinite(value);

const text = kind('a string that is not empty', isText);
const since = kind('a Date or an ISO 8601 time', (value) => isText(value) || isDate(value));
const parameter = kind('a string, a number or a boolean', isParameter);
const query = kind(
  'an object of parameters and their values, such as { include: "all" }',
  isPlain,
  (value, path) =>
    Object.entries(Object(value)).flatMap(([name, each]) => parameter(each, `${path}.${name}`) ?? [])[0],
);
const status = kind(
  'a status such as 404, a class such as "4xx", or 0 for a cut connection',
  (value) => isStatus(value) || (typeof value === 'string' && /^([1-5]xx|0|[1-5]\d\d)$/.test(value)),
);
const MEMBERS = 'an object of members, such as { connector: "mail" }';
const body = kind(MEMBERS, isPlain, (value, path) => jsonProblem(value, path));
const never = (why: string): Check => kind(`left out: ${why}`, () => false);
const timeout: Check = () => undefined; // `readTimeout` checks it

/** What both `requests` and `waitForRequest` take. */
const OF_REQUESTS = {
  ...{ operation: text, status, path: text, query, identifier: text, body, text, since },
  limit: never('all calls that match are returned; take the last one with .at(-1)'),
  format: never('har() returns an archive'),
};
export const REQUEST_CONDITIONS = { ...OF_REQUESTS, wait: text };
export const REQUEST_WAIT = { ...OF_REQUESTS, timeout };

/** The conditions of `outbox`, and of `waitForEmail`. */
export const EMAIL_CONDITIONS = { to: text, kind: text, since, wait: text };
export const EMAIL_WAIT = { to: text, kind: text, since, timeout };

const times = kind('a whole number such as 2', (value) => Number.isInteger(value) && Number(value) >= 0);

/** The conditions of `toHaveReceived`. */
export const EXPECTED_CALLS: Conditions = {
  ...{ times, query },
  status: kind(
    'a status such as 404, or a list of one or more, such as [503, 200]',
    (value) => isStatus(value) || (Array.isArray(value) && value.length > 0 && value.every(isStatus)),
  ),
  body: kind(
    MEMBERS,
    (value) => isPlain(value) || isMatcher(value),
    (value, path) => jsonProblem(value, path, true),
  ),
};

const orMatcher = kind(
  'a string, or a matcher such as expect.stringContaining("Acme")',
  (value) => typeof value === 'string' || isMatcher(value),
);

/** The conditions of `toHaveSent`. */
export const EXPECTED_EMAILS = { to: orMatcher, kind: orMatcher, subject: orMatcher, link: orMatcher, times };

/** @throws TypeError for an unknown name; MockError for a condition that could not be obeyed (behaviour N6) */
export const requireConditions = <Given extends object>(given: Given, conditions: Conditions): Given => {
  const isOther = typeof given === 'object' && given !== null && !isPlain(given);
  if (!isOther) requireNames(given, Object.keys(conditions));
  const problem = isOther
    ? wrong('The filter', given, 'a plain object')
    : Object.entries(given).flatMap(([name, value]) => conditions[name]?.(value, name) ?? [])[0];
  if (problem !== undefined) throw invalid(problem, 'Correct it, or leave it out.');
  return given;
};

const wrong = (path: string, value: unknown, accepts: string): string =>
  `${path} is ${inspect(value, { depth: 0, breakLength: Infinity })}, but must be ${accepts}.`;

/** Deeper values cannot be sent. */
const DEEPEST = 500;

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
  if (value === null || isParameter(value)) return undefined;
  if (typeof value === 'number') return wrong(path, value, 'a finite number');
  const isMatching = isMatcher(value);
  if (isMatching ? hasMatchers : 'toJSON' in Object(value)) return undefined; // such as a Date
  const members = Object.entries(Object(value));
  const isJson = Array.isArray(value) || isPlain(value) || (typeof value === 'object' && members.length > 0);
  if (!isJson || isMatching || level > DEEPEST) return wrong(path, value, 'a value of JSON');
  for (const [name, member] of members) {
    const problem = jsonProblem(member, path === '' ? name : `${path}.${name}`, hasMatchers, level + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
};
