/**
 * What clients sent to an environment and got: the last 1,000 calls, bodies up to 64 KiB.
 * Recording keeps references and reads nothing but bodies that are too long; credentials are masked and bodies parsed
 * one call at a time, when somebody looks.
 */
import type { OutgoingHttpHeaders } from 'node:http';
import type { FieldViolation } from '../core/errors.ts';
import type { OperationId } from '../openapi/types.ts';
import { type CallMatch, matchesCall } from './call-match.ts';
import {
  bodyKindOf,
  cutBodies,
  type JournalEntry,
  type JournalSummary,
  type KeptCall,
  presentCall,
  presentInShort,
} from './journal-entry.ts';
import { parseBody } from './masking.ts';
import { createRecords, type Records } from './records.ts';

/** One call, as it was. */
export interface RecordedCall {
  readonly request_id: string;
  /** The environment's clock at the end of the call, epoch milliseconds. */
  readonly time: number;
  /** Real time at the end of the call, epoch milliseconds. */
  readonly real_time: number;
  /** Real milliseconds. */
  readonly duration_ms: number;
  /** Absent for a path that no operation has. */
  readonly operation?: OperationId | undefined;
  readonly client_id?: string | undefined;
  /** Of a call that came by gRPC: `package.Service/Method`. The rest says what it was as a request of the API. */
  readonly grpc_method?: string | undefined;
  readonly method: string;
  /** Path and query, raw. */
  readonly url: string;
  /** Names and values in turn, as Node gives them. */
  readonly request_headers: readonly string[];
  readonly request_body?: string | undefined;
  /** 0 if the connection was broken off, by a fault or by the client. */
  readonly status: number;
  readonly response_headers: OutgoingHttpHeaders;
  readonly response_body?: string | undefined;
  /** Rules of the contract that the request broke. */
  readonly violations?: readonly FieldViolation[] | undefined;
  /** What was let through and ignored, in words: unknown parameters and members, a preference that cannot be met. */
  readonly warnings?: readonly string[] | undefined;
  /** Why the call was refused, in words; from 400 up, where it is known. */
  readonly reason?: string | undefined;
  /** The rule that the refusal follows, by its number. */
  readonly rule?: string | undefined;
  /** The injected fault that decided the call. */
  readonly fault?: string | undefined;
}

export interface JournalFilter extends CallMatch {
  readonly operation?: OperationId;
  readonly status?: number;
  /** Without the query; `*` matches any part of it. */
  readonly path?: string;
  /** Epoch milliseconds of the environment's clock, included. */
  readonly since?: number;
}

export interface Journal extends Pick<Records<unknown>, 'dropped' | 'clear' | 'close'> {
  /** Runs on every call. */
  record(call: RecordedCall): void;
  /** The last `limit` calls that match, oldest first, credentials masked. Each is read when it is asked for. */
  list(filter?: JournalFilter, limit?: number): Iterable<JournalEntry>;
  /** One call by its place in the journal's whole history, credentials masked. */
  find(sequence: number): JournalEntry | undefined;
  /** The calls in short, oldest first. */
  latest(): JournalSummary[];
  /** Tells of every call to come in short, until the returned function is called. */
  subscribe(listener: (call: JournalSummary) => void): () => void;
  /** Resolves as soon as a call is recorded that matches, as `Records.wait` does. */
  wait(filter: JournalFilter, ms: number, signal?: AbortSignal): Promise<void>;
}

export const JOURNAL_LIMIT = 1_000;

export const createJournal = (): Journal => {
  const calls = createRecords<KeptCall>(JOURNAL_LIMIT);
  const numbered = () => calls.list().map((call, nth) => ({ call, sequence: calls.dropped() + nth + 1 }));
  return {
    ...calls,
    record: (call) => calls.add(cutBodies(call)),
    list: (filter = {}, limit = JOURNAL_LIMIT) => {
      const found = lastMatching(numbered(), limit, ({ call }) => passes(call, filter));
      return mapEach(found, ({ call, sequence }) => presentCall(call, sequence));
    },
    find: (sequence) => {
      const found = calls.list()[sequence - calls.dropped() - 1];
      return found && presentCall(found, sequence);
    },
    latest: () => numbered().map(({ call, sequence }) => presentInShort(call, sequence)),
    subscribe: (listener) => calls.subscribe((call) => listener(presentInShort(call, calls.added()))),
    wait: (filter, ms, signal) => calls.wait((call) => passes(call, filter), ms, signal),
  };
};

/** Looks from the end, so that no more bodies are read than are needed. */
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

/** An iterable that can be walked more than once, and works only while it is. */
const mapEach = <Item, Result>(items: readonly Item[], map: (item: Item) => Result): Iterable<Result> => ({
  *[Symbol.iterator]() {
    for (const item of items) yield map(item);
  },
});

const passes = (call: KeptCall, filter: JournalFilter): boolean => {
  const [path = '', query = ''] = call.url.split(/\?(.*)/s);
  return (
    (filter.operation === undefined || filter.operation === call.operation) &&
    (filter.status === undefined || filter.status === call.status) &&
    (filter.since === undefined || call.time >= filter.since) &&
    (filter.path === undefined || isLike(filter.path, path)) &&
    matchesCall(filter, { query, body: mayHold(call, filter) ? readBody(call) : undefined })
  );
};

const isLike = (pattern: string, path: string): boolean => {
  const [start = '', ...parts] = pattern.split('*');
  const end = parts.pop();
  if (end === undefined) return path === pattern;
  let from = path.startsWith(start) ? start.length : -1;
  for (const part of parts) {
    const at = from < 0 ? -1 : path.indexOf(part, from);
    from = at < 0 ? -1 : at + part.length;
  }
  return from >= 0 && path.length - end.length >= from && path.endsWith(end);
};

/** Whether a body is worth parsing: it has the names and texts that are looked for, or may have them written otherwise. */
const mayHold = ({ request_body = '' }: KeptCall, { identifier, body }: JournalFilter): boolean => {
  if (identifier === undefined && body === undefined) return false;
  if (!request_body.startsWith('{') || request_body.includes('\\')) return true;
  const texts = JSON.stringify(body ?? { identifier }).match(/"[^"\\]*"/g) ?? [];
  return texts.every((text) => request_body.includes(text));
};

const readBody = ({ request_body = '', request_headers }: KeptCall): unknown =>
  parseBody(request_body, bodyKindOf(request_headers));
