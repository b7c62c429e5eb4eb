/** Holds replies against the contract before they go out (`--validate-responses`). */
import type { Request } from 'express';
import { ApiError } from '../core/errors.ts';
import { type Call, operationIdOf } from './call.ts';
import type { Validator, Violation } from './validator.ts';

export type ResponseValidation = 'on' | 'report' | 'off';

export interface ReplyCheckOptions {
  readonly validateResponses: ResponseValidation;
  /** Told of every reply that breaks the contract, whether it is sent or not. */
  readonly onReplyViolation: (request: Request, error: unknown) => void;
}

/** @throws ApiError 500 if the reply may not be sent */
export type ReplyCheck = (call: Call, status: number, body: unknown) => void;

export const createReplyCheck = (
  { validateResponses, onReplyViolation }: ReplyCheckOptions,
  validator: Validator,
): ReplyCheck | undefined => {
  if (validateResponses === 'off') return undefined;
  return (call, status, body) => {
    const broken = validator.checkReply(status, body);
    if (broken.length === 0) return;
    onReplyViolation(call.request, new Error(broken.map(spell).join(', ')));
    if (validateResponses === 'on') throw replyRefused(call);
  };
};

const spell = ({ path, message }: Violation): string => `${path} ${message}`;

/** Thrown before the commit, so nothing was changed. */
const replyRefused = (call: Call): ApiError =>
  new ApiError(
    'INTERNAL_ERROR',
    `The mock's own reply to ${operationIdOf(call)} broke the contract, so it was not sent and nothing was changed. The log tells how; please report it.`,
  );
