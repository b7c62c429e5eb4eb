/** Errors made on demand, by a fault or by a `Prefer` header, in the shape that a real one of their code has. */

import { ApiError, ERROR_KINDS, type ErrorCode, type ErrorExtras } from '../core/errors.ts';
import type { OperationId } from '../openapi/types.ts';

/** Seconds that a client is asked to wait by an injected 429. */
const RETRY_AFTER = '1';

/**
 * An error made on demand, with every member that a real one of its code has.
 * @param origin who asked for it: `fault fault_1`
 */
export const injectedError = (code: ErrorCode, operation: OperationId, origin: string): ApiError => {
  const message = `${code} was asked for by ${origin}; the operation did not run and nothing changed.`;
  return new ApiError(code, message, { isInjected: true, ...injectedExtras(code, operation, message) });
};

/** Statuses whose errors tell what they are about (behaviour R1). */
const ABOUT_A_RESOURCE: readonly number[] = [403, 404, 409];

const injectedExtras = (code: ErrorCode, operation: OperationId, message: string): ErrorExtras => {
  if (code === 'RATE_LIMITED') return { headers: { 'Retry-After': RETRY_AFTER } };
  if (code === 'INVALID_ARGUMENT')
    return { violations: [{ field: 'request', constraint: 'injected', description: message }] };
  return ABOUT_A_RESOURCE.includes(statusOfCode(code))
    ? { resource: { resource_name: `operation ${operation}`, description: 'It did not run.' } }
    : {};
};

/** The error codes that can be asked for by their status alone; the first of each status. */
const INJECTABLE: ReadonlyMap<number, ErrorCode> = new Map([
  [400, 'INVALID_ARGUMENT'],
  [401, 'UNAUTHENTICATED'],
  [403, 'PERMISSION_DENIED'],
  [404, 'NOT_FOUND'],
  [409, 'RESOURCE_ALREADY_EXISTS'],
  [429, 'RATE_LIMITED'],
  [500, 'INTERNAL_ERROR'],
  [501, 'UNIMPLEMENTED'],
  [504, 'DEADLINE_EXCEEDED'],
]);

/** The error code that a status alone asks for, or undefined if it cannot be injected. */
export const codeOfStatus = (status: number): ErrorCode | undefined => INJECTABLE.get(status);

export const statusOfCode = (code: ErrorCode): number => ERROR_KINDS[code].status;

/**
 * The error that a `Prefer` header asks for one request: `code=429`. Several headers are one, joined by commas.
 * Undefined if it names none, or one that cannot be injected: an unknown preference is ignored (RFC 7240).
 */
export const preferredCode = (header: string | undefined): ErrorCode | undefined => {
  if (header === undefined) return undefined;
  const status = /(?:^|[,;])\s*code\s*=\s*"?(\d{3})"?\s*(?=$|[,;])/i.exec(header)?.[1];
  return status === undefined ? undefined : codeOfStatus(Number(status));
};
