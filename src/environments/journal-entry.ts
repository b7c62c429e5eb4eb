/** A recorded call as it is shown: credentials masked, JSON parsed where it is whole. */
import type { OutgoingHttpHeaders } from 'node:http';
import { toTimestamp } from '../core/clock.ts';
import type { FieldViolation } from '../core/errors.ts';
import type { OperationId } from '../openapi/types.ts';
import type { Exchange, KeptExchange } from './journal.ts';
import { maskBody, maskHeader, maskUrl } from './masking.ts';

type HeaderValues = Readonly<Record<string, string>>;

/** One side of a call. */
interface Message {
  /** Names in lower case; several of one name are joined by commas. */
  readonly headers: HeaderValues;
  /** Parsed JSON; the text if it is none, or was cut. Absent if there was none. */
  readonly body?: unknown;
  /** The body was longer than 64 KiB; its end is missing. */
  readonly body_cut?: true;
}

export interface JournalEntry {
  readonly request_id: string;
  readonly time: string;
  readonly duration_ms: number;
  readonly operation?: OperationId;
  readonly client_id?: string;
  /** 0 if the connection was broken off. */
  readonly status: number;
  readonly request: Message & { readonly method: string; readonly url: string };
  readonly response: Message;
  /** Rules of the contract that the request broke. */
  readonly violations: FieldViolation[];
  readonly fault?: string;
}

/** What a line about a call needs; the rest is asked for by its sequence. */
export interface JournalSummary
  extends Pick<JournalEntry, 'request_id' | 'time' | 'duration_ms' | 'operation' | 'status' | 'fault'> {
  /** Counts up from 1 while the journal lives; request ids repeat after a reset. */
  readonly sequence: number;
  readonly method: string;
  readonly url: string;
  /** How many rules of the contract the request broke. */
  readonly violations: number;
}

export const presentInShort = (exchange: Exchange, sequence: number): JournalSummary => {
  const { request_id, operation, status, method, fault, violations = [] } = exchange;
  return {
    sequence,
    request_id,
    time: toTimestamp(exchange.time),
    duration_ms: inMicroseconds(exchange.duration_ms),
    ...(operation !== undefined && { operation }),
    status,
    method,
    url: maskUrl(exchange.url),
    violations: violations.length,
    ...(fault !== undefined && { fault }),
  };
};

const inMicroseconds = (ms: number): number => Math.round(ms * 1_000) / 1_000;

export const presentExchange = (exchange: KeptExchange): JournalEntry => {
  const { request_id, operation, client_id, status, fault, cut } = exchange;
  return {
    request_id,
    time: toTimestamp(exchange.time),
    duration_ms: inMicroseconds(exchange.duration_ms),
    ...(operation !== undefined && { operation }),
    ...(client_id !== undefined && { client_id }),
    status,
    request: {
      method: exchange.method,
      url: maskUrl(exchange.url),
      headers: maskRawHeaders(exchange.request_headers),
      ...presentBody(exchange.request_body, cut?.includes('request')),
    },
    response: {
      headers: maskHeaders(exchange.response_headers),
      ...presentBody(exchange.response_body, cut?.includes('response')),
    },
    violations: [...(exchange.violations ?? [])],
    ...(fault !== undefined && { fault }),
  };
};

const presentBody = (text = '', isCut = false): Pick<Message, 'body' | 'body_cut'> => {
  if (text === '') return {};
  const masked = maskBody(text);
  return isCut ? { body: masked, body_cut: true } : { body: parsed(masked) };
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const maskRawHeaders = (raw: readonly string[]): HeaderValues => {
  const headers = new Map<string, string>();
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = (raw[index] ?? '').toLowerCase();
    const value = maskHeader(name, raw[index + 1] ?? '');
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(headers);
};

const maskHeaders = (headers: OutgoingHttpHeaders): HeaderValues =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      maskHeader(name, [value ?? ''].flat().join(', ')),
    ]),
  );
