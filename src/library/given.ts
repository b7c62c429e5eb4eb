/**
 * The error of the library, and checks of the values that code passes to it, in plain JavaScript too (behaviour N1, N6). Values
 * that JSON would drop or change are refused, because they would have no effect.
 */
import { inspect } from 'node:util';
import { formatDuration, parseDuration } from '../engine/core/clock.ts';
import { isMatcher, show } from '../engine/core/contains.ts';
import { didYouMean } from '../engine/core/text.ts';
import { isDate } from './option.ts';

/** The error that the methods of a mock throw, for example when the mock refuses a call. */
export class MockError extends Error {
  /** Always `MockError`. */
  override readonly name = 'MockError';
  /** The kind of error, such as `NOT_FOUND` or `INVALID_ARGUMENT`. */
  readonly code: string;
  /** What to do next. The message ends with this hint. */
  readonly hint: string;

  constructor(
    { code, message, hint }: Record<'code' | 'message' | 'hint', string>,
    more?: { cause: unknown },
  ) {
    super(`${message} ${hint}`, more);
    this.code = code;
    this.hint = hint;
  }
}

export const invalid = (message: string, hint: string): MockError =>
  new MockError({ code: 'INVALID_ARGUMENT', message, hint });

/** @throws MockError for an argument that is missing, or no string, URL or named object */
export const requireText = (name: string, value: string | URL | { readonly name: string }): string => {
  const given: unknown = requireGiven(name, value);
  const text = Object(given).href ?? Object(given).name ?? given; // a URL of another realm is not `instanceof URL`
  if (typeof text === 'string') return text;
  throw invalid(wrong(name, given, 'a string'), `Pass ${name} as a string.`);
};

const requireGiven = <Value>(name: string, value: Value): Value => {
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

export const requireChoice = (name: string, value: unknown, known: readonly string[]): void => {
  if (known.some((each) => each === requireGiven(name, value))) return;
  const advice = didYouMean(String(value), known).trim() || `Correct ${name}.`;
  throw invalid(wrong(name, value, `one of ${known.join(', ')}`), advice);
};

/** What a condition takes, in words, and whether a value is that. */
type Condition = readonly [accepts: string, is: (value: unknown) => boolean];
type Conditions = Readonly<Record<string, Condition>>;

const isPlain = (value: unknown): value is object => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null; // of another realm too, as in Jest
};
const isStatus = (value: unknown): boolean =>
  Number.isInteger(value) && (value === 0 || (Number(value) >= 100 && Number(value) <= 599));

/** What such a value means, for example an unknown status, is for the mock to check. */
const single: Condition = [
  'a string that is not empty, a number or a Date',
  (value) => (typeof value === 'string' && value !== '') || Number.isFinite(value) || isDate(value),
];
const members: Condition = ['an object of members, such as { include: "all" }', isPlain];
const orMatcher: Condition = [
  'a string, or a matcher such as expect.any(String)',
  (value) => typeof value === 'string' || isMatcher(value),
];
const isCount = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0;
const times: Condition = ['a whole number such as 2', isCount];

/** In milliseconds. The usual wait is below the 5 seconds after which most runners stop a test. */
const [USUAL_WAIT, LONGEST_WAIT] = [4_000, 300_000];

const toMilliseconds = (timeout: unknown = USUAL_WAIT): number =>
  Number(typeof timeout === 'string' ? parseDuration(timeout) : timeout);

const timeout: Condition = [
  'a number of milliseconds such as 5000, or a duration such as 1m30s, at most 5m',
  (value) => isCount(toMilliseconds(value)) && toMilliseconds(value) <= LONGEST_WAIT,
];

export const REQUESTS = {
  operation: single,
  status: single,
  path: single,
  query: members,
  identifier: single,
  body: members,
  text: single,
  since: single,
};
export const EMAILS = { to: single, kind: single, since: single };

export const requireFilter = <Filter extends object>(filter: Filter, conditions: Conditions): Filter =>
  requireConditions(filter, { ...conditions, wait: single });

/** @returns the filter, and the time to wait in milliseconds and as a duration */
export const requireWait = <Wait extends { timeout?: unknown }>(given: Wait, conditions: Conditions = {}) => {
  const { timeout: time, ...filter } = requireConditions(given, { ...conditions, timeout });
  const ms = toMilliseconds(time);
  return { filter, ms, wait: formatDuration(ms) };
};

export const EXPECTED_CALLS: Conditions = {
  times,
  query: members,
  status: [
    'a status such as 404, or a list of one or more, such as [503, 200]',
    (value) => isStatus(value) || (Array.isArray(value) && value.length > 0 && value.every(isStatus)),
  ],
  body: [members[0], (value) => isPlain(value) || isMatcher(value)],
};

export const EXPECTED_EMAILS = { to: orMatcher, kind: orMatcher, subject: orMatcher, link: orMatcher, times };

/**
 * @param hasMatchers whether matchers such as `expect.any(String)` may stand in values
 * @throws TypeError for an unknown name; MockError for a condition that could not be obeyed (behaviour N6)
 */
export const requireConditions = <Given extends object>(
  given: Given,
  conditions: Conditions,
  hasMatchers = false,
): Given => {
  if (Object(given) === given && !isPlain(given)) throw invalid(wrong('The filter', given, members[0]), FIX);
  requireNames(given, Object.keys(conditions));
  for (const [name, value] of Object.entries(given)) {
    const [accepts = '', is] = conditions[name] ?? [];
    const problem = is?.(value) ? jsonProblem(value, name, hasMatchers) : wrong(name, value, accepts);
    if (problem !== undefined) throw invalid(problem, FIX);
  }
  return given;
};

const FIX = 'Correct it, or leave it out.';

const wrong = (path: string, value: unknown, accepts: string): string =>
  `${path} is ${inspect(value, { depth: 0, breakLength: Infinity })}, but must be ${accepts}.`;

/** Deeper values cannot be sent. */
const DEEPEST = 500;

/** The first thing that JSON would drop or change in a value, as a sentence. */
export const jsonProblem = (
  value: unknown,
  path: string,
  hasMatchers = false,
  level = 0,
): string | undefined => {
  if (value === null || ['string', 'boolean'].includes(typeof value) || Number.isFinite(value))
    return undefined;
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
