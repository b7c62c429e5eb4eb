/**
 * What clients sent to an environment and what it answered: the last 1,000 calls. Recording is cheap: bodies are parsed
 * and masked only when somebody reads the journal. Filters search whole bodies; entries show at most 64 KiB of each.
 */
import type { OutgoingHttpHeaders } from 'node:http';
import { TextDecoder } from 'node:util';
import type { components, operations } from '../control/generated.ts';
import { toTimestamp } from '../core/clock.ts';
import type { FieldViolation } from '../core/errors.ts';
import { defined, mapMembers } from '../core/object.ts';
import { decode, maskSecret, maskUrl } from '../core/secrets.ts';
import { type CallMatch, matcherOf } from './call-match.ts';
import { LiveLog } from './log.ts';
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
  /** Path and query are raw. */
  readonly request: RecordedSide & { readonly method: string; readonly url: string };
  readonly response: RecordedSide;
  readonly violations?: readonly FieldViolation[] | undefined;
  readonly warnings?: readonly string[] | undefined;
}

interface RecordedSide {
  /** With names in lower case, as Node has them. */
  readonly headers: OutgoingHttpHeaders;
  readonly body?: string | undefined;
}

/** Entries show this many bytes of a body. */
const BODY_LIMIT = 64 * 1024;

const SIDES = ['request', 'response'] as const;

interface KeptCall {
  call: RecordedCall;
  /** The number of the call in the journal, from 1. Request ids are not unique, since they repeat after a reset. */
  readonly sequence: number;
  /** Which of its bodies are longer than `BODY_LIMIT`. Without a text, they were dropped to free memory. */
  readonly long: readonly (typeof SIDES)[number][];
}

export type JournalEntry = ReturnType<Journal['present']>;

type Asked = NonNullable<operations['listRequests']['parameters']['query']>;

/** Calls before `since`, in epoch milliseconds on the environment's clock, do not match. */
export type JournalFilter = CallMatch &
  Pick<Asked, 'operation' | 'status' | 'text'> & { readonly since?: number };

export const JOURNAL_LIMIT = 1_000;

/** The journal keeps at most this many characters of long bodies (over 64 KiB) in total. */
const LONG_BODIES_LIMIT = 8 * 1024 * 1024;

/** What a call weighs besides its bodies, in characters. */
const CALL_WEIGHT = 3_000;

export class Journal extends LiveLog<KeptCall> {
  /** @param secretsOf the credentials of the environment, which are masked wherever they stand */
  constructor(private secretsOf: () => readonly string[] = () => []) {
    super(JOURNAL_LIMIT);
  }

  /** Ends all waits. What is masked from now on stays the same, so that the journal keeps no state alive. */
  override close(): void {
    const last = this.secretsOf();
    this.secretsOf = () => last;
    super.close();
  }

  weight(): number {
    return this.list().reduce((sum, { call }) => sum + CALL_WEIGHT + lengthOf(call, SIDES), 0);
  }

  /** Must be fast, since it runs for every call. */
  record(call: RecordedCall): void {
    const long = SIDES.filter((side) => isLong(call[side].body ?? ''));
    this.add({ call, sequence: this.last + 1, long });
    if (long.length > 0) makeRoom(this.list());
  }

  /** The last `limit` matching calls, oldest first. */
  entries(filter: JournalFilter = {}, limit = JOURNAL_LIMIT) {
    const found: JournalEntry[] = [];
    // Searches from the end, so that no more bodies than necessary are parsed.
    for (const kept of this.list().reverse()) {
      if (found.length >= limit) break;
      if (passes(kept.call, filter)) found.push(this.present(kept));
    }
    return found.reverse();
  }

  find(sequence: number): JournalEntry | undefined {
    const kept = this.list().find((one) => one.sequence === sequence);
    return kept && this.present(kept);
  }

  waitFor(filter: JournalFilter, ms: number, signal?: AbortSignal): Promise<void> {
    return this.wait(({ call }) => passes(call, filter), ms, signal);
  }

  /** A call as an entry shows it: masked, and with its long bodies cut. */
  present({ call, sequence, long }: KeptCall) {
    const { time, real_time, duration_ms, request, response, violations = [], warnings = [], ...told } = call;
    const secrets = this.secretsOf();
    const url = maskUrl(withoutSecrets(request.url, secrets));
    return {
      sequence,
      time: toTimestamp(time),
      real_time: toTimestamp(real_time),
      duration_ms: Math.round(duration_ms * 1_000) / 1_000,
      ...defined(told),
      request: { method: request.method, url, ...presentSide(request, long.includes('request'), secrets) },
      response: presentSide(response, long.includes('response'), secrets, true),
      violations: [...violations],
      warnings: [...warnings],
    };
  }
}

const lengthOf = (call: RecordedCall, sides: KeptCall['long']): number =>
  sides.reduce((sum, side) => sum + (call[side].body?.length ?? 0), 0);

/** Counts bytes only if the text can be too long: each unit of `length` takes at most three bytes of UTF-8. */
const isLong = (text: string): boolean =>
  text.length * 3 > BODY_LIMIT && Buffer.byteLength(text) > BODY_LIMIT;

/** Drops the long bodies of the oldest calls, once there are too many. */
const makeRoom = (calls: readonly KeptCall[]): void => {
  let left = LONG_BODIES_LIMIT;
  for (const kept of calls.toReversed()) {
    left -= lengthOf(kept.call, kept.long);
    if (left >= 0) continue;
    for (const side of kept.long) kept.call = { ...kept.call, [side]: { ...kept.call[side], body: '' } };
  }
};

const passes = (call: RecordedCall, filter: JournalFilter): boolean => {
  const { operation, status, since, text, ...match } = filter;
  const { url, headers, body: sent = '' } = call.request;
  const [path = '', query = ''] = url.split(/\?(.*)/s);
  const matches = matcherOf({
    path,
    query,
    get body() {
      return parseBody(sent, kindOfHeaders(headers));
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
const holds = ({ request, response, client_id }: RecordedCall, text: string): boolean =>
  [request.url, decode(request.url), request.body, response.body, client_id].some((part) =>
    part?.toLowerCase().includes(text),
  );

const isStatus = (wanted: number | string, status: number): boolean =>
  [String(status), `${Math.floor(status / 100)}xx`].includes(String(wanted));

/** @param isCut marks a long body, which is cut to 64 KiB or was dropped to free memory */
const presentSide = (
  { headers, body: text }: RecordedSide,
  isCut: boolean,
  secrets: readonly string[],
  isReply = false,
): Shown['response'] => {
  const shown = { headers: maskHeaders(headers, secrets), ...(isCut && { body_cut: true }) };
  if (!text) return shown;
  const body = maskBody(withoutSecrets(text, secrets), kindOfHeaders(headers), isReply);
  return { ...shown, body: isCut ? cutBody(body) : body };
};

const kindOfHeaders = ({ 'content-type': type = '' }: OutgoingHttpHeaders) => kindOfBody(String(type));

/** Cuts a body to the limit. With `stream`, the decoder leaves out a character of which only some bytes remain. */
const cutBody = (masked: unknown): string => {
  const bytes = Buffer.from(typeof masked === 'string' ? masked : JSON.stringify(masked));
  return new TextDecoder().decode(bytes.subarray(0, BODY_LIMIT), { stream: true });
};

const maskHeaders = (headers: OutgoingHttpHeaders, secrets: readonly string[]) =>
  mapMembers(headers, (value, name) =>
    maskHeader(name, withoutSecrets([value ?? ''].flat().join(', '), secrets)),
  );

const withoutSecrets = (text: string, secrets: readonly string[]): string => secrets.reduce(maskSecret, text);
