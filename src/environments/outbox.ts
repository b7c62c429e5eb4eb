/** E-mails the service would have sent, in order; the last 10,000 are kept (interface.md, `outbox`). */
import { toTimestamp } from '../core/clock.ts';
import type { Email } from '../domain/operation.ts';
import { createRing } from './ring.ts';

export interface SentEmail extends Email {
  readonly time: string;
}

export interface Outbox {
  add(email: Email, now: number): void;
  list(): readonly SentEmail[];
  /**
   * Resolves as soon as an e-mail is sent that matches; at once if one was.
   * Also resolves, empty-handed, after `ms` of real time, when `signal` aborts, or when the outbox closes.
   */
  wait(matches: (email: SentEmail) => boolean, ms: number, signal?: AbortSignal): Promise<void>;
  clear(): void;
  /** Ends every wait. */
  close(): void;
}

const LIMIT = 10_000;

interface Waiter {
  readonly matches: (email: SentEmail) => boolean;
  end(): void;
}

export const createOutbox = (): Outbox => {
  const ring = createRing<SentEmail>(LIMIT);
  const waiters = new Set<Waiter>();
  return {
    add: (email, now) => {
      const sent = { ...email, time: toTimestamp(now) };
      ring.add(sent);
      for (const waiter of [...waiters]) if (waiter.matches(sent)) waiter.end();
    },
    list: () => ring.list(),
    wait: async (matches, ms, signal) => {
      if (ms > 0 && !signal?.aborted && !ring.list().some(matches)) await hold(waiters, matches, ms, signal);
    },
    clear: () => ring.clear(),
    close: () => {
      for (const waiter of [...waiters]) waiter.end();
    },
  };
};

const hold = (
  waiters: Set<Waiter>,
  matches: Waiter['matches'],
  ms: number,
  signal: AbortSignal | undefined,
): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      waiters.delete(waiter);
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const waiter: Waiter = { matches, end };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
    waiters.add(waiter);
  });
