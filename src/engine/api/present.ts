/** Turns refusals into error answers of the API (behaviour R1, R3). */

import { ERROR_KINDS, type ErrorCode, type FieldViolation, type Refusal } from '../core/errors.ts';
import { type Presented, presentValid } from '../http/plane.ts';
import { challengeOf, toTokenError } from '../tokens/endpoint.ts';
import type { Call } from './call.ts';

export const endRefused = (call: Call, refusal: Refusal): void => {
  const requestId = call.drawRequestId();
  const present = (one: Refusal) => presentRefusal(one, call, requestId);
  const { status, headers, body, ...shown } = presentValid(refusal, present, call.checkReply);
  Object.assign(call, shown);
  call.end({ status, headers, text: JSON.stringify(body) });
};

const ERROR_TYPE = 'type.googleapis.com/google.rpc.ErrorInfo';

/** What the journal shows about a refusal. */
type Shown = Pick<Call, 'reason' | 'rule' | 'violations'>;

const presentRefusal = (refusal: Refusal, input: Call, requestId: string): Presented & Partial<Shown> => {
  const { errorCode, httpStatus: status, message: reason, extras } = refusal;
  const violations = extras.violations?.map(inOneText);
  const shown = { reason, ...(!extras.isInjected && { violations: violations ?? [] }) };
  const isTokenError =
    input.operation?.operationId === input.environment.service.tokenOperation &&
    IN_RFC_6749.has(errorCode) &&
    !extras.isInjected;
  if (!isTokenError)
    return { ...shown, rule: refusal.rule, status, body: errorBody(refusal, violations, input, requestId) };
  const body = toTokenError(refusal, violations);
  return { ...shown, rule: 'R3', status, headers: challengeOf(input), body };
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
  { environment, request }: Call,
  requestId: string,
) => {
  const members = {
    error_code: extras.shownCode ?? errorCode,
    request_info: { request_id: requestId, serving_data: environment.name },
    localized_message_info: { locale: 'en', message },
    ...(violations && { validation_error_info: { field_violations: [...violations] } }),
    ...(extras.resource && { resource_info: { ...extras.resource } }),
    ...(status === 500 && { debug_info: { detail: message, stack_entries: [] } }),
  };
  const body = {
    code: ERROR_KINDS[errorCode].code,
    message,
    details: [{ '@type': ERROR_TYPE, ...members }],
  };
  return IDENTITY_AREA.test(request.path) ? { ...body, ...members } : body;
};

/** Paths whose errors repeat the members of `details` at the top level (behaviour R1). */
const IDENTITY_AREA = /^\/api\/v1\/(connections|memberships|invites|logs)(\/|$)/;
