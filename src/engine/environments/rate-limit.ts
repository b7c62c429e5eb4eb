/** The rate limit of an environment (behaviour X2): a number of calls per client in each time span. */
import { clockTime, type EnvironmentClock, monotonicNow } from '../core/clock.ts';
import type { RateLimit } from '../settings.ts';

export const createRateLimiter = () => {
  const spans = new Map<string, { readonly start: number; calls: number }>();
  return {
    /** Counts a call, and begins a time span if none runs. @returns seconds to wait, or undefined if allowed */
    take: (client: string, { requests, per }: RateLimit, clock: EnvironmentClock): number | undefined => {
      // While the clock is frozen, a span ends when enough real time has passed or the clock is moved far enough.
      const now = clockTime(clock) + (clock.mode === 'frozen' ? monotonicNow() : 0);
      let span = spans.get(client);
      // A new span also begins if the clock was set back.
      if (!span || now < span.start || now >= span.start + per) {
        span = { start: now, calls: 0 };
        spans.set(client, span);
      }
      if (span.calls >= requests) return Math.ceil((span.start + per - now) / 1_000);
      span.calls += 1;
      return undefined;
    },
    clear: () => spans.clear(),
  };
};
