/**
 * What clients sent to an environment and what it answered: the last 1,000 calls. Recording is cheap: bodies are parsed
 * and masked only when somebody reads the journal. Filters search whole bodies; entries show at most 64 KiB of each.
 */
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { TextDecoder } from 'node:util';
import { toTimestamp } from '../core/clock.ts';
import type { FieldViolation } from '../core/errors.ts';
import { defined } from '../core/object.ts';
import { decode, maskSecret, maskUrl } from '../core/secrets.ts';
import { cut } from '../core/text.ts';
import { type CallMatch, matcherOf } from './call-match.ts';
import { createLog, type Follower } from './log.ts';
import { type BodyKind, kindOfBody, maskBody, maskHeader, parseBody } from './masking.ts';

/** One call, unmasked. */
export interface RecordedCall {
  readonly request_id: string;
  /** When the call ended, by the environment's clock; epoch milliseconds. */
  readonly time: number;
  /** When the call ended, by the machine's clock; epoch milliseconds. */
  readonly real_time: number;
  readonly duration_ms: number;
  /** Absent if no operation has the path. */
  readonly operation?: string | undefined;
  readonly client_id?: string | undefined;
  /** `package.Service/Method` of a gRPC call. The other members show the call as an HTTP request. */
  readonly grpc_method?: string | undefined;
  readonly method: string;
  /** Path and query, raw. */
  readonly url: string;
  readonly request_headers: IncomingHttpHeaders;
  readonly request_body?: string | undefined;
  /** 0 if a fault or the client cut the connection. */
  readonly status: number;
  readonly response_headers: OutgoingHttpHeaders;
  readonly response_body?: string | undefined;
  readonly violations?: readonly FieldViolation[] | undefined;
  readonly warnings?: readonly string[] | undefined;
  readonly reason?: string | undefined;
  readonly rule?: string | undefined;
  readonly fault?: string | undefined;
  readonly stub?: string | undefined;
  readonly stub_reply?: number | undefined;
  /** The number of the last change of state when the call ended, which tells what happened before it and what after. */
  readonly changes?: number;
}

/** Entries show this many bytes of a body; the rest is cut off. */
const BODY_LIMIT = 64 * 1024;

type Side = 'request' | 'response';

interface KeptCall {
  call: RecordedCall;
  /** The number of the call in the journal, from 1. Request ids are not unique, since they repeat after a reset. */
  readonly sequence: number;
  /** Which of its bodies are longer than `BODY_LIMIT`. Without a text, they were dropped to free memory. */
  readonly long: readonly Side[];
}

export type JournalEntry = ReturnType<typeof presentCall>;

/** A short form of an entry, for the console's list. */
export type JournalSummary = ReturnType<typeof presentSummary>;

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
      calls.add(kept);
      if (kept.long.length > 0) makeRoom(calls.list());
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

/** Drops the oldest long bodies beyond `LONG_BODIES_LIMIT`. */
const makeRoom = (calls: readonly KeptCall[]): void => {
  let left = LONG_BODIES_LIMIT;
  for (const kept of calls.toReversed()) {
    left -= kept.long.reduce((length, side) => length + bodyOf(kept.call, side).length, 0);
    if (left >= 0 || kept.long.length === 0) continue;
    const emptied = Object.fromEntries(kept.long.map((side) => [`${side}_body`, '']));
    kept.call = { ...kept.call, ...emptied };
  }
};

const passes = (call: RecordedCall, filter: JournalFilter): boolean => {
  const { operation, status, since, text, ...match } = filter;
  const [path = '', query = ''] = call.url.split(/\?(.*)/s);
  const matches = matcherOf({
    ...{ path, query },
    get body() {
      return parseBody(call.request_body ?? '', bodyKindOf(call.request_headers));
    },
  });
  return (
    (operation === undefined || operation === call.operation) &&
    (status === undefined || isStatus(status, call.status)) &&
    (since === undefined || call.time >= since) &&
    matches(match) &&
    (text === undefined || holds(call, text.toLowerCase()))
  );
};

/** @param text in lower case */
const holds = ({ url, request_body, response_body, client_id }: RecordedCall, text: string): boolean =>
  [url, decode(url), request_body, response_body, client_id].some((part) =>
    part?.toLowerCase().includes(text),
  );

const isStatus = (wanted: number | string, status: number): boolean =>
  [String(status), `${Math.floor(status / 100)}xx`].includes(String(wanted));

const presentSummary = (kept: KeptCall, secrets: readonly string[]) => {
  const { method, url, violations = [], warnings = [] } = kept.call;
  return {
    ...presentHead(kept),
    method,
    url: maskUrl(withoutSecrets(url, secrets)),
    violations: violations.map(({ description }) => cut(description, MOST_TOLD)),
    warnings: warnings.map((warning) => cut(warning, MOST_TOLD)),
  };
};

/** Characters of a sentence in a summary. */
const MOST_TOLD = 300;

const presentCall = (kept: KeptCall, secrets: readonly string[]) => {
  const { call } = kept;
  return {
    ...presentHead(kept),
    ...defined({ client_id: call.client_id }),
    request: {
      method: call.method,
      url: maskUrl(withoutSecrets(call.url, secrets)),
      headers: maskHeaders(call.request_headers, secrets),
      ...presentBody(kept, 'request', secrets),
    },
    response: {
      headers: maskHeaders(call.response_headers, secrets),
      ...presentBody(kept, 'response', secrets),
    },
    violations: [...(call.violations ?? [])],
    warnings: [...(call.warnings ?? [])],
  };
};

const presentHead = ({ call, sequence }: KeptCall) => {
  const { operation, reason, rule, fault, stub, stub_reply, grpc_method } = call;
  return {
    sequence,
    request_id: call.request_id,
    time: toTimestamp(call.time),
    real_time: toTimestamp(call.real_time),
    duration_ms: Math.round(call.duration_ms * 1_000) / 1_000,
    status: call.status,
    ...defined({ operation, reason, rule, fault, stub, stub_reply, grpc_method }),
  };
};

/** A body as entries show it. `body_cut` marks a long body, which is cut to 64 KiB or was dropped to free memory. */
const presentBody = (
  { call, long }: KeptCall,
  side: Side,
  secrets: readonly string[],
): { readonly body?: unknown; readonly body_cut?: true } => {
  const text = call[`${side}_body`];
  const isLong = long.includes(side);
  if (!text) return isLong ? { body_cut: true } : {};
  const body = maskBody(
    withoutSecrets(text, secrets),
    bodyKindOf(call[`${side}_headers`]),
    side === 'response',
  );
  return isLong ? { body: cutBody(body), body_cut: true } : { body };
};

const bodyKindOf = (headers: OutgoingHttpHeaders): BodyKind => {
  const found = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type');
  return kindOfBody(found && String(found[1]));
};

/** Cuts a body to the limit. With `stream`, the decoder leaves out a character of which only some bytes remain. */
const cutBody = (masked: unknown): string => {
  const bytes = Buffer.from(typeof masked === 'string' ? masked : JSON.stringify(masked));
  return new TextDecoder().decode(bytes.subarray(0, BODY_LIMIT), { stream: true });
};

const maskHeaders = (
  headers: OutgoingHttpHeaders,
  secrets: readonly string[],
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      maskHeader(name, withoutSecrets([value ?? ''].flat().join(', '), secrets)),
    ]),
  );

const withoutSecrets = (text: string, secrets: readonly string[]): string => secrets.reduce(maskSecret, text);
