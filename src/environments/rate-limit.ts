/** The rate limit of an environment (behaviour X2): a number of calls per client in each time span. */
import { type Clock, monotonicNow, readClock } from '../core/clock.ts';
import type { RateLimit } from '../domain/settings.ts';

export interface RateLimiter {
  /**
   * Counts a call of a client. Undefined if the call is allowed, else the seconds to wait, at least 1. A span begins
   * with a client's first call and lasts `per` milliseconds.
   */
  take(client: string, limit: RateLimit, clock: Clock): number | undefined;
  clear(): void;
}

interface Span {
  readonly mode: Clock['mode'];
  readonly start: number;
  calls: number;
}

/** How many clients are counted; the client with the oldest span is dropped first. */
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

/**
 * The environment's time; a frozen clock gets real time added, so that both waiting and moving the clock forward help.
 */
const readLimitClock = (clock: Clock): number =>
  clock.mode === 'frozen' ? clock.now + monotonicNow() : readClock(clock);

/** The current span of a client. A new one begins if the clock was set back or frozen. */
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
