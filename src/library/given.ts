/**
 * Checks what code passes to the library, in plain JavaScript too (behaviour N1, N6): names and texts, the conditions that
 * select calls and e-mails, and bodies. What JSON would drop or change is refused, because it would have no effect.
 */
import { inspect } from 'node:util';
import { isMatcher, show } from '../engine/core/contains.ts';
import { didYouMean, nearest } from '../engine/core/text.ts';
import { invalid, type MockError } from './mock-error.ts';
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

/** @throws MockError for anything but an object, since it would have no members */
export const requireObject = <Value extends object>(name: string, value: Value): Value => {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw invalid(wrong(name, value, 'an object'), `Pass ${name} as an object.`);
};

/** @throws TypeError for an unknown name, because a misspelled condition would otherwise be ignored */
export const requireNames = (given: object, names: readonly string[]): void => {
  if (typeof given !== 'object' || given === null)
    throw new TypeError(`${show(given)} must be an object. Its members can be ${names.join(', ')}.`);
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const advice = didYouMean(unknown, names) || ` Known: ${names.join(', ')}.`;
  throw new TypeError(`Unknown name ${unknown}.${advice}`);
};

/** @throws TypeError for a name like `name`; the mock checks the others, but does not know this one */
export const refuseLike = (name: string, others: object): void => {
  const misspelt = Object.keys(others).find((each) => nearest(each, [name]) !== undefined);
  if (misspelt !== undefined) throw new TypeError(`Unknown name ${misspelt}. Did you mean "${name}"?`);
};

/** The values that a condition takes, and what is wrong inside of a value that `is` accepts, if anything. */
interface Kind {
  readonly accepts: string;
  is(value: unknown): boolean;
  readonly inside?: (value: unknown, path: string) => string | undefined;
}

/** Conditions by name. */
type Conditions = Readonly<Record<string, Kind>>;

const isPlain = (value: unknown): value is object => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null; // of another realm too, as in Jest
};
const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isWhole = (value: unknown, lowest: number, highest = Infinity): boolean =>
  Number.isInteger(value) && Number(value) >= lowest && Number(value) <= highest;
const isStatus = (value: unknown): boolean => value === 0 || isWhole(value, 100, 599);
const isParameter = (value: unknown): boolean =>
  ['string', 'boolean'].includes(typeof value) || Number.isFinite(value);

const text: Kind = { accepts: 'a string that is not empty', is: isText };
const since: Kind = {
  accepts: 'a Date or an ISO 8601 time',
  is: (value) => isText(value) || isDate(value),
};
const parameters: Kind = {
  accepts: 'an object of parameters and their values, such as { include: "all" }',
  is: isPlain,
  inside: (value, path) => {
    const found = Object.entries(Object(value)).find(([, each]) => !isParameter(each));
    return found && wrong(`${path}.${found[0]}`, found[1], 'a string, a number or a boolean');
  },
};
const status: Kind = {
  accepts: 'a status such as 404, a class such as "4xx", or 0 for a cut connection',
  is: (value) => isStatus(value) || (typeof value === 'string' && /^([1-5]xx|0|[1-5]\d\d)$/.test(value)),
};
const body: Kind = {
  accepts: 'an object of members, such as { connector: "mail" }',
  is: isPlain,
  inside: (value, path) => jsonProblem(value, path),
};
const never = (why: string): Kind => ({ accepts: `left out: ${why}`, is: () => false });
const timeout: Kind = { accepts: '', is: () => true }; // `readTimeout` checks it

/** The conditions of `requests` and `har`; `waitForRequest` has a timeout for `wait`. */
export const REQUEST_CONDITIONS = {
  ...{ operation: text, status, path: text, query: parameters, identifier: text, body, text, since },
  wait: text,
  limit: never('all calls that match are returned; take the last one with .at(-1)'),
  format: never('har() returns an archive'),
};
const { wait: _, ...withoutWait } = REQUEST_CONDITIONS;
export const REQUEST_WAIT = { ...withoutWait, timeout };

/** The conditions of `outbox`, and of `waitForEmail`. */
export const EMAIL_CONDITIONS = { to: text, kind: text, since, wait: text };
export const EMAIL_WAIT = { to: text, kind: text, since, timeout };

const times: Kind = { accepts: 'a whole number such as 2', is: (value) => isWhole(value, 0) };

/** The conditions of `toHaveReceived`. */
export const EXPECTED_CALLS: Conditions = {
  status: {
    accepts: 'a status such as 404, or a list of one or more, such as [503, 200]',
    is: (value) => isStatus(value) || (Array.isArray(value) && value.length > 0 && value.every(isStatus)),
  },
  times,
  body: {
    accepts: body.accepts,
    is: (value) => isPlain(value) || isMatcher(value),
    inside: (value, path) => jsonProblem(value, path, true),
  },
  query: parameters,
};

const orMatcher: Kind = {
  accepts: 'a string, or a matcher such as expect.stringContaining("Acme")',
  is: (value) => typeof value === 'string' || isMatcher(value),
};

/** The conditions of `toHaveSent`. */
export const EXPECTED_EMAILS = { to: orMatcher, kind: orMatcher, subject: orMatcher, link: orMatcher, times };

/** @throws TypeError for an unknown name; MockError for a condition that could not be obeyed (behaviour N6) */
export const requireConditions = <Given extends object>(given: Given, conditions: Conditions): Given => {
  const refuse = (problem: string): MockError => invalid(problem, 'Correct it, or leave it out.');
  if (typeof given === 'object' && given !== null && !isPlain(given))
    throw refuse(wrong('The filter', given, 'a plain object'));
  requireNames(given, Object.keys(conditions));
  for (const [name, value] of Object.entries(given)) {
    const { accepts = '', is, inside } = conditions[name] ?? {};
    const problem = is?.(value) ? inside?.(value, name) : wrong(name, value, accepts);
    if (problem !== undefined) throw refuse(problem);
  }
  return given;
};

const wrong = (path: string, value: unknown, accepts: string): string =>
  `${path} is ${inspect(value, { depth: 0, breakLength: Infinity })}, but must be ${accepts}.`;

const scalarProblem = (value: unknown, path: string): string | undefined =>
  value === null || isParameter(value)
    ? undefined
    : wrong(path, value, typeof value === 'number' ? 'a finite number' : 'a value of JSON');

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
  if (typeof value !== 'object' || value === null) return scalarProblem(value, path);
  if (isMatcher(value) ? hasMatchers : 'toJSON' in value) return undefined; // such as a Date
  const members = Object.entries(value);
  const isEmptied = members.length === 0 && !isPlain(value) && !Array.isArray(value);
  if (isMatcher(value) || isEmptied || level > DEEPEST) return wrong(path, value, 'a value of JSON');
  for (const [name, member] of members) {
    const problem = jsonProblem(member, path === '' ? name : `${path}.${name}`, hasMatchers, level + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
};
