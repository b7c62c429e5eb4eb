/** A recorded call as it is shown: credentials masked, JSON parsed. */

import type { OutgoingHttpHeaders } from 'node:http';
import { TextDecoder } from 'node:util';
import { toTimestamp } from '../core/clock.ts';
import type { FieldViolation } from '../core/errors.ts';
import { defined } from '../core/object.ts';
import type { OperationId } from '../openapi/types.ts';
import type { RecordedCall } from './journal.ts';
import { type BodyKind, type BodySource, kindOfBody, maskBody, maskHeader, maskUrl } from './masking.ts';

type Headers = Readonly<Record<string, string>>;

/** One side of a call. */
interface JournalMessage {
  /** Names in lower case; several of one name are joined by commas. */
  readonly headers: Headers;
  /** What it holds where it is JSON, else a text. Absent if there was none. */
  readonly body?: unknown;
  /** The body was longer than 64 KiB; its end is missing. */
  readonly body_cut?: true;
}

export interface JournalEntry {
  /** Counts the journal's calls from 1; request ids repeat after a reset. */
  readonly sequence: number;
  readonly request_id: string;
  /** By the environment's clock. */
  readonly time: string;
  readonly real_time: string;
  readonly duration_ms: number;
  readonly operation?: OperationId;
  readonly client_id?: string;
  /** 0 if the connection was broken off. */
  readonly status: number;
  readonly request: JournalMessage & { readonly method: string; readonly url: string };
  readonly response: JournalMessage;
  /** Rules of the contract that the request broke. */
  readonly violations: FieldViolation[];
  /** What was let through and ignored, in words. */
  readonly warnings: string[];
  readonly reason?: string;
  readonly rule?: string;
  readonly fault?: string;
  /** Of a call that came by gRPC. */
  readonly grpc_method?: string;
}

/** What a line about a call needs; the rest is asked for by its sequence. */
export interface JournalSummary
  extends Pick<
    JournalEntry,
    | 'sequence'
    | 'request_id'
    | 'time'
    | 'real_time'
    | 'duration_ms'
    | 'operation'
    | 'status'
    | 'reason'
    | 'rule'
    | 'fault'
    | 'grpc_method'
  > {
  readonly method: string;
  readonly url: string;
  /** How many rules of the contract the request broke. */
  readonly violations: number;
  /** How many things were let through and ignored. */
  readonly warnings: number;
}

export const presentInShort = (call: KeptCall, sequence: number): JournalSummary => ({
  ...presentHead(call, sequence),
  method: call.method,
  url: maskUrl(call.url),
  violations: call.violations?.length ?? 0,
  warnings: call.warnings?.length ?? 0,
});

export const presentCall = (call: KeptCall, sequence: number): JournalEntry => ({
  ...presentHead(call, sequence),
  ...defined({ client_id: call.client_id }),
  request: {
    method: call.method,
    url: maskUrl(call.url),
    headers: maskRawHeaders(call.request_headers),
    ...presentBody(call, 'request'),
  },
  response: {
    headers: maskHeaders(call.response_headers),
    ...presentBody(call, 'response'),
  },
  violations: [...(call.violations ?? [])],
  warnings: [...(call.warnings ?? [])],
});

/** What both forms say. */
const presentHead = (call: KeptCall, sequence: number) => {
  const { request_id, time, real_time, duration_ms, operation, status, reason, rule, fault, grpc_method } =
    call;
  return {
    sequence,
    request_id,
    time: toTimestamp(time),
    real_time: toTimestamp(real_time),
    duration_ms: Math.round(duration_ms * 1_000) / 1_000,
    status,
    ...defined({ operation, reason, rule, fault, grpc_method }),
  };
};

type Side = 'request' | 'response';

/** A call whose bodies fit; `cut` names those that lost their end, whose text is masked already. */
export interface KeptCall extends RecordedCall {
  readonly cut?: readonly Side[];
}

const presentBody = (call: KeptCall, side: Side): Pick<JournalMessage, 'body' | 'body_cut'> => {
  const text = call[`${side}_body`];
  if (!text) return {};
  return call.cut?.includes(side) ? { body: text, body_cut: true } : { body: maskBodyOf(call, side, text) };
};

const maskBodyOf = (call: RecordedCall, side: Side, text: string): unknown =>
  side === 'request'
    ? maskBody(text, bodyKindOf(call.request_headers), 'client')
    : maskBody(text, kindOfBody(contentTypeOf(call.response_headers)), sourceOf(call));

const sourceOf = ({ status, fault }: RecordedCall): BodySource =>
  status >= 400 && fault === undefined ? 'error' : 'answer';

/** What a body claims to be, by headers as Node gives them. */
export const bodyKindOf = (raw: readonly string[]): BodyKind => {
  const at = raw.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'content-type');
  return kindOfBody(at < 0 ? undefined : raw[at + 1]);
};

const contentTypeOf = (headers: OutgoingHttpHeaders): string | undefined => {
  const found = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type');
  return found && String(found[1]);
};

const BODY_LIMIT = 64 * 1024;

/** The call with bodies that fit. A long one is masked before it is cut: half of it could not be parsed. */
export const cutBodies = (call: RecordedCall): KeptCall => {
  const long = SIDES.filter((side) => isLong(call[`${side}_body`]));
  if (long.length === 0) return call;
  const bodies = long.map((side) => [`${side}_body`, cutBody(call, side)]);
  return { ...call, ...Object.fromEntries(bodies), cut: long };
};

const SIDES: readonly Side[] = ['request', 'response'];

/** UTF-8 needs at most three bytes for a character of a JavaScript string, so a short text need not be measured. */
const isLong = (text = ''): boolean => text.length * 3 > BODY_LIMIT && Buffer.byteLength(text) > BODY_LIMIT;

const cutBody = (call: RecordedCall, side: Side): string => {
  const masked = maskBodyOf(call, side, call[`${side}_body`] ?? '');
  const bytes = Buffer.from(typeof masked === 'string' ? masked : JSON.stringify(masked));
  // A character cut in two is left out.
  return new TextDecoder().decode(bytes.subarray(0, BODY_LIMIT), { stream: true });
};

const maskRawHeaders = (raw: readonly string[]): Headers => {
  const headers = new Map<string, string>();
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = (raw[index] ?? '').toLowerCase();
    const value = maskHeader(name, raw[index + 1] ?? '');
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(headers);
};

const maskHeaders = (headers: OutgoingHttpHeaders): Headers =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      maskHeader(name, [value ?? ''].flat().join(', ')),
    ]),
  );
