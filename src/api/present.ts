/** How the API plane writes a refusal (behaviour R1, R3). */
import type { Request, Response } from 'express';
import { ERROR_KINDS, type FieldViolation, type Refusal } from '../core/errors.ts';
import type { Presented } from '../http/plane.ts';
import type { Schemas } from '../openapi/types.ts';
import { type Call, callOf } from './call.ts';
import { toTokenError } from './token-endpoint.ts';

/** Writes a refusal, and keeps in its call why it was refused. */
export const present = (refusal: Refusal, _request: Request, response: Response): Presented => {
  const call = callOf(response);
  const { errorCode, httpStatus: status, extras } = refusal;
  const violations = extras.violations?.map(inOneText);
  const isTokenError =
    call.operation?.operationId === 'issueToken' && errorCode === 'INVALID_ARGUMENT' && !extras.isInjected;
  call.reason = refusal.message;
  call.rule = isTokenError ? 'R3' : refusal.rule;
  if (!extras.isInjected) call.violations = violations ?? [];
  return {
    status,
    body: isTokenError ? toTokenError(violations ?? []) : errorBody(refusal, violations, call),
  };
};

/** What is wrong and what to do about it, in one text. */
const inOneText = ({ field, constraint, description, advice }: FieldViolation): FieldViolation => ({
  field,
  constraint,
  description: advice === undefined ? description : `${description} ${advice}`,
});

const errorBody = (
  { errorCode, httpStatus: status, message, extras }: Refusal,
  violations: readonly FieldViolation[] | undefined,
  { requestId, environment, request }: Call,
) => {
  const members = {
    error_code: extras.shownCode ?? errorCode,
    request_info: { request_id: requestId, serving_data: environment.name },
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

/** Behaviour R1: these answer with the optional members at the top level too. */
const IDENTITY_AREA = /^\/api\/v1\/(connections|memberships|invites|logs)(\/|$)/;
