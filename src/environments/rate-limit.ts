/** The rate limit of an environment (behaviour X2): so many calls per client in each span of time. */
import { type Clock, monotonicNow, readClock } from '../core/clock.ts';
import type { RateLimit } from '../domain/settings.ts';

export interface RateLimiter {
  /**
   * Counts a call of a client. Undefined if it may go on, else the whole seconds until it may, 1 at least.
   * A span begins with the first call of a client and lasts `per` milliseconds.
   */
  take(client: string, limit: RateLimit, clock: Clock): number | undefined;
  clear(): void;
}

interface Span {
  readonly mode: Clock['mode'];
  readonly start: number;
  calls: number;
}

/** Clients counted at a time; the one whose span began first makes room. */
const LIMIT = 10_000;

export const createRateLimiter = (): RateLimiter => {
  const spans = new Map<string, Span>();
  return {
    take: (client, limit, clock) => {
      const now = readLimitClock(clock);
      const span = currentSpan(spans, client, limit, clock.mode, now);
      if (span.calls < limit.requests) {
        span.calls += 1;
        return undefined;
      }
      return Math.max(1, Math.ceil((span.start + limit.per - now) / 1_000));
    },
    clear: () => spans.clear(),
  };
};

/** A frozen clock does not move, so real time is added to it: waiting helps, and so does setting it forward. */
const readLimitClock = (clock: Clock): number =>
  clock.mode === 'frozen' ? clock.now + monotonicNow() : readClock(clock);

/** The span that a client is in. A clock set back, or frozen since, begins a new one. */
const currentSpan = (
  spans: Map<string, Span>,
  client: string,
  limit: RateLimit,
  mode: Clock['mode'],
  now: number,
): Span => {
  const current = spans.get(client);
  if (current && current.mode === mode && now >= current.start && now < current.start + limit.per)
    return current;
  const span = { mode, start: now, calls: 0 };
  spans.delete(client);
  spans.set(client, span);
  for (const oldest of spans.keys()) {
    if (spans.size <= LIMIT) break;
    spans.delete(oldest);
  }
  return span;
};
