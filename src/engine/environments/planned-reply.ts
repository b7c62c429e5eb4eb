/** What answers a call instead of its operation, when a fault or a `Prefer` header asks for that. */
import { ERROR_KINDS, type ErrorCode, type OwnCodes, Refusal, type RefusalExtras } from '../core/errors.ts';
import { cut } from '../core/text.ts';

export interface SentReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly text: string;
}

/** A documented error, or any status, headers and body. */
export type Instead = Refusal | SentReply;

/** The members of a fault that describe its answer. */
export interface InsteadRule {
  /** The answer's `error_code`, which can be any string. Default: the usual code for the status. */
  readonly error_code?: string;
  /** The body to send, instead of an error. If `status` and `error_code` are absent, the answer has status 200. */
  readonly body?: string | { [name: string]: unknown };
  readonly headers?: Record<string, string>;
  /** Seconds for the `Retry-After` header. */
  readonly retry_after?: number;
}

/**
 * The answer that a fault asks for. Undefined if it asks for none, or for status 200, which lets the operation run.
 * @param cause such as `fault fault_1`
 */
export const readInstead = (
  { error_code, body, headers: more, retry_after }: InsteadRule,
  status: number | undefined,
  operation: string,
  cause: string,
  own: OwnCodes,
): Instead | undefined => {
  if (status === 200) return undefined;
  const headers = { ...(retry_after !== undefined && { 'Retry-After': String(retry_after) }), ...more };
  const kind = error_code === undefined ? undefined : kindOfCode(error_code, own);
  const answered =
    status ?? (kind && ERROR_KINDS[kind].status) ?? (error_code === undefined ? undefined : 500);
  if (body !== undefined) return toReply(answered ?? 200, headers, body);
  return answered === undefined
    ? undefined
    : injectError({ status: answered, kind, code: error_code, operation, cause, headers });
};

const toReply = (
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string | object,
): SentReply => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const isTyped = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  return {
    status,
    headers: isTyped ? headers : { 'Content-Type': `${typeOf(text)}; charset=utf-8`, ...headers },
    text,
  };
};

/** Decides by the first character, so that truncated JSON is still sent as JSON. */
const typeOf = (text: string): string => {
  const first = text.trimStart()[0] ?? '';
  if (first === '<') return 'text/html';
  return '{['.includes(first) && first !== '' ? 'application/json' : 'text/plain';
};

interface Injected {
  readonly status: number;
  /** The kind of the `code`, if it is a known one. */
  readonly kind?: ErrorCode | undefined;
  readonly code?: string | undefined;
  readonly operation: string;
  readonly cause: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** An error with all members that a real error of this status has. */
const injectError = (injected: Injected): Refusal => {
  const { status, code, operation, cause, kind = kindOfStatus(status) } = injected;
  const message = `${status} ${code ?? kind} was requested by ${cause}; the operation did not run and nothing changed.`;
  const extras = extrasOf(kind, operation, message);
  return new Refusal(kind, message, '', {
    ...extras,
    guide: 'stubs#let-calls-fail',
    isInjected: true,
    status,
    ...(code !== undefined && { shownCode: code }),
    headers: { ...extras.headers, ...injected.headers },
  });
};

const extrasOf = (kind: ErrorCode, operation: string, message: string): RefusalExtras => {
  if (kind === 'RATE_LIMITED') return { headers: { 'Retry-After': '1' } };
  if (kind === 'INVALID_ARGUMENT')
    return { violations: [{ field: 'request', constraint: 'injected', description: message }] };
  // Errors with these statuses have `resource_info` (behaviour R1).
  return [403, 404, 409].includes(ERROR_KINDS[kind].status)
    ? { resource: { resource_name: `operation ${operation}`, description: 'The operation did not run.' } }
    : {};
};

const isErrorCode = (text: string): text is ErrorCode => Object.hasOwn(ERROR_KINDS, text);

/** The kind of an `error_code`; undefined if the mock does not know the code. */
const kindOfCode = (code: string, own: OwnCodes): ErrorCode | undefined =>
  isErrorCode(code) ? code : Object.hasOwn(own, code) ? own[code] : undefined;

/** The first API code with this status. Without one, 4xx counts as 400, 502 as 503, other 5xx as 500 (RFC 9110, 15). */
const kindOfStatus = (status: number): ErrorCode => {
  if (status === 502) return 'UNAVAILABLE';
  const codes = Object.keys(ERROR_KINDS) as ErrorCode[];
  const found = codes.find((code) => ERROR_KINDS[code].status === status && ERROR_KINDS[code].rule);
  return found ?? (status < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL_ERROR');
};

/**
 * Reads `code=429` from a `Prefer` header (RFC 7240), which can be several headers joined by commas.
 * @returns the wanted status, or a warning that the code is ignored; undefined if the header has no code
 */
export const readPreference = (header: string | undefined) => {
  const code = /(?:^|[,;])\s*code\s*=\s*("[^"]*"|[^\s,;]*)/i.exec(header ?? '')?.[1];
  if (code === undefined) {
    const [, name, status] = /(?:^|[,;])\s*(?!wait\b)([\w-]+)\s*=\s*"?([45]\d\d)\b/.exec(header ?? '') ?? [];
    if (name === undefined) return undefined;
    return { warning: `Prefer: ${cut(name)}=${status} was ignored. Did you mean "code=${status}"?` };
  }
  const text = code.replaceAll('"', '');
  if (/^[45]\d\d$/.test(text)) return { status: Number(text) };
  return { warning: `Prefer: code=${cut(text)} was ignored. The code must be 400 to 599.` };
};

export const preferredError = (status: number, operation: string): Refusal =>
  injectError({
    ...{ status, operation, cause: 'the Prefer header' },
    headers: { 'Preference-Applied': `code=${status}` },
  });
