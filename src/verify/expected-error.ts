/** What an error body must say besides its status (behaviour R1). */

import { ERROR_KINDS, type ErrorCode } from '../core/errors.ts';
import type { OperationId } from '../openapi/types.ts';
import type { Step } from './case.ts';
import { including, mismatches, type Pattern, someText } from './pattern.ts';

const USUAL: Readonly<Record<number, ErrorCode>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'RESOURCE_ALREADY_EXISTS',
  413: 'PAYLOAD_TOO_LARGE',
  429: 'RATE_LIMITED',
  500: 'INTERNAL_ERROR',
  501: 'UNIMPLEMENTED',
  504: 'DEADLINE_EXCEEDED',
};

/** How the body falls short of what behaviour R1 says of it; always inferred. Empty for a success. */
export const errorMismatches = (
  { status, error = USUAL[status], violates }: Pick<Step<never>, 'status' | 'error' | 'violates'>,
  operationId: OperationId,
  body: unknown,
): readonly string[] => {
  // RFC 6749 has the word there (behaviour R3).
  const isTokenRefusal = operationId === 'issueToken' && (status === 400 || status === 401);
  if (error === undefined || isTokenRefusal || body === undefined) return [];
  const detail: Pattern = {
    error_code: error,
    ...(violates !== undefined && {
      validation_error_info: { field_violations: including({ field: violates, description: someText }) },
    }),
  };
  return mismatches({ code: ERROR_KINDS[error].code, message: someText, details: [detail] }, body);
};
