/** The rate limit of an environment (behaviour X2): a number of calls per client in each time span. */
import { type Clock, monotonicNow, readClock } from '../core/clock.ts';
import type { RateLimit } from '../domain/settings.ts';

export type RateLimiter = ReturnType<typeof createRateLimiter>;

interface Span {
  readonly mode: Clock['mode'];
  readonly start: number;
  calls: number;
}

/** How many clients are tracked; the client with the oldest span is dropped first. */
const LIMIT = 10_000;

export const createRateLimiter = () => {
  const spans = new Map<string, Span>();
  return {
    /**
     * Counts a call of a client. Undefined if the call is allowed, else the seconds to wait, at least 1. A span begins
     * with a client's first call and lasts `per` milliseconds.
     */
    take: (client: string, { requests, per }: RateLimit, clock: Clock): number | undefined => {
      const { mode } = clock;
      // Real time is added to a frozen clock, so that both waiting and moving the clock forward help.
      const now = clock.mode === 'frozen' ? clock.now + monotonicNow() : readClock(clock);
      let span = spans.get(client);
      // A new span also begins if the clock was set back or frozen.
      if (!span || span.mode !== mode || now < span.start || now >= span.start + per) {
        span = { mode, start: now, calls: 0 };
        addSpan(spans, client, span);
      }
      if (span.calls >= requests) return Math.max(1, Math.ceil((span.start + per - now) / 1_000));
      span.calls += 1;
      return undefined;
    },
    clear: () => spans.clear(),
  };
};

/** Adds a span as the newest, and drops the oldest if there are too many. */
const addSpan = (spans: Map<string, Span>, client: string, span: Span): void => {
  spans.delete(client);
  spans.set(client, span);
  const [oldest = ''] = spans.keys();
  if (spans.size > LIMIT) spans.delete(oldest);
};
