/** How long methods wait for calls, e-mails and statuses, and what they say when the time is up. */
import { formatDuration, parseDuration } from '../engine/core/clock.ts';
import { invalid, MockError } from './mock-error.ts';
import type { Duration } from './published-types.ts';

/** How long a method waits. */
export interface Timeout {
  /** The longest wait in real time, in milliseconds or as a duration such as `10s`: at most `5m`. Default: `4s`. */
  readonly timeout?: number | Duration;
}

/** In milliseconds. Below the 5 seconds after which most runners stop a test. */
const DEFAULT = 4_000;
/** The longest wait that a test can ask for, in milliseconds. */
const LONGEST = 300_000;

/** The timeout in milliseconds, and as a duration. @throws MockError if the timeout is wrong or too long */
export const readTimeout = (timeout: unknown = DEFAULT) => {
  const shown = typeof timeout === 'string' ? JSON.stringify(timeout) : String(timeout);
  const ms = Number(typeof timeout === 'string' ? parseDuration(timeout) : timeout);
  if (!Number.isInteger(ms) || ms < 0 || !['string', 'number'].includes(typeof timeout))
    throw invalid(`timeout is ${shown}, but must be a number of milliseconds or a duration.`, HINT);
  if (ms > LONGEST) throw invalid(`timeout is ${shown}, but must be at most 5m.`, HINT);
  return { ms, wait: formatDuration(ms) };
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
