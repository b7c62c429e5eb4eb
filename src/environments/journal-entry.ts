/** A recorded call, and its form in the journal: credentials masked, JSON parsed. */
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { TextDecoder } from 'node:util';
import { toTimestamp } from '../core/clock.ts';
import type { FieldViolation } from '../core/errors.ts';
import { defined } from '../core/object.ts';
import { maskUrl } from '../core/secrets.ts';
import type { OperationId } from '../openapi/types.ts';
import { BODY_LIMIT, type BodyKind, type BodySource, kindOfBody, maskBody, maskHeader } from './masking.ts';

/** One call, unmasked. */
export interface RecordedCall {
  readonly request_id: string;
  /** Time on the environment's clock at the end of the call, epoch milliseconds. */
  readonly time: number;
  /** Real time at the end of the call, epoch milliseconds. */
  readonly real_time: number;
  /** The length of the call in real milliseconds. */
  readonly duration_ms: number;
  /** Absent if no operation has the path. */
  readonly operation?: OperationId | undefined;
  readonly client_id?: string | undefined;
  /** `package.Service/Method` of a gRPC call; the other members show the call as an API request. */
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
  /** Rules of the contract that the request broke. */
  readonly violations?: readonly FieldViolation[] | undefined;
  /** What was ignored, in words: unknown parameters and members, or a preference that cannot be met. */
  readonly warnings?: readonly string[] | undefined;
  /** Why the call was refused, in words, if known; only for statuses of 400 and above. */
  readonly reason?: string | undefined;
  /** Number of the rule that the refusal follows. */
  readonly rule?: string | undefined;
  /** Ids of the rows that the call named or changed, or of the only row in its reply. */
  readonly rows?: readonly string[] | undefined;
  /** Id of the fault that decided the call. */
  readonly fault?: string | undefined;
  /** Method and path of the stub that answered. */
  readonly stub?: string | undefined;
}

type Side = 'request' | 'response';

/** A call in the journal. */
export interface KeptCall {
  call: RecordedCall;
  /** Counts the journal's calls from 1, since request ids repeat after a reset. */
  readonly sequence: number;
  /** The sides of the call whose long body was dropped to free memory. */
  dropped?: readonly Side[];
}

/** A call as `control.yaml` describes it, credentials masked. */
export type JournalEntry = ReturnType<typeof presentCall>;

/** A call in short; `find` gives the whole entry by its sequence number. */
export type JournalSummary = ReturnType<typeof presentInShort>;

export const presentInShort = (kept: KeptCall) => {
  const { method, url, violations = [], warnings = [] } = kept.call;
  return {
    ...presentHead(kept),
    method,
    url: maskUrl(url),
    violations: violations.length,
    warnings: warnings.length,
  };
};

export const presentCall = (kept: KeptCall) => {
  const { call } = kept;
  return {
    ...presentHead(kept),
    ...defined({ client_id: call.client_id }),
    request: {
      method: call.method,
      url: maskUrl(call.url),
      headers: maskHeaders(call.request_headers),
      ...presentBody(kept, 'request'),
    },
    response: {
      headers: maskHeaders(call.response_headers),
      ...presentBody(kept, 'response'),
    },
    violations: [...(call.violations ?? [])],
    warnings: [...(call.warnings ?? [])],
  };
};

const presentHead = ({ call, sequence }: KeptCall) => {
  const { operation, reason, rule, fault, stub, grpc_method } = call;
  return {
    sequence,
    request_id: call.request_id,
    time: toTimestamp(call.time),
    real_time: toTimestamp(call.real_time),
    duration_ms: Math.round(call.duration_ms * 1_000) / 1_000,
    status: call.status,
    rows: [...(call.rows ?? [])],
    ...defined({ operation, reason, rule, fault, stub, grpc_method }),
  };
};

/**
 * A body as entries show it. `body_cut` means that the body was longer than 64 KiB, and its end or all of it is
 * missing.
 */
const presentBody = (
  { call, dropped }: KeptCall,
  side: Side,
): { readonly body?: unknown; readonly body_cut?: true } => {
  if (dropped?.includes(side)) return { body_cut: true };
  const text = call[`${side}_body`];
  if (!text) return {};
  const body = maskBody(
    text,
    bodyKindOf(call[`${side}_headers`]),
    side === 'request' ? 'client' : sourceOf(call),
  );
  return isLong(text) ? { body: cutBody(body), body_cut: true } : { body };
};

/** Who wrote the reply's body: the mock's own errors never hold a credential, but the answers of faults may. */
const sourceOf = ({ status, fault }: RecordedCall): BodySource =>
  status >= 400 && fault === undefined ? 'error' : 'answer';

export const bodyKindOf = (headers: OutgoingHttpHeaders): BodyKind => {
  const found = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type');
  return kindOfBody(found && String(found[1]));
};

/**
 * Whether a body is longer than the limit. A character takes at most three bytes of UTF-8, so short texts need no
 * measuring.
 */
const isLong = (text = ''): boolean => text.length * 3 > BODY_LIMIT && Buffer.byteLength(text) > BODY_LIMIT;

/** Cuts a body to the limit, and never leaves half a character at its end. */
const cutBody = (masked: unknown): string => {
  const bytes = Buffer.from(typeof masked === 'string' ? masked : JSON.stringify(masked));
  return new TextDecoder().decode(bytes.subarray(0, BODY_LIMIT), { stream: true });
};

const longSides = (call: RecordedCall) =>
  (['request', 'response'] as const).filter((side) => isLong(call[`${side}_body`]));

/** Characters of the call's long bodies. */
export const longLength = (call: RecordedCall): number =>
  longSides(call).reduce((length, side) => length + (call[`${side}_body`]?.length ?? 0), 0);

/** Frees the memory of the call's long bodies. */
export const dropLongBodies = (kept: KeptCall): void => {
  kept.dropped = longSides(kept.call);
  const bodies = kept.dropped.map((side) => [`${side}_body`, '']);
  kept.call = { ...kept.call, ...Object.fromEntries(bodies) };
};

const maskHeaders = (headers: OutgoingHttpHeaders): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      maskHeader(name, [value ?? ''].flat().join(', ')),
    ]),
  );
