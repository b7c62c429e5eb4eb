/** The one place that writes an error of the API plane (behaviour R1). */
import type { ErrorRequestHandler } from 'express';
import { error as validatorErrors } from 'express-openapi-validator';
import {
  ERROR_KINDS,
  type ErrorCode,
  type FieldViolation,
  invalidArgument,
  Refusal,
} from '../core/errors.ts';
import { toViolation } from '../http/spelling.ts';
import { describeViolations, isValidatorError, sentBy } from '../http/violations.ts';
import type { Contract } from '../openapi/load.ts';
import type { Schemas } from '../openapi/types.ts';
import { type Call, callOf } from './call.ts';
import { ruleOf } from './refusal-rule.ts';
import { ownViolations } from './rules.ts';
import { toTokenError } from './token-endpoint.ts';
import { unknownPath } from './unknown-route.ts';

export interface ErrorOptions {
  readonly contract: Contract;
  /** Called for every internal error, which a client sees as a plain 500. */
  readonly onInternalError: (error: unknown) => void;
}

/** The error handler of the API plane: whatever a step threw becomes the one documented shape. */
export const answerError =
  ({ contract, onInternalError }: ErrorOptions): ErrorRequestHandler =>
  (thrown, _request, response, _next) => {
    if (response.headersSent) return;
    const call = callOf(response);
    const error = toApiError(thrown, call, contract);
    if (error === INTERNAL_ERROR) onInternalError(thrown);
    call.reason = error.message;
    call.rule = ruleOf(error, call.operation?.operationId);
    const { violations = [], isInjected = false } = error.extras;
    if (!isInjected) call.violations = violations;
    if (
      call.operation?.operationId === 'issueToken' &&
      error.errorCode === 'INVALID_ARGUMENT' &&
      !isInjected
    ) {
      response.status(400).json(toTokenError(call.violations));
      return;
    }
    const { status, body, headers } = toErrorReply(error, call);
    response.status(status).set(headers).json(body);
  };

/** Errors of Express and of the validator in the words of the API. */
const toApiError = (thrown: unknown, call: Call, contract: Contract): Refusal => {
  if (thrown instanceof Refusal) return thrown;
  if (thrown instanceof URIError) return unknownPath(contract, call.request);
  if (thrown instanceof validatorErrors.InternalServerError) return replyRefused(call);
  if (!isValidatorError(thrown) || !call.operation) return INTERNAL_ERROR;
  const { problems, operation, request } = call;
  const found = describeViolations(contract, operation, thrown.errors, sentBy(request)).map(toViolation);
  const isNew = ({ field }: FieldViolation): boolean => !problems.some((problem) => problem.field === field);
  return invalidArgument([...found.filter(isNew), ...problems, ...ownViolations(call, thrown.errors)]);
};

/** What a client sees of an internal error: nothing of the inside. */
const INTERNAL_ERROR = new Refusal(
  'INTERNAL_ERROR',
  'The mock failed while answering. Nothing was changed. Please report the request that led to it.',
);

const replyRefused = ({ operation }: Call): Refusal =>
  new Refusal(
    'INTERNAL_ERROR',
    `The mock's own reply to ${operation?.operationId} broke the contract, so it was not sent and nothing was changed. The log says how; please report it.`,
  );

/** Status, body and headers of a refusal. */
const toErrorReply = (error: Refusal, call: Call) => {
  const { code, ...kind } = ERROR_KINDS[error.errorCode];
  const status = error.extras.status ?? kind.status;
  const members = detailMembers(error, status, call);
  const body: Schemas['Error'] = {
    code,
    message: error.message,
    details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', ...members }],
  };
  return {
    status,
    body: isIdentityPath(call.request.path) ? { ...body, ...members } : body,
    headers: { ...challenge(status), ...error.extras.headers },
  };
};

const detailMembers = ({ errorCode, message, extras }: Refusal, status: number, call: Call) => ({
  error_code: errorCode satisfies ErrorCode,
  request_info: { request_id: call.requestId, serving_data: call.environment.name },
  localized_message_info: { locale: 'en', message },
  ...(extras.violations && { validation_error_info: { field_violations: [...extras.violations] } }),
  ...(extras.resource && { resource_info: { ...extras.resource } }),
  ...(extras.help && { help_info: { links: [...extras.help] } }),
  ...(status === 500 && { debug_info: { detail: message, stack_entries: [] } }),
});

const challenge = (status: number): Record<string, string> =>
  status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {};

const IDENTITY_AREA = /^\/api\/v1\/(connections|memberships|invites|logs)(\/|$)/;

/** Behaviour R1: these answer with the optional members at the top level too. */
const isIdentityPath = (path: string): boolean => IDENTITY_AREA.test(path);
