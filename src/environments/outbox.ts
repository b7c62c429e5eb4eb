/** E-mails the service would have sent, in order; the last 10,000 are kept. */
import { toTimestamp } from '../core/clock.ts';
import type { Email } from '../domain/operation.ts';
import { createRecords, type Records } from './records.ts';

export interface SentEmail extends Email {
  readonly time: string;
}

export interface Outbox extends Omit<Records<SentEmail>, 'add'> {
  /** @param now what the environment's clock shows, epoch milliseconds */
  add(email: Email, now: number): void;
}

const LIMIT = 10_000;

export const createOutbox = (): Outbox => {
  const records = createRecords<SentEmail>(LIMIT);
  return { ...records, add: (email, now) => records.add({ ...email, time: toTimestamp(now) }) };
};
