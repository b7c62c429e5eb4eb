/** The one place that writes an error of the API plane (behaviour R1). */

import { ApiError, ERROR_KINDS, type ErrorCode } from '../core/errors.ts';
import type { Schemas } from '../openapi/types.ts';

export interface ErrorContext {
  readonly requestId: string;
  /** The environment's name. */
  readonly servingData: string;
  /** Raw path of the request; decides which area an error belongs to. */
  readonly path: string;
}

export interface ErrorReply {
  readonly status: number;
  readonly body: Schemas['Error'] | Schemas['IdentityError'];
  readonly headers: Readonly<Record<string, string>>;
}

/** What a client is told when the mock itself fails: nothing of the inside. */
const OWN_FAULT = new ApiError(
  'INTERNAL_ERROR',
  'The mock failed while answering. Nothing was changed. Please report the request that led to it.',
);

/** Status, body and headers of a refusal; anything but an ApiError is a fault of the mock itself. */
export const toErrorReply = (error: unknown, context: ErrorContext): ErrorReply => {
  const refusal = error instanceof ApiError ? error : OWN_FAULT;
  const { code, ...kind } = ERROR_KINDS[refusal.errorCode];
  const status = refusal.extras.status ?? kind.status;
  const members = detailMembers(refusal, status, context);
  const body = {
    code,
    message: refusal.message,
    details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', ...members }],
  };
  return {
    status,
    body: isIdentityPath(context.path) ? { ...body, ...members } : body,
    headers: { ...challenge(status), ...refusal.extras.headers },
  };
};

const detailMembers = ({ errorCode, message, extras }: ApiError, status: number, context: ErrorContext) => ({
  error_code: errorCode satisfies ErrorCode,
  request_info: { request_id: context.requestId, serving_data: context.servingData },
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
