/**
 * The API plane: route, authenticate, limits and faults, body, contract, operation, reply (behaviour T4). Nothing goes
 * back up this chain; a throw on the way leaves the environment as it was and becomes an error in one place.
 */
import type { Request, RequestHandler, Response } from 'express';
import type { Environments } from '../environments/environments.ts';
import type { Contract, ContractOperation } from '../openapi/load.ts';
import { type Call, openCall } from './call.ts';
import { preflightHeaders } from './cors.ts';
import { createHandler, type Handler } from './handler.ts';
import { identify } from './identify.ts';
import { originOf } from './origin.ts';
import { replyEmpty, replyError } from './reply.ts';
import type { ReplyCheckOptions } from './reply-check.ts';
import { createRouter, type Router } from './route.ts';
import { allowedMethods, requireRoute } from './route-refusal.ts';
import { serveOperation } from './serve.ts';
import { serveToken } from './token-endpoint.ts';

export interface ApiOptions extends ReplyCheckOptions {
  readonly environments: Environments;
  readonly contract: Contract;
  /** Told of every fault of the mock itself, which a client sees as a plain 500. */
  readonly onFault: (error: unknown) => void;
}

/** Answers every request that reaches it; unknown paths too. */
export const createApiPlane = (options: ApiOptions): RequestHandler => {
  const plane = openPlane(options);
  return (request: Request, response: Response): void => {
    const caller = identify(options.environments, request.headers);
    const call = openCall(request, response, caller);
    serve(plane, call, caller.refusal)
      .catch((error: unknown) => replyError(call, error, options.onFault))
      .catch((error: unknown) => {
        options.onFault(error);
        response.destroy();
      });
  };
};

/** What all calls share. */
interface Plane {
  readonly environments: Environments;
  readonly router: Router;
  readonly handlers: ReadonlyMap<ContractOperation, Handler>;
}

const openPlane = (options: ApiOptions): Plane => {
  const { environments, contract } = options;
  const checks: ReplyCheckOptions = {
    ...options,
    onReplyViolation: (request, error) => {
      environments.replyViolations += 1;
      options.onReplyViolation(request, error);
    },
  };
  const handlers = contract.operations.map(
    (operation) => [operation, createHandler(contract, operation, checks)] as const,
  );
  return { environments, router: createRouter(contract), handlers: new Map(handlers) };
};

/** @param refusal why the call is not authenticated, if it is not */
const serve = async (
  { environments, router, handlers }: Plane,
  call: Call,
  refusal?: Error,
): Promise<void> => {
  if (call.method === 'OPTIONS') {
    return replyEmpty(call, 204, preflightHeaders(call.request.headers, allowedMethods(router, call.path)));
  }
  const origin = originOf(call.request);
  if (origin?.refusal) throw origin.refusal;
  const match = requireRoute(router, call.method, call.path);
  const handler = handlers.get(match.route.operation);
  if (!handler) throw new Error(`No handler for ${match.route.operation.operationId}`);
  call.operation = handler.operation;
  call.checkReply = handler.checkReply;
  if (handler.needsToken && refusal) throw refusal;
  const step = handler.operation.operationId === 'issueToken' ? serveToken : serveOperation;
  await step({ environments, call, handler, match });
};
