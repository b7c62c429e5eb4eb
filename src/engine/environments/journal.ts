/**
 * What clients sent to an environment and what it answered: the last 1,000 calls. Recording is cheap: bodies are parsed
 * and masked only when somebody reads the journal. Filters search whole bodies; entries show at most 64 KiB of each.
 */
import { defined, hasMembers } from '../core/object.ts';
import { decode } from '../core/secrets.ts';
import { type CallMatch, matcherOf } from './call-match.ts';
import {
  BODY_LIMIT,
  bodyKindOf,
  type JournalEntry,
  type JournalSummary,
  type KeptCall,
  presentCall,
  presentSummary,
  type RecordedCall,
  type Side,
} from './journal-entry.ts';
import { createLog, type Follower } from './log.ts';
import { parseBody } from './masking.ts';

export interface JournalFilter extends CallMatch {
  readonly operation?: string;
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

/** @param secretsOf the credentials of the environment, which are masked wherever they stand */
export const createJournal = (ownSecrets: () => readonly string[] = () => []) => {
  let secretsOf = ownSecrets;
  const calls = createLog<KeptCall>(JOURNAL_LIMIT);
  const { dropped, clear, close, keep } = calls;
  const makeRoom = createRoom();
  return {
    dropped,
    clear,
    keep,
    /** Ends all waits. What is masked from now on stays the same, so that the journal keeps no state alive. */
    close: (): void => {
      const last = secretsOf();
      secretsOf = () => last;
      close();
    },
    /** How many calls there are, and how many characters their bodies have. */
    size: () => {
      const kept = calls.list();
      const characters = kept.reduce(
        (sum, { call }) => SIDES.reduce((more, side) => more + bodyOf(call, side).length, sum),
        0,
      );
      return { calls: kept.length, characters };
    },
    /** Must be fast, since it runs for every call. */
    record: (call: RecordedCall): void => {
      const kept = {
        call,
        sequence: calls.last() + 1,
        long: SIDES.filter((side) => isLong(bodyOf(call, side))),
      };
      makeRoom(kept);
      calls.add(kept);
    },
    /** The last `limit` matching calls, oldest first. */
    list: (filter: JournalFilter = {}, limit = JOURNAL_LIMIT): JournalEntry[] => {
      const found: JournalEntry[] = [];
      // Searches from the end, so that no more bodies than necessary are parsed.
      for (const kept of calls.list().reverse()) {
        if (found.length >= limit) break;
        if (passes(kept.call, filter)) found.push(presentCall(kept, secretsOf()));
      }
      return found.reverse();
    },
    find: (sequence: number) => {
      const found = calls.list().find((kept) => kept.sequence === sequence);
      return found && presentCall(found, secretsOf());
    },
    /** The number of the last change of state when a call ended. */
    changesAt: (sequence: number): number =>
      calls.list().find((kept) => kept.sequence === sequence)?.call.changes ?? 0,
    summaries: () => calls.list().map((kept) => presentSummary(kept, secretsOf())),
    /** Reports every future call, until the returned function is called. */
    follow: (follower: Follower<JournalSummary>) =>
      calls.follow({ ...follower, onItem: (kept) => follower.onItem(presentSummary(kept, secretsOf())) }),
    /** Waits for a matching call, at most `ms` of real time; ends early if `signal` aborts or the journal closes. */
    wait: (filter: JournalFilter, ms: number, signal?: AbortSignal): Promise<void> =>
      calls.wait(({ call }) => passes(call, filter), ms, signal),
  };
};

const SIDES: readonly Side[] = ['request', 'response'];

const bodyOf = (call: RecordedCall, side: Side): string => call[`${side}_body`] ?? '';

/** Counts bytes only if the text can be too long: each unit of `length` takes at most three bytes of UTF-8. */
const isLong = (text: string): boolean =>
  text.length * 3 > BODY_LIMIT && Buffer.byteLength(text) > BODY_LIMIT;

/** Returns a function to run for each new call: beyond `LONG_BODIES_LIMIT`, it drops the oldest long bodies. */
const createRoom = () => {
  const holders: KeptCall[] = [];
  let total = 0;
  return (kept: KeptCall): void => {
    if (kept.long.length === 0) return;
    holders.push(kept);
    total += longLength(kept);
    while (total > LONG_BODIES_LIMIT) {
      const oldest = holders.shift();
      if (!oldest) return;
      total -= longLength(oldest);
      const emptied = Object.fromEntries(oldest.long.map((side) => [`${side}_body`, '']));
      oldest.call = { ...oldest.call, ...emptied };
    }
  };
};

const longLength = ({ call, long }: KeptCall): number =>
  long.reduce((length, side) => length + bodyOf(call, side).length, 0);

const passes = (call: RecordedCall, filter: JournalFilter): boolean => {
  const { operation, status, since, text, path, query, ...ofBody } = filter;
  const [ownPath = '', ownQuery = ''] = call.url.split(/\?(.*)/s);
  const isMatched = matcherOf({ path: ownPath, query: ownQuery, body: undefined });
  if (
    (operation !== undefined && operation !== call.operation) ||
    (status !== undefined && !isStatus(status, call.status)) ||
    (since !== undefined && call.time < since) ||
    !isMatched(defined({ path, query }))
  )
    return false;
  if (text === undefined && !hasMembers(ofBody)) return true;
  return (
    (text === undefined || holds(call, text.toLowerCase())) &&
    matcherOf({ path: ownPath, query: ownQuery, body: readBody(call, filter) })(ofBody)
  );
};

/** @param text in lower case */
const holds = ({ url, request_body, response_body, client_id }: RecordedCall, text: string): boolean =>
  [url, decode(url), request_body, response_body, client_id].some((part) =>
    part?.toLowerCase().includes(text),
  );

const isStatus = (wanted: number | string, status: number): boolean =>
  [String(status), `${Math.floor(status / 100)}xx`].includes(String(wanted));

/** The call's body, if the filter compares it. */
const readBody = (call: RecordedCall, { identifier, body }: JournalFilter): unknown =>
  identifier === undefined && body === undefined
    ? undefined
    : parseBody(call.request_body ?? '', bodyKindOf(call.request_headers));
