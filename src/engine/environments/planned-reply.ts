/** What answers a call instead of its operation, when a fault or a `Prefer` header asks for that. */
import type { components } from '../control/generated.ts';
import { ERROR_KINDS, type ErrorCode, type OwnCodes, Refusal, type RefusalExtras } from '../core/errors.ts';
import { cut } from '../core/text.ts';

type Headers = Readonly<Record<string, string>>;

export interface SentReply {
  readonly status: number;
  readonly headers?: Headers | undefined;
  readonly text: string;
}

/** A documented error, or any status, headers and body. */
export type Instead = Refusal | SentReply;

type Rule = components['schemas']['FaultRule'] & { readonly id: string };

/** The answer that a fault asks for. Undefined if it asks for none, or for status 200, which lets the operation run. */
export const readInstead = (
  { id, error_code: code, body, headers: more, retry_after }: Rule,
  status: number | undefined,
  operation: string,
  own: OwnCodes,
): Instead | undefined => {
  if (status === 200) return undefined;
  const headers = { ...(retry_after !== undefined && { 'Retry-After': String(retry_after) }), ...more };
  const kind = code === undefined ? undefined : kindOfCode(code, own);
  const answered = status ?? (kind ? ERROR_KINDS[kind].status : code === undefined ? undefined : 500);
  if (body !== undefined) return toReply(answered ?? 200, headers, body);
  if (answered === undefined) return undefined;
  return injectError(answered, operation, `fault ${id}`, headers, kind, code);
};

const toReply = (status: number, headers: Headers, body: string | object): SentReply => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const isTyped = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  const type = isTyped ? {} : { 'Content-Type': `${typeOf(text)}; charset=utf-8` };
  return { status, headers: { ...type, ...headers }, text };
};

/** Decides by the first character, so that truncated JSON is still sent as JSON. */
const typeOf = (text: string): string => {
  const first = text.trimStart()[0] ?? '';
  if (first === '<') return 'text/html';
  return first === '{' || first === '[' ? 'application/json' : 'text/plain';
};

/** An error with all members that a real error of this status has. @param code a code of the caller's own, of any text */
const injectError = (
  status: number,
  operation: string,
  cause: string,
  headers: Headers,
  kind = kindOfStatus(status),
  code?: string,
): Refusal => {
  const message = `${status} ${code ?? kind} was requested by ${cause}; the operation did not run and nothing changed.`;
  const extras = extrasOf(kind, operation, message);
  return new Refusal(kind, message, '', {
    ...extras,
    guide: 'stubs#let-calls-fail',
    isInjected: true,
    status,
    ...(code !== undefined && { shownCode: code }),
    headers: { ...extras.headers, ...headers },
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

const CODES = Object.keys(ERROR_KINDS) as ErrorCode[];

/** The kind of an `error_code`; undefined if the mock does not know the code. */
const kindOfCode = (code: string, own: OwnCodes): ErrorCode | undefined =>
  CODES.find((known) => known === code) ?? (Object.hasOwn(own, code) ? own[code] : undefined);

/** The first API code with this status. Without one, 4xx counts as 400, 502 as 503, other 5xx as 500 (RFC 9110, 15). */
const kindOfStatus = (status: number): ErrorCode => {
  if (status === 502) return 'UNAVAILABLE';
  const found = CODES.find((code) => ERROR_KINDS[code].status === status && ERROR_KINDS[code].rule);
  return found ?? (status < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL_ERROR');
};

/**
 * Reads `code=429` from a `Prefer` header (RFC 7240), which can be several headers joined by commas.
 * @returns the wanted status, or a warning that the code is ignored; undefined if the header has no code
 */
export const readPreference = (header = '') => {
  const code = /(?:^|[,;])\s*code\s*=\s*("[^"]*"|[^\s,;]*)/i.exec(header)?.[1]?.replaceAll('"', '');
  if (code !== undefined)
    return /^[45]\d\d$/.test(code)
      ? { status: Number(code) }
      : { warning: `Prefer: code=${cut(code)} was ignored. The code must be 400 to 599.` };
  const [, name, status] = /(?:^|[,;])\s*(?!wait\b)([\w-]+)\s*=\s*"?([45]\d\d)\b/.exec(header) ?? [];
  if (name === undefined) return undefined;
  return { warning: `Prefer: ${cut(name)}=${status} was ignored. Did you mean "code=${status}"?` };
};

export const preferredError = (status: number, operation: string): Refusal =>
  injectError(status, operation, 'the Prefer header', { 'Preference-Applied': `code=${status}` });
