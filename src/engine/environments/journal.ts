/**
 * What clients sent to an environment and what it answered: the last 1,000 calls. Recording is cheap: bodies are parsed
 * and masked only when somebody reads the journal. Filters search whole bodies; entries show at most 64 KiB of each.
 */
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { TextDecoder } from 'node:util';
import type { components } from '../control/generated.ts';
import { toTimestamp } from '../core/clock.ts';
import type { FieldViolation } from '../core/errors.ts';
import { defined } from '../core/object.ts';
import { decode, maskSecret, maskUrl } from '../core/secrets.ts';
import { type CallMatch, matcherOf } from './call-match.ts';
import { createLog, type Follower } from './log.ts';
import { kindOfBody, maskBody, maskHeader, parseBody } from './masking.ts';

type Shown = components['schemas']['Request'];
type Told = 'operation' | 'client_id' | 'grpc_method' | 'reason' | 'rule' | 'fault' | 'stub' | 'stub_reply';

/** One call, unmasked: what an entry shows as it is, and the rest. */
export interface RecordedCall
  extends Pick<Shown, 'request_id' | 'duration_ms' | 'status'>,
    Readonly<Partial<{ [Name in Told]: Shown[Name] | undefined }>> {
  /** When the call ended, by the environment's clock and by the machine's; epoch milliseconds. */
  readonly time: number;
  readonly real_time: number;
  readonly method: string;
  /** Path and query, raw. */
  readonly url: string;
  /** Names of headers are in lower case, as Node has them. */
  readonly request_headers: IncomingHttpHeaders;
  readonly request_body?: string | undefined;
  readonly response_headers: OutgoingHttpHeaders;
  readonly response_body?: string | undefined;
  readonly violations?: readonly FieldViolation[] | undefined;
  readonly warnings?: readonly string[] | undefined;
}

/** Entries show this many bytes of a body. */
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

/** What a call weighs besides its bodies, in characters. */
const CALL_WEIGHT = 3_000;

/** @param ownSecrets the credentials of the environment, which are masked wherever they stand */
export const createJournal = (ownSecrets: () => readonly string[] = () => []) => {
  let secretsOf = ownSecrets;
  const calls = createLog<KeptCall>(JOURNAL_LIMIT);
  const { dropped, clear, close, keep } = calls;
  const present = (kept: KeptCall) => presentCall(kept, secretsOf());
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
    weight: (): number =>
      calls.list().reduce((sum, { call }) => sum + CALL_WEIGHT + lengthOf(call, SIDES), 0),
    /** Must be fast, since it runs for every call. */
    record: (call: RecordedCall): void => {
      const long = SIDES.filter((side) => isLong(call[`${side}_body`] ?? ''));
      calls.add({ call, sequence: calls.last() + 1, long });
      if (long.length > 0) makeRoom(calls.list());
    },
    /** The last `limit` matching calls, oldest first. */
    list: (filter: JournalFilter = {}, limit = JOURNAL_LIMIT): JournalEntry[] => {
      const found: JournalEntry[] = [];
      // Searches from the end, so that no more bodies than necessary are parsed.
      for (const kept of calls.list().reverse()) {
        if (found.length >= limit) break;
        if (passes(kept.call, filter)) found.push(present(kept));
      }
      return found.reverse();
    },
    find: (sequence: number): JournalEntry | undefined => {
      const kept = calls.list().find((one) => one.sequence === sequence);
      return kept && present(kept);
    },
    follow: (follower: Follower<JournalEntry>) =>
      calls.follow({ ...follower, onItem: (kept) => follower.onItem(present(kept)) }),
    wait: (filter: JournalFilter, ms: number, signal?: AbortSignal): Promise<void> =>
      calls.wait(({ call }) => passes(call, filter), ms, signal),
  };
};

const SIDES: readonly Side[] = ['request', 'response'];

const lengthOf = (call: RecordedCall, sides: readonly Side[]): number =>
  sides.reduce((sum, side) => sum + (call[`${side}_body`]?.length ?? 0), 0);

/** Counts bytes only if the text can be too long: each unit of `length` takes at most three bytes of UTF-8. */
const isLong = (text: string): boolean =>
  text.length * 3 > BODY_LIMIT && Buffer.byteLength(text) > BODY_LIMIT;

const makeRoom = (calls: readonly KeptCall[]): void => {
  let left = LONG_BODIES_LIMIT;
  for (const kept of calls.toReversed()) {
    left -= lengthOf(kept.call, kept.long);
    if (left >= 0 || kept.long.length === 0) continue;
    const emptied = Object.fromEntries(kept.long.map((side) => [`${side}_body`, '']));
    kept.call = { ...kept.call, ...emptied };
  }
};

const passes = (call: RecordedCall, filter: JournalFilter): boolean => {
  const { operation, status, since, text, ...match } = filter;
  const [path = '', query = ''] = call.url.split(/\?(.*)/s);
  const matches = matcherOf({
    path,
    query,
    get body() {
      return parseBody(call.request_body ?? '', kindOfHeaders(call.request_headers));
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

const presentCall = (kept: KeptCall, secrets: readonly string[]) => {
  const { time, real_time, duration_ms, method, url, violations = [], warnings = [], ...rest } = kept.call;
  const {
    request_headers: _,
    request_body: _sent,
    response_headers: __,
    response_body: _got,
    ...told
  } = rest;
  return {
    sequence: kept.sequence,
    time: toTimestamp(time),
    real_time: toTimestamp(real_time),
    duration_ms: Math.round(duration_ms * 1_000) / 1_000,
    ...defined(told),
    request: { method, url: maskUrl(withoutSecrets(url, secrets)), ...presentSide(kept, 'request', secrets) },
    response: presentSide(kept, 'response', secrets),
    violations: [...violations],
    warnings: [...warnings],
  };
};

export interface ShownSide {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Marks a long body, which is cut to 64 KiB or was dropped to free memory. */
  readonly body_cut?: true;
}

const presentSide = ({ call, long }: KeptCall, side: Side, secrets: readonly string[]): ShownSide => {
  const headers = maskHeaders(call[`${side}_headers`], secrets);
  const text = call[`${side}_body`];
  const cut = long.includes(side) ? ({ body_cut: true } as const) : undefined;
  if (!text) return { headers, ...cut };
  const kind = kindOfHeaders(call[`${side}_headers`]);
  const body = maskBody(withoutSecrets(text, secrets), kind, side === 'response');
  return { headers, body: cut ? cutBody(body) : body, ...cut };
};

const kindOfHeaders = ({ 'content-type': type = '' }: OutgoingHttpHeaders) => kindOfBody(String(type));

/** Cuts a body to the limit. With `stream`, the decoder leaves out a character of which only some bytes remain. */
const cutBody = (masked: unknown): string => {
  const bytes = Buffer.from(typeof masked === 'string' ? masked : JSON.stringify(masked));
  return new TextDecoder().decode(bytes.subarray(0, BODY_LIMIT), { stream: true });
};

const maskHeaders = (headers: OutgoingHttpHeaders, secrets: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      maskHeader(name, withoutSecrets([value ?? ''].flat().join(', '), secrets)),
    ]),
  );

const withoutSecrets = (text: string, secrets: readonly string[]): string => secrets.reduce(maskSecret, text);
