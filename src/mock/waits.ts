/** How long a wait lasts without a `timeout`: 4 s, or less if the test that waits ends earlier. */
import { monotonicNow } from '../core/clock.ts';
import { formatDuration } from '../core/duration.ts';

const LONGEST = 4_000;

/** When the waits of an environment end, in milliseconds of `monotonicNow`. */
const ends = new WeakMap<object, number>();

export const endWaitsAt = (environment: object, end: number): void => {
  ends.set(environment, end);
};

export const defaultWait = (environment: object): string => {
  const left = (ends.get(environment) ?? Infinity) - monotonicNow();
  return formatDuration(Math.max(0, Math.min(LONGEST, Math.floor(left))));
};
