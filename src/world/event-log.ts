/** State changes since the start, oldest first; the last 10,000 are kept (interface.md, `events`). */
import { toTimestamp } from '../core/clock.ts';
import type { Change } from '../domain/operation.ts';

export interface LoggedChange extends Change {
  /** Counts up from 1; a gap at the beginning of the list tells how many were dropped. */
  readonly sequence: number;
  readonly time: string;
}

export interface EventLog {
  add(change: Change, now: number): void;
  list(): readonly LoggedChange[];
  clear(): void;
}

const LIMIT = 10_000;

export const createEventLog = (): EventLog => {
  let events: LoggedChange[] = [];
  let sequence = 0;
  return {
    add: (change, now) => {
      sequence += 1;
      events.push({ ...change, sequence, time: toTimestamp(now) });
      if (events.length > LIMIT) events.shift();
    },
    list: () => events,
    clear: () => {
      events = [];
      sequence = 0;
    },
  };
};
