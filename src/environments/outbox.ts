/** E-mails the service would have sent, in order; the last 10,000 are kept. */
import { toTimestamp } from '../core/clock.ts';
import type { Email } from '../domain/operation.ts';
import { createRing } from './ring.ts';
import { createWaiting } from './waiting.ts';

export interface SentEmail extends Email {
  readonly time: string;
}

export type EmailTest = (email: SentEmail) => boolean;

export interface Outbox {
  add(email: Email, now: number): void;
  list(): readonly SentEmail[];
  /**
   * Resolves as soon as an e-mail is sent that matches; at once if one was.
   * Also resolves, without one, after `ms` of real time, when `signal` aborts, or when the outbox closes.
   */
  wait(matches: EmailTest, ms: number, signal?: AbortSignal): Promise<void>;
  clear(): void;
  /** Ends every wait. */
  close(): void;
}

const LIMIT = 10_000;

export const createOutbox = (): Outbox => {
  const ring = createRing<SentEmail>(LIMIT);
  const waiting = createWaiting<SentEmail>();
  return {
    add: (email, now) => {
      const sent = { ...email, time: toTimestamp(now) };
      ring.add(sent);
      waiting.announce(sent);
    },
    list: () => ring.list(),
    wait: async (matches, ms, signal) => {
      if (!ring.list().some(matches)) await waiting.wait(matches, ms, signal);
    },
    clear: () => ring.clear(),
    close: () => waiting.close(),
  };
};
