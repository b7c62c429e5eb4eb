/** How long methods wait for calls, e-mails and statuses, and what they say when the time is up. */
import { formatDuration, monotonicNow, parseDuration } from '../engine/core/clock.ts';
import { invalid, MockError } from './ask.ts';
import type { Duration } from './published-types.ts';

/** How long a method waits. */
export interface Timeout {
  /**
   * The longest wait in real time, in milliseconds or as a duration such as `10s`: at most `5m`. Default: `4s`, or less if
   * the test times out sooner.
   */
  readonly timeout?: number | Duration;
}

/** The longest wait without a `timeout`, in milliseconds. Below the 5 seconds after which most runners stop a test. */
const LONGEST_DEFAULT = 4_000;
/** The longest wait that a test can ask for, in milliseconds. */
const LONGEST = 300_000;

/** For each environment of a test, the value of `monotonicNow` at which all waits in it must end. */
export const waitsEnd = new WeakMap<object, number>();

/** The timeout in milliseconds, and as a duration. @throws MockError if the timeout is wrong or too long */
export const readTimeout = (environment: object, timeout: unknown) => {
  const ms = timeout === undefined ? defaultWait(environment) : milliseconds(timeout);
  return { ms, wait: formatDuration(ms) };
};

const defaultWait = (environment: object): number => {
  const left = (waitsEnd.get(environment) ?? Infinity) - monotonicNow();
  return Math.max(0, Math.min(LONGEST_DEFAULT, Math.floor(left)));
};

const milliseconds = (timeout: unknown): number => {
  const shown = typeof timeout === 'string' ? JSON.stringify(timeout) : String(timeout);
  const ms = typeof timeout === 'string' ? parseDuration(timeout) : timeout;
  if (!Number.isInteger(ms) || Number(ms) < 0)
    throw invalid(`timeout is ${shown}, but must be a number of milliseconds or a duration.`, HINT);
  if (Number(ms) > LONGEST) throw invalid(`timeout is ${shown}, but must be at most 5m.`, HINT);
  return Number(ms);
};

const HINT = 'Give a number such as 5000, or a duration such as 5s or 1m30s, at most 5m.';

const MOST_SHOWN = 5;

/** @throws MockError always: the time is up. The message lists what happened instead. */
export const late = (what: string, wait: string, instead: readonly string[], kind: string): never => {
  const shown = instead.slice(-MOST_SHOWN);
  const isCut = shown.length < instead.length;
  const head = isCut
    ? `The last ${shown.length} of ${instead.length} ${kind}`
    : `The ${kind} in this environment`;
  const none = `There are no ${kind} in this environment.`;
  throw new MockError({
    code: 'DEADLINE_EXCEEDED',
    message: `${what} within ${wait}.`,
    hint: shown.length === 0 ? none : [`${head}:`, ...shown].join('\n'),
  });
};
