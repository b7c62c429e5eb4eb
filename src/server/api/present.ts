/** Turns refusals into error answers of the API (behaviour R1, R3). */

import type { Schemas } from '../../contract/types.ts';
import { ERROR_KINDS, type ErrorCode, type FieldViolation, type Refusal } from '../../core/errors.ts';
import type { Presented } from '../http/plane.ts';
import { type Call, grow, requestIdOf } from './call.ts';
import { challengeOf, toTokenError } from './token-endpoint.ts';

/** Creates the error answer for a refusal, and records the reason in the call. */
export const present = (refusal: Refusal, call: Call): Presented => {
  const { errorCode, httpStatus: status, extras } = refusal;
  const violations = extras.violations?.map(inOneText);
  const isTokenError =
    call.operation?.operationId === 'issueToken' && IN_RFC_6749.has(errorCode) && !extras.isInjected;
  grow(call, {
    reason: refusal.message,
    rule: isTokenError ? 'R3' : refusal.rule,
    ...(!extras.isInjected && { violations: violations ?? [] }),
  });
  return isTokenError
    ? { status, headers: challengeOf(call), body: toTokenError(refusal, violations) }
    : { status, body: errorBody(refusal, violations, call) };
};

/** Error codes that have other names in answers to token requests, as RFC 6749 requires (behaviour R3). */
const IN_RFC_6749: ReadonlySet<ErrorCode> = new Set(['INVALID_ARGUMENT', 'UNAUTHENTICATED']);

/** Joins the problem and the advice into one description. */
const inOneText = ({ field, constraint, description, advice }: FieldViolation): FieldViolation => ({
  field,
  constraint,
  description: advice === undefined ? description : `${description} ${advice}`,
});

const errorBody = (
  { errorCode, httpStatus: status, message, extras }: Refusal,
  violations: readonly FieldViolation[] | undefined,
  call: Call,
) => {
  const { environment, request } = call;
  const members = {
    error_code: extras.shownCode ?? errorCode,
    request_info: { request_id: requestIdOf(call), serving_data: environment.name },
    localized_message_info: { locale: 'en', message },
    ...(violations && { validation_error_info: { field_violations: [...violations] } }),
    ...(extras.resource && { resource_info: { ...extras.resource } }),
    ...(status === 500 && { debug_info: { detail: message, stack_entries: [] } }),
  };
  const body: Schemas['Error'] = {
    code: ERROR_KINDS[errorCode].code,
    message,
    details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', ...members }],
  };
  return IDENTITY_AREA.test(request.path) ? { ...body, ...members } : body;
};

/** Paths whose errors repeat the members of `details` at the top level (behaviour R1). */
const IDENTITY_AREA = /^\/api\/v1\/(connections|memberships|invites|logs)(\/|$)/;
