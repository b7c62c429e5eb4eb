/** One call of the API plane: what is known of it, from its first step to its place in the journal. */
import type { ServerResponse } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import { monotonicNow } from '../core/clock.ts';
import type { ApiError, FieldViolation } from '../core/errors.ts';
import type { Environment } from '../environments/environment.ts';
import type { Environments } from '../environments/environments.ts';
import type { ContractOperation } from '../openapi/load.ts';
import { identify } from './authenticate.ts';
import { setCorsHeaders } from './cors.ts';

export interface Call {
  readonly request: Request;
  readonly startedAt: number;
  environment: Environment;
  /** The environment that a token is issued by, where it is not that of the call (behaviour E7). */
  tokenOwner: Environment | undefined;
  clientId: string | undefined;
  /** Why the call is not authenticated, if it is not. */
  readonly refusal: ApiError | undefined;
  /** Absent for a path that no operation has. */
  operation: ContractOperation | undefined;
  /** Names of the query parameters that the client sent, before defaults were filled in. */
  sentNames: readonly string[];
  /** The body as it was sent. */
  bodyText: string;
  /** What is wrong with the request beside what the validator finds. */
  problems: readonly FieldViolation[];
  /** All rules of the contract that the request broke. */
  violations: readonly FieldViolation[];
  /** What was let through and ignored, in words. */
  warnings: readonly string[];
  /** Why it was refused, in words. */
  reason: string | undefined;
  /** The injected fault that decided the call. */
  fault: string | undefined;
  /** The body of the answer as it was sent. */
  answerText: string;
  requestId: string | undefined;
}

/** Opens a call: finds its environment and client by its headers, and sets the headers that every answer has. */
export const openCall =
  (environments: Environments): RequestHandler =>
  (request, response, next) => {
    const { environment, clientId, refusal } = identify(environments, request.headers);
    const call: Call = {
      request,
      startedAt: monotonicNow(),
      environment,
      tokenOwner: undefined,
      clientId,
      refusal,
      operation: undefined,
      sentNames: [],
      bodyText: '',
      problems: [],
      violations: [],
      warnings: [],
      reason: undefined,
      fault: undefined,
      answerText: '',
      requestId: undefined,
    };
    response.locals.call = call;
    setCorsHeaders(request.headers, response);
    keepAnswer(call, response);
    next();
  };

/** The call that a response answers; undefined on other planes, which have no `locals` of ours. */
export const findCall = (response: ServerResponse & Partial<Pick<Response, 'locals'>>): Call | undefined =>
  response.locals?.call as Call | undefined;

/** @throws Error where no call was opened */
export const callOf = (response: Response): Call => {
  const call = findCall(response);
  if (!call) throw new Error('No call was opened for this response.');
  return call;
};

/** The request's id (behaviour T8), counted in the environment that the call turned out to belong to. */
export const requestIdOf = (call: Call): string => {
  if (call.requestId === undefined) {
    call.environment.counters.requests += 1;
    call.requestId = `req_${call.environment.counters.requests}`;
  }
  return call.requestId;
};

/** Every answer goes through `send`: there it gets its id, and its text is kept for the journal. */
const keepAnswer = (call: Call, response: Response): void => {
  const { send } = response;
  response.send = (body) => {
    response.set('X-Request-Id', requestIdOf(call));
    if (typeof body === 'string') call.answerText = body;
    return send.call(response, body);
  };
};
