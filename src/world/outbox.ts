/** E-mails the service would have sent, in order; the oldest go when there are too many. */
import { toTimestamp } from '../core/clock.ts';
import type { Email } from '../domain/operation.ts';

export interface SentEmail extends Email {
  readonly time: string;
}

export interface Outbox {
  add(email: Email, now: number): void;
  list(): readonly SentEmail[];
  clear(): void;
}

const LIMIT = 10_000;

export const createOutbox = (): Outbox => {
  let emails: SentEmail[] = [];
  return {
    add: (email, now) => {
      emails.push({ ...email, time: toTimestamp(now) });
      if (emails.length > LIMIT) emails.shift();
    },
    list: () => emails,
    clear: () => {
      emails = [];
    },
  };
};
