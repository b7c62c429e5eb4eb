/** A recorded call, and its entry in the journal: credentials masked, JSON parsed. */
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { TextDecoder } from 'node:util';
import { toTimestamp } from '../core/clock.ts';
import type { FieldViolation } from '../core/errors.ts';
import { defined } from '../core/object.ts';
import { maskSecret, maskUrl } from '../core/secrets.ts';
import { cut } from '../core/text.ts';
import { type BodyKind, kindOfBody, maskBody, maskHeader } from './masking.ts';

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
export const BODY_LIMIT = 64 * 1024;

export type Side = 'request' | 'response';

export interface KeptCall {
  call: RecordedCall;
  /** The number of the call in the journal, from 1. Request ids are not unique, since they repeat after a reset. */
  readonly sequence: number;
  /** Which of its bodies are longer than `BODY_LIMIT`. Without a text, they were dropped to free memory. */
  readonly long: readonly Side[];
}

export type JournalEntry = ReturnType<typeof presentCall>;

/** A short form of an entry, for the console's list. */
export type JournalSummary = ReturnType<typeof presentSummary>;

export const presentSummary = (kept: KeptCall, secrets: readonly string[]) => {
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

export const presentCall = (kept: KeptCall, secrets: readonly string[]) => {
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

export const bodyKindOf = (headers: OutgoingHttpHeaders): BodyKind => {
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
