/** What a fault or a `Prefer` header does to a call: answers made on demand, and drawn delays. */

import { ERROR_KINDS, type ErrorCode, Refusal, type RefusalExtras } from '../core/errors.ts';
import type { Draw } from '../core/ids.ts';
import { cut } from '../core/text.ts';
import type { OperationId } from '../openapi/types.ts';

/** Sent as it is in place of the operation's answer. */
export interface FaultAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * What is to happen to a call, in this order:
 * 1. wait `delayMs`;
 * 2. `abort: 'before'`: break the connection off, nothing else happens;
 * 3. an `answer` in place of the operation: an `Refusal` is thrown, so that it is written like every other refusal,
 *    anything else is sent as it is. Without one the operation runs;
 * 4. send the answer, whichever it is, at `bytesPerSecond`, and with `abort: 'body'` only its first half.
 */
export interface FaultEffect {
  /** Id of the fault that decided it, for the journal. */
  readonly fault: string;
  /** Milliseconds of real time; 0 for none. */
  readonly delayMs: number;
  readonly answer?: Refusal | FaultAnswer;
  readonly abort?: 'before' | 'body';
  readonly bytesPerSecond?: number;
}

/** Milliseconds: fixed, evenly between two bounds, or as real services scatter, with half of all calls under the median. */
export type Delay =
  | number
  | { readonly min: number; readonly max: number }
  | { readonly median: number; readonly p99: number };

/** Ten minutes; no client waits longer. */
export const LONGEST_DELAY = 600_000;

/** Whole milliseconds. */
export const drawDelay = (delay: Delay, draw: Draw): number => {
  if (typeof delay === 'number') return delay;
  if ('min' in delay) return Math.round(delay.min + draw.fraction() * (delay.max - delay.min));
  return Math.min(LONGEST_DELAY, Math.round(drawLogNormal(delay.median, delay.p99, draw)));
};

/** How many standard deviations above the mean 99 % of a normal distribution end. */
const Z99 = 2.326_347_874;

/** By Box and Muller's method. */
const drawLogNormal = (median: number, p99: number, draw: Draw): number => {
  const normal = Math.sqrt(-2 * Math.log(1 - draw.fraction())) * Math.cos(2 * Math.PI * draw.fraction());
  return median * Math.exp((normal * Math.log(p99 / median)) / Z99);
};

/** What is answered, and with what. */
interface WantedAnswer {
  readonly status?: number | undefined;
  readonly error_code?: ErrorCode | undefined;
  readonly body?: string | object | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly retry_after?: number | undefined;
}

/**
 * The answer that is wanted in place of the operation's; undefined if none is, or 200 and no more.
 * @param origin who asked for it: `fault fault_1`
 */
export const answerOf = (
  wanted: WantedAnswer,
  operation: OperationId,
  origin: string,
): Refusal | FaultAnswer | undefined => {
  const { error_code, body, retry_after } = wanted;
  const status = wanted.status ?? (error_code && ERROR_KINDS[error_code].status);
  const headers = {
    ...(retry_after !== undefined && { 'Retry-After': String(retry_after) }),
    ...wanted.headers,
  };
  if (wanted.status === 200) return undefined;
  if (body !== undefined) return rawAnswer(status ?? 200, headers, body);
  if (status === undefined) return undefined;
  return injectedError(error_code ?? codeOfStatus(status), status, operation, origin, headers);
};

const rawAnswer = (
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string | object,
): FaultAnswer => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const isTyped = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  return {
    status,
    headers: isTyped ? headers : { 'Content-Type': `${typeOf(text)}; charset=utf-8`, ...headers },
    body: text,
  };
};

/** By its first character, so that half a JSON is sent as the JSON that it should have been. */
const typeOf = (text: string): string => {
  const first = text.trimStart()[0] ?? '';
  if (first === '<') return 'text/html';
  return '{['.includes(first) && first !== '' ? 'application/json' : 'text/plain';
};

/** An error made on demand, with every member that a real one of its code has. */
const injectedError = (
  code: ErrorCode,
  status: number,
  operation: OperationId,
  origin: string,
  headers: Readonly<Record<string, string>>,
): Refusal => {
  const message = `${status} ${code} was asked for by ${origin}; the operation did not run and nothing changed.`;
  const extras = injectedExtras(code, operation, message);
  return new Refusal(code, message, '', {
    ...extras,
    isInjected: true,
    status,
    headers: { ...extras.headers, ...headers },
  });
};

/** Statuses whose errors tell what they are about (behaviour R1). */
const ABOUT_A_RESOURCE: readonly number[] = [403, 404, 409];

const injectedExtras = (code: ErrorCode, operation: OperationId, message: string): RefusalExtras => {
  if (code === 'RATE_LIMITED') return { headers: { 'Retry-After': '1' } };
  if (code === 'INVALID_ARGUMENT')
    return { violations: [{ field: 'request', constraint: 'injected', description: message }] };
  return ABOUT_A_RESOURCE.includes(ERROR_KINDS[code].status)
    ? { resource: { resource_name: `operation ${operation}`, description: 'It did not run.' } }
    : {};
};

/** The first error code of each status that the contract documents. */
type ErrorKind = (typeof ERROR_KINDS)[ErrorCode];
const CODES = new Map<number, ErrorCode>();
for (const [code, { status, rule }] of Object.entries(ERROR_KINDS) as [ErrorCode, ErrorKind][])
  if (rule !== undefined && !CODES.has(status)) CODES.set(status, code);
CODES.set(502, 'UNAVAILABLE');

/** The error code of a status; one that the contract does not have reads as the first of its class (RFC 9110, 15). */
const codeOfStatus = (status: number): ErrorCode =>
  CODES.get(status) ?? (status < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL_ERROR');

/** Whether the service could answer this status with this code, or the status is one that only a gateway sends. */
export const goTogether = (status: number, code: ErrorCode): boolean =>
  !CODES.has(status) || ERROR_KINDS[code].status === status;

/** What a `Prefer` header asks for one request: an error, or something that is ignored (RFC 7240), in words. */
export type Preference = { readonly status: number } | { readonly warning: string };

/** Reads `code=429`. Several headers are one, joined by commas. Undefined if it asks for no code. */
export const readPreference = (header: string | undefined): Preference | undefined => {
  const code = /(?:^|[,;])\s*code\s*=\s*("[^"]*"|[^\s,;]*)/i.exec(header ?? '')?.[1];
  if (code === undefined) return undefined;
  const text = code.replaceAll('"', '');
  if (/^[45]\d\d$/.test(text)) return { status: Number(text) };
  return {
    warning: `Prefer asks for code=${cut(text)}, which is no status from 400 to 599; it was ignored.`,
  };
};

/** The error that a preference asks for. */
export const preferredError = (status: number, operation: OperationId): Refusal =>
  injectedError(codeOfStatus(status), status, operation, 'the Prefer header', {});
