/** The error codes that only this API has, and the body of its errors (behaviour R1). */
import { ERROR_KINDS, type ErrorCode } from '../engine/core/errors.ts';
import type { Refused } from '../engine/service.ts';

/** Each code with the general code that has its HTTP status and its number. */
export const OWN_CODES = {
  CONNECTION_NOT_ENABLED: 'PERMISSION_DENIED',
  PROVIDER_HAS_EXISTING_CONNECTIONS: 'FAILED_PRECONDITION',
} as const satisfies Readonly<Record<string, ErrorCode>>;

export type ApiErrorCode = ErrorCode | keyof typeof OWN_CODES;

const ERROR_TYPE = 'type.googleapis.com/google.rpc.ErrorInfo';

export const presentError = ({ refusal, violations, requestId, environment, path }: Refused): object => {
  const { errorCode, httpStatus, message, extras } = refusal;
  const members = {
    error_code: extras.shownCode ?? errorCode,
    request_info: { request_id: requestId, serving_data: environment },
    localized_message_info: { locale: 'en', message },
    ...(violations && { validation_error_info: { field_violations: [...violations] } }),
    ...(extras.resource && { resource_info: { ...extras.resource } }),
    ...(httpStatus === 500 && { debug_info: { detail: message, stack_entries: [] } }),
  };
  const { code } = ERROR_KINDS[errorCode];
  const body = { code, message, details: [{ '@type': ERROR_TYPE, ...members }] };
  return IDENTITY_AREA.test(path) ? { ...body, ...members } : body;
};

/** Paths whose errors repeat the members of `details` at the top level. */
const IDENTITY_AREA = /^\/api\/v1\/(connections|memberships|invites|logs)(\/|$)/;
