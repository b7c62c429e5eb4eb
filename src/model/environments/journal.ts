/**
 * What clients sent to an environment and what it answered: the last 1,000 calls. Recording is cheap: bodies are parsed
 * and masked only when somebody reads the journal. Filters search whole bodies; entries show at most 64 KiB of each.
 */
import type { OperationId } from '../../contract/types.ts';
import { type CallMatch, matchesCall } from './call-match.ts';
import {
  bodyKindOf,
  dropLongBodies,
  type JournalEntry,
  type JournalSummary,
  type KeptCall,
  longLength,
  presentCall,
  presentSummary,
  type RecordedCall,
} from './journal-entry.ts';
import { createLog, type Follower } from './log.ts';
import { parseBody } from './masking.ts';

export interface JournalFilter extends CallMatch {
  readonly operation?: OperationId;
  /** `4xx` means 400 to 499. */
  readonly status?: number | string;
  /** A part of the path, the query, either body or the client's id, in any case. */
  readonly text?: string;
  /** Calls before this time do not match. Epoch milliseconds on the environment's clock. */
  readonly since?: number;
}

export type CallJournal = ReturnType<typeof createJournal>;

export const JOURNAL_LIMIT = 1_000;

/** The journal keeps at most this many characters of long bodies (over 64 KiB) in total. */
const LONG_BODIES_LIMIT = 8 * 1024 * 1024;

export const createJournal = () => {
  const calls = createLog<KeptCall>(JOURNAL_LIMIT);
  const { dropped, clear, close } = calls;
  const makeRoom = createRoom();
  return {
    dropped,
    clear,
    close,
    /** Must be fast, since it runs for every call. */
    record: (call: RecordedCall): void => {
      const kept = { call, sequence: calls.last() + 1 };
      makeRoom(kept);
      calls.add(kept);
    },
    /** The last `limit` matching calls, oldest first. */
    list: (filter: JournalFilter = {}, limit = JOURNAL_LIMIT): JournalEntry[] => {
      const found: KeptCall[] = [];
      // Searches from the end, so that no more bodies than necessary are parsed.
      for (const kept of calls.list().reverse()) {
        if (found.length >= limit) break;
        if (passes(kept.call, filter)) found.push(kept);
      }
      return found.reverse().map(presentCall);
    },
    find: (sequence: number) => {
      const found = calls.list().find((kept) => kept.sequence === sequence);
      return found && presentCall(found);
    },
    /** All calls, oldest first. */
    summaries: () => calls.list().map(presentSummary),
    /** Reports every future call, until the returned function is called. */
    follow: (follower: Follower<JournalSummary>) =>
      calls.follow({ ...follower, onItem: (kept) => follower.onItem(presentSummary(kept)) }),
    /** Waits for a matching call, at most `ms` of real time; ends early if `signal` aborts or the journal closes. */
    wait: (filter: JournalFilter, ms: number, signal?: AbortSignal) =>
      calls.wait(({ call }) => passes(call, filter), ms, signal),
  };
};

/** Returns a function to run for each new call: beyond `LONG_BODIES_LIMIT`, it drops the oldest long bodies. */
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

const passes = (call: RecordedCall, filter: JournalFilter): boolean => {
  const { operation, status, since, text } = filter;
  const [path = '', query = ''] = call.url.split(/\?(.*)/s);
  return (
    (operation === undefined || operation === call.operation) &&
    (status === undefined || isStatus(status, call.status)) &&
    (since === undefined || call.time >= since) &&
    (text === undefined || holds(call, text.toLowerCase())) &&
    matchesCall(filter, { path, query, body: readBody(call, filter) })
  );
};

/** @param text in lower case */
const holds = ({ url, request_body, response_body, client_id }: RecordedCall, text: string): boolean =>
  [url, decoded(url), request_body, response_body, client_id].some((part) =>
    part?.toLowerCase().includes(text),
  );

const decoded = (url: string): string => {
  try {
    return decodeURIComponent(url.replaceAll('+', ' '));
  } catch {
    return url;
  }
};

const isStatus = (wanted: number | string, status: number): boolean =>
  [String(status), `${Math.floor(status / 100)}xx`].includes(String(wanted));

/** The call's body, if the filter compares it. */
const readBody = (call: RecordedCall, { identifier, body }: JournalFilter): unknown =>
  identifier === undefined && body === undefined
    ? undefined
    : parseBody(call.request_body ?? '', bodyKindOf(call.request_headers));
