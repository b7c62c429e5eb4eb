/** One call of the API plane from its first byte to its reply: what is known of it, and answering it once. */
import type { Request, Response } from 'express';
import { monotonicNow } from '../core/clock.ts';
import type { FieldViolation } from '../core/errors.ts';
import type { Environment } from '../environments/environment.ts';
import type { ContractOperation } from '../openapi/load.ts';
import type { OperationId } from '../openapi/types.ts';
import { corsHeaders, type Headers } from './cors.ts';
import type { Caller } from './identify.ts';
import type { ReplyCheck } from './reply-check.ts';

export interface Call {
  readonly request: Request;
  readonly response: Response;
  readonly method: string;
  /** Raw path and query, as they stand in the request line. */
  readonly path: string;
  readonly rawQuery: string;
  readonly startedAt: number;
  environment: Environment;
  /** The environment that a token is issued by, where it is not that of the call (behaviour E7). */
  tokenOwner: Environment | undefined;
  clientId: string | undefined;
  operation: ContractOperation | undefined;
  query: Readonly<Record<string, unknown>>;
  /** Names of the query parameters that the client sent, before defaults were filled in. */
  sentNames: readonly string[];
  bodyText: string;
  body: unknown;
  violations: readonly FieldViolation[];
  /** Which injected fault struck, for the journal. */
  fault: string | undefined;
  /** Headers beside those that every answer has. */
  readonly extraHeaders: Headers;
  requestId: string | undefined;
  /** What a JSON reply goes through first; known once the operation is. Undefined where replies are not checked. */
  checkReply: ReplyCheck | undefined;
}

export const openCall = (request: Request, response: Response, caller: Caller): Call => {
  const { url } = request;
  const mark = url.indexOf('?');
  return {
    request,
    response,
    method: request.method,
    path: mark < 0 ? url : url.slice(0, mark),
    rawQuery: mark < 0 ? '' : url.slice(mark + 1),
    startedAt: monotonicNow(),
    environment: caller.environment,
    tokenOwner: undefined,
    clientId: caller.clientId,
    operation: undefined,
    query: {},
    sentNames: [],
    bodyText: '',
    body: undefined,
    violations: [],
    fault: undefined,
    extraHeaders: {},
    requestId: undefined,
    checkReply: undefined,
  };
};

export const operationIdOf = (call: Call): OperationId | undefined => call.operation?.operationId;

/** The request's id (behaviour T8), counted in the environment that the call turned out to belong to. */
export const requestIdOf = (call: Call): string => {
  if (call.requestId === undefined) {
    call.environment.counters.requests += 1;
    call.requestId = `req_${call.environment.counters.requests}`;
  }
  return call.requestId;
};

/** What every answer has, and what this one has besides. */
export const replyHeaders = (call: Call, headers: Headers = {}): Headers => ({
  ...corsHeaders(call.request.headers),
  'X-Request-Id': requestIdOf(call),
  ...call.extraHeaders,
  ...headers,
});
