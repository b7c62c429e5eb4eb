/** Turns refusals into error answers of the API (behaviour R1, R3). */

import type { ErrorCode, FieldViolation, Refusal } from '../core/errors.ts';
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

/** What the journal shows about a refusal. */
type Shown = Pick<Call, 'reason' | 'rule' | 'violations'>;

const presentRefusal = (refusal: Refusal, input: Call, requestId: string): Presented & Partial<Shown> => {
  const { errorCode, httpStatus: status, message: reason, extras } = refusal;
  const violations = extras.violations?.map(inOneText);
  const shown = { reason, ...(!extras.isInjected && { violations: violations ?? [] }) };
  const { service, name } = input.environment;
  const isTokenError =
    input.operation?.operationId === service.tokenOperation &&
    IN_RFC_6749.has(errorCode) &&
    !extras.isInjected;
  if (!isTokenError) {
    const { path } = input.request;
    const error = service.presentError({ refusal, violations, requestId, environment: name, path });
    return { ...shown, rule: refusal.rule, status, body: error };
  }
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
