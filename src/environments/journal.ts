/**
 * What clients sent to an environment and got: the last 1,000 calls, bodies up to 64 KiB.
 * Recording keeps references and reads nothing; credentials are masked and bodies parsed when somebody looks.
 */
import type { OutgoingHttpHeaders } from 'node:http';
import type { FieldViolation } from '../core/errors.ts';
import type { OperationId } from '../openapi/types.ts';
import { type JournalEntry, type JournalSummary, presentExchange, presentInShort } from './journal-entry.ts';
import { createRing } from './ring.ts';

/** One call, as it was. */
export interface Exchange {
  readonly request_id: string;
  /** The environment's clock at the end of the call, epoch milliseconds. */
  readonly time: number;
  /** Real milliseconds. */
  readonly duration_ms: number;
  /** Absent for a path that no operation has. */
  readonly operation?: OperationId | undefined;
  readonly client_id?: string | undefined;
  readonly method: string;
  /** Path and query, raw. */
  readonly url: string;
  /** Names and values in turn, as Node gives them. */
  readonly request_headers: readonly string[];
  readonly request_body?: string | undefined;
  /** 0 if the connection was broken off. */
  readonly status: number;
  readonly response_headers: OutgoingHttpHeaders;
  readonly response_body?: string | undefined;
  readonly violations?: readonly FieldViolation[] | undefined;
  /** The injected fault that decided the call. */
  readonly fault?: string | undefined;
}

/** An exchange whose bodies fit; `cut` names those that lost their end. */
export type KeptExchange = Exchange & { readonly cut?: readonly ('request' | 'response')[] };

export interface JournalFilter {
  readonly operation?: string | undefined;
  readonly status?: number | undefined;
  /** Epoch milliseconds of the environment's clock, included. */
  readonly since?: number | undefined;
}

export interface Journal {
  record(exchange: Exchange): void;
  /** Oldest first, credentials masked. */
  list(filter?: JournalFilter): JournalEntry[];
  /** One call by its place in the journal's whole history, credentials masked. */
  find(sequence: number): JournalEntry | undefined;
  /** The latest calls in short, oldest first. */
  latest(limit: number): JournalSummary[];
  /** Tells of every call to come in short, until the returned function is called. */
  subscribe(listener: (call: JournalSummary) => void): () => void;
  /** Calls that made room for later ones. */
  dropped(): number;
  clear(): void;
}

const LIMIT = 1_000;
const BODY_LIMIT = 64 * 1024;

export const createJournal = (): Journal => {
  const ring = createRing<KeptExchange>(LIMIT);
  const listeners = new Set<(call: JournalSummary) => void>();
  const tell = (exchange: Exchange): void => {
    const call = presentInShort(exchange, ring.added());
    for (const listener of listeners) listener(call);
  };
  return {
    record: (exchange) => {
      ring.add(withinLimit(exchange));
      if (listeners.size > 0) tell(exchange);
    },
    list: (filter = {}) =>
      ring
        .list()
        .filter((exchange) => passes(exchange, filter))
        .map(presentExchange),
    find: (sequence) => {
      const found = ring.list()[sequence - ring.dropped() - 1];
      return found && presentExchange(found);
    },
    latest: (limit) => {
      const calls = ring.list().map((exchange, nth) => ({ exchange, sequence: ring.dropped() + nth + 1 }));
      return calls.slice(-limit).map(({ exchange, sequence }) => presentInShort(exchange, sequence));
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    dropped: () => ring.dropped(),
    clear: () => ring.clear(),
  };
};

const passes = ({ operation, status, time }: Exchange, filter: JournalFilter): boolean =>
  (filter.operation === undefined || filter.operation === operation) &&
  (filter.status === undefined || filter.status === status) &&
  (filter.since === undefined || time >= filter.since);

/** UTF-8 needs at most three bytes for a character of a JavaScript string, so a short text need not be measured. */
const isLong = (text: string | undefined): text is string =>
  text !== undefined && text.length * 3 > BODY_LIMIT && Buffer.byteLength(text) > BODY_LIMIT;

const withinLimit = (exchange: Exchange): KeptExchange => {
  const { request_body: request, response_body: response } = exchange;
  if (!isLong(request) && !isLong(response)) return exchange;
  return {
    ...exchange,
    ...(isLong(request) && { request_body: cutBody(request) }),
    ...(isLong(response) && { response_body: cutBody(response) }),
    cut: [
      ...(isLong(request) ? (['request'] as const) : []),
      ...(isLong(response) ? (['response'] as const) : []),
    ],
  };
};

/** A copy: a slice would keep the whole text alive. A character cut in two is left out. */
const cutBody = (text: string): string =>
  new TextDecoder().decode(Buffer.from(text).subarray(0, BODY_LIMIT), { stream: true });
