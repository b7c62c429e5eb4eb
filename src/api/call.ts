/** One call of the API plane: what is known of it, from its first step to its place in the journal. */
import type { Request, RequestHandler, Response } from 'express';
import type { FieldViolation, Refusal } from '../core/errors.ts';
import type { Change } from '../domain/operation.ts';
import type { Environment } from '../environments/environment.ts';
import type { Environments } from '../environments/environments.ts';
import { operationOf } from '../http/progress.ts';
import type { ContractOperation } from '../openapi/load.ts';
import type { OperationId } from '../openapi/types.ts';
import { type Caller, identify } from './authenticate.ts';

export class Call {
  readonly request: Request;
  readonly response: Response;
  environment: Environment;
  clientId: string | undefined;
  /** Why the call is not authenticated, if it is not. */
  readonly refusal: Refusal | undefined;
  /** The environment that issues the token, if the call belongs to another one (behaviour E7). */
  tokenOwner: Environment | undefined;
  /** Names of the query parameters that the client sent, before defaults were filled in. */
  sentNames: readonly string[] = [];
  /** The body as it was sent. */
  bodyText = '';
  /** All rules of the contract that the request broke. */
  violations: readonly FieldViolation[] = [];
  /** Why it was refused, in words. */
  reason: string | undefined;
  /** The rule that the refusal follows. */
  rule: string | undefined;
  /** The injected fault that decided the call. */
  fault: string | undefined;
  /** The body that the operation answered, where it ran. */
  answer: unknown;
  /** Ids of the rows that it met, if they are known from an earlier call. */
  rows: readonly string[] | undefined;
  /** What the operation changed. */
  changes: readonly Change[] = [];
  /** Method and path of the stub that answers it. */
  stub: string | undefined;
  /** The body of the answer as it was sent. */
  answerText = '';
  #requestId: string | undefined;

  constructor(request: Request, response: Response, { environment, clientId, refusal }: Caller) {
    this.request = request;
    this.response = response;
    this.environment = environment;
    this.clientId = clientId;
    this.refusal = refusal;
  }

  /** Undefined for a path that no operation has. */
  get operation(): ContractOperation | undefined {
    return operationOf<OperationId>(this.response);
  }

  /** The request's id (behaviour T8), counted in the environment that the call turned out to belong to. */
  get requestId(): string {
    if (this.#requestId === undefined) {
      this.environment.counters.requests += 1;
      this.#requestId = `req_${this.environment.counters.requests}`;
    }
    return this.#requestId;
  }
}

/** Opens a call: finds its environment and client by its headers. */
export const openCall =
  (environments: Environments): RequestHandler =>
  (request, response, next) => {
    const call = new Call(request, response, identify(environments, request.headers));
    response.locals.call = call;
    next();
  };

/** The call that a response answers; undefined on other planes, which have no `locals` of ours. */
export const findCall = ({ locals }: Response): Call | undefined => locals.call;

/** @throws Error where no call was opened */
export const callOf = (response: Response): Call => {
  const call = findCall(response);
  if (!call) throw new Error('No call was opened for this response.');
  return call;
};

/** Sends an answer, as every answer is sent: there the call gets its id, and the text is kept for the journal. */
export const sendText = (response: Response, text: string): void => {
  const call = callOf(response);
  call.answerText = text;
  response.set('X-Request-Id', call.requestId).send(text);
};
