/** State changes since the start, oldest first; the last 10,000 are kept (interface.md, `events`). */
import { toTimestamp } from '../core/clock.ts';
import type { Change } from '../domain/operation.ts';
import { createRecords } from './records.ts';

export interface LoggedChange extends Change {
  /** Counts up from 1; a gap at the beginning of the list tells how many were dropped. */
  readonly sequence: number;
  readonly time: string;
}

/** Someone who follows the changes as they happen. */
export interface Subscriber {
  onChange(change: LoggedChange): void;
  /** A call of the control plane changed something; named by its operation. */
  onControl?(operation: string): void;
  /** The environment went back to its start; sequences count from 1 again. */
  onReset(): void;
  /** Nothing more will come. */
  onClose(): void;
}

export interface EventLog {
  add(change: Change, now: number): void;
  /** Tells subscribers, and keeps nothing. */
  announce(operation: string): void;
  list(): readonly LoggedChange[];
  /** Follows from now on, until the returned function is called. */
  subscribe(subscriber: Subscriber): () => void;
  clear(): void;
  /** Lets every subscriber go. */
  close(): void;
}

const LIMIT = 10_000;

export const createEventLog = (): EventLog => {
  const records = createRecords<LoggedChange>(LIMIT);
  const subscribers = new Set<Subscriber>();
  return {
    add: (change, now) => {
      const logged = { ...change, sequence: records.added() + 1, time: toTimestamp(now) };
      records.add(logged);
      for (const subscriber of subscribers) subscriber.onChange(logged);
    },
    announce: (operation) => {
      for (const subscriber of subscribers) subscriber.onControl?.(operation);
    },
    list: () => records.list(),
    subscribe: (subscriber) => {
      subscribers.add(subscriber);
      return () => subscribers.delete(subscriber);
    },
    clear: () => {
      records.clear();
      for (const subscriber of subscribers) subscriber.onReset();
    },
    close: () => {
      const leaving = [...subscribers];
      subscribers.clear();
      for (const subscriber of leaving) subscriber.onClose();
    },
  };
};
