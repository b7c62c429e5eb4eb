/**
 * What clients sent to an environment and what it answered: the last 1,000 calls. Recording only keeps references;
 * bodies are parsed and masked one call at a time, when they are read. Filters search whole bodies; entries show 64
 * KiB.
 */

import type { OperationId } from '../openapi/types.ts';
import { type CallMatch, matchesCall } from './call-match.ts';
import {
  bodyKindOf,
  dropLongBodies,
  type JournalEntry,
  type JournalSummary,
  type KeptCall,
  longLength,
  presentCall,
  presentInShort,
  type RecordedCall,
} from './journal-entry.ts';
import { createLog, type Follower, type Log } from './log.ts';
import { parseBody } from './masking.ts';

export interface JournalFilter extends CallMatch {
  readonly operation?: OperationId;
  /** `4xx` means 400 to 499. */
  readonly status?: number | string;
  /** Inclusive, in epoch milliseconds of the environment's clock. */
  readonly since?: number;
}

export interface Journal extends Pick<Log<unknown>, 'dropped' | 'clear' | 'close'> {
  /** Adds a call; runs on every call. */
  record(call: RecordedCall): void;
  /** The last `limit` matching calls, oldest first, credentials masked. Each entry is made when it is read. */
  list(filter?: JournalFilter, limit?: number): Iterable<JournalEntry>;
  /** One call by its sequence number, credentials masked. */
  find(sequence: number): JournalEntry | undefined;
  /** The calls in short, oldest first. */
  latest(): JournalSummary[];
  /** Reports every future call in short, until the returned function is called. */
  follow(follower: Follower<JournalSummary>): () => void;
  /** Resolves once a call matches, as `Log.wait` does. */
  wait(filter: JournalFilter, ms: number, signal?: AbortSignal): Promise<void>;
}

export const JOURNAL_LIMIT = 1_000;

/** Total characters kept of bodies over 64 KiB; the oldest are dropped first. */
const LONG_BODIES_LIMIT = 8 * 1024 * 1024;

export const createJournal = (): Journal => {
  const calls = createLog<KeptCall>(JOURNAL_LIMIT);
  const makeRoom = createRoom();
  return {
    ...calls,
    record: (call) => {
      const kept = { call, sequence: calls.added() + 1 };
      makeRoom(kept);
      calls.add(kept);
    },
    list: (filter = {}, limit = JOURNAL_LIMIT) =>
      presentEach(lastMatching(calls.list(), limit, ({ call }) => passes(call, filter))),
    find: (sequence) => {
      const found = calls.list().find((kept) => kept.sequence === sequence);
      return found && presentCall(found);
    },
    latest: () => calls.list().map(presentInShort),
    follow: (follower) =>
      calls.follow({ ...follower, onItem: (kept) => follower.onItem(presentInShort(kept)) }),
    wait: (filter, ms, signal) => calls.wait(({ call }) => passes(call, filter), ms, signal),
  };
};

function* presentEach(found: readonly KeptCall[]): Iterable<JournalEntry> {
  for (const kept of found) yield presentCall(kept);
}

/** Limits memory: drops the oldest long bodies when a call adds more. */
const createRoom = (): ((kept: KeptCall) => void) => {
  const long: { readonly kept: KeptCall; readonly length: number }[] = [];
  let total = 0;
  return (kept) => {
    const length = longLength(kept.call);
    if (length === 0) return;
    long.push({ kept, length });
    total += length;
    while (total > LONG_BODIES_LIMIT && long[0]) {
      dropLongBodies(long[0].kept);
      total -= long[0].length;
      long.shift();
    }
  };
};

/** The last matching calls; searches from the end, so that no body is read needlessly. */
const lastMatching = <Item>(
  items: readonly Item[],
  limit: number,
  matches: (item: Item) => boolean,
): readonly Item[] => {
  const found: Item[] = [];
  for (const item of items.toReversed()) {
    if (found.length >= limit) break;
    if (matches(item)) found.push(item);
  }
  return found.reverse();
};

const passes = (call: RecordedCall, filter: JournalFilter): boolean => {
  const { operation, status, since } = filter;
  const [path = '', query = ''] = call.url.split(/\?(.*)/s);
  return (
    (operation === undefined || operation === call.operation) &&
    (status === undefined || isStatus(status, call.status)) &&
    (since === undefined || call.time >= since) &&
    matchesCall(filter, { path, query, body: readBody(call, filter) })
  );
};

const isStatus = (wanted: number | string, status: number): boolean =>
  [String(status), `${Math.floor(status / 100)}xx`].includes(String(wanted));

/** The call's body, if the filter compares it. */
const readBody = (call: RecordedCall, { identifier, body }: JournalFilter): unknown =>
  identifier === undefined && body === undefined
    ? undefined
    : parseBody(call.request_body ?? '', bodyKindOf(call.request_headers));
