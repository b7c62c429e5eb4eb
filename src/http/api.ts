/**
 * The API plane: route, authenticate, limits and faults, body, contract, operation, reply (behaviour T4). Nothing goes
 * back up this chain; a throw on the way leaves the environment as it was and becomes an error in one place.
 */
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Contract } from '../contract/load.ts';
import { ApiError, invalidArgument } from '../core/errors.ts';
import { didYouMean } from '../core/nearest.ts';
import { run } from '../world/environment.ts';
import { readNamedEnvironment } from '../world/named-environment.ts';
import { findByClient, type World } from '../world/world.ts';
import { parseBody, readBody } from './body.ts';
import { type Call, openCall } from './call.ts';
import { preflightHeaders } from './cors.ts';
import { createHandler, type Handler, type RawAnswer } from './handler.ts';
import { identify, ofAnotherEnvironment } from './identify.ts';
import { carryOut, decideInterference } from './interference.ts';
import { recall, remember } from './remembered.ts';
import { replyEmpty, replyError, replyJson, replyText } from './reply.ts';
import { canonicalPath, createRouter, type Match, type Router } from './route.ts';
import { toTokenError, withBasicCredentials } from './token-request.ts';
import type { ResponseValidation } from './validator.ts';
import { isRequestViolation, readViolations } from './violations.ts';

export interface ApiOptions {
  readonly world: World;
  readonly contract: Contract;
  readonly validateResponses: ResponseValidation;
  /** Told of every reply that breaks the contract (`--validate-responses report`). */
  readonly onReplyViolation: (request: Request, error: unknown) => void;
  /** Told of every fault of the mock itself, which a client sees as a plain 500. */
  readonly onFault: (error: unknown) => void;
}

/** Answers every request that reaches it; unknown paths too. */
export const createApiPlane = (options: ApiOptions): RequestHandler => {
  const { world, contract } = options;
  const router = createRouter(contract);
  const handlers = new Map(
    contract.operations.map((operation) => [
      operation,
      createHandler(contract, operation, {
        responses: options.validateResponses,
        onReplyViolation: options.onReplyViolation,
      }),
    ]),
  );
  return (request: Request, response: Response, _next: NextFunction): void => {
    const caller = identify(world, request.headers);
    const call = openCall(request, response, caller);
    const serve = async (): Promise<void> => {
      const match = requireRoute(router, call);
      if (!match)
        return replyEmpty(call, 204, preflightHeaders(request.headers, allowedMethods(router, call)));
      const handler = requireHandler(handlers, match);
      call.operation = handler.operation;
      if (handler.needsToken && caller.refusal) throw caller.refusal;
      await (handler.needsToken || handler.bodyKind === undefined
        ? serveOperation(world, call, handler, match)
        : serveToken(world, call, handler, match));
    };
    serve()
      .catch((error: unknown) => replyError(call, error, options.onFault))
      .catch((error: unknown) => {
        options.onFault(error);
        response.destroy();
      });
  };
};

/** A call whose environment is known from its headers. */
const serveOperation = async (world: World, call: Call, handler: Handler, match: Match): Promise<void> => {
  const strike = decideInterference(call);
  if (strike && (await carryOut(call, strike))) return;
  const known = handler.isRepeatable ? recall(call) : undefined;
  if (known) {
    call.sentNames = known.sentNames;
    return replyText(call, known.text);
  }
  if (handler.bodyKind) {
    call.bodyText = await readBody(call.request, call.response);
    call.body = parseBody(call.bodyText, call.request.headers['content-type'], handler.bodyKind);
  }
  readQuery(call, handler);
  requireContract(call, handler, match);
  dispatch(world, call, handler, match);
};

/** `issueToken`: its environment is that of the client id in the body, so limits and faults come after that. */
const serveToken = async (world: World, call: Call, handler: Handler, match: Match): Promise<void> => {
  const { request, response } = call;
  try {
    call.bodyText = await readBody(request, response);
    const fields = parseBody(
      call.bodyText,
      request.headers['content-type'],
      handler.bodyKind ?? 'application/json',
    );
    call.body = withBasicCredentials(
      fields as Readonly<Record<string, unknown>>,
      request.headers.authorization,
    );
    if (enterClientsEnvironment(world, call)) return;
    const strike = decideInterference(call);
    if (strike && (await carryOut(call, strike))) return;
    readQuery(call, handler);
    requireContract(call, handler, match);
  } catch (error) {
    if (!(error instanceof ApiError && error.errorCode === 'INVALID_ARGUMENT')) throw error;
    call.violations = error.extras.violations ?? [];
    replyJson(call, { status: 400, body: toTokenError(call.violations) });
    return;
  }
  dispatch(world, call, handler, match);
};

/** True if the call was answered: its client belongs to another environment than the one it names (behaviour E2). */
const enterClientsEnvironment = (world: World, call: Call): boolean => {
  const { client_id } = call.body as { client_id?: unknown }; // a form is always an object
  const environment = typeof client_id === 'string' ? findByClient(world, client_id) : undefined;
  if (!environment) return false;
  call.environment = environment;
  call.clientId = client_id as string;
  const named = readNamedEnvironment(world, call.request.headers);
  if (!named || named.environment === environment) return false;
  const { message } = ofAnotherEnvironment(environment, named.name);
  replyJson(call, { status: 401, body: { error: 'invalid_client', error_description: message } });
  return true;
};

/** The operation's match; undefined for a preflight. @throws ApiError 404 for an unknown path, 501 for a wrong method */
const requireRoute = (router: Router, call: Call): Match | undefined => {
  const { request, path } = call;
  const result = router.match(request.method, path);
  if (result.kind === 'found') return result;
  if (result.kind === 'unknown') {
    if (request.method === 'OPTIONS') return undefined;
    throw new ApiError(
      'PATH_NOT_FOUND',
      `No operation has the path ${path.slice(0, 200)}.${nearestOperation(router, request.method, path)} All are listed in /openapi.yaml.`,
      { resource: { resource_name: path.slice(0, 200) } },
    );
  }
  if (request.method === 'OPTIONS') return undefined;
  const allowed = result.allowed.join(', ');
  throw new ApiError(
    'UNIMPLEMENTED',
    `${request.method} is not a method of ${path.slice(0, 200)}. Use ${allowed}.`,
    {
      headers: { Allow: allowed },
    },
  );
};

const nearestOperation = (router: Router, method: string, path: string): string =>
  didYouMean(
    `${method} ${path}`,
    router.routes.map(({ operation }) => `${operation.method.toUpperCase()} ${operation.path}`),
  );

const allowedMethods = (router: Router, { path }: Call): readonly string[] => {
  const result = router.match('OPTIONS', path);
  return result.kind === 'wrong-method' ? result.allowed : ['OPTIONS'];
};

const requireHandler = (handlers: ReadonlyMap<unknown, Handler>, { route }: Match): Handler => {
  const handler = handlers.get(route.operation);
  if (!handler) throw new Error(`No handler for ${route.operation.operationId}`);
  return handler;
};

const readQuery = (call: Call, handler: Handler): void => {
  call.query = handler.readQuery(call.rawQuery);
  call.sentNames = Object.keys(call.query);
};

/** Hands the request to the validator as the contract spells it. @throws ApiError 400 with all violations at once */
const requireContract = (call: Call, handler: Handler, match: Match): void => {
  const { request, response } = call;
  present(call, handler, match);
  try {
    handler.validate(request, response, match.path);
  } catch (error) {
    if (!isRequestViolation(error)) throw error;
    throw invalidArgument(
      readViolations(error.errors, { query: call.query, params: match.path, body: call.body }),
    );
  }
  if (!isStrict(call)) return;
  const unknown = handler.checkStrictly(call.query, call.body);
  if (unknown.length > 0) throw invalidArgument(unknown);
};

/**
 * What the validator reads of a request: canonical path without a query, the parsed query, one content type, GET for
 * HEAD. It would otherwise refuse raw reserved characters, and remember a validator for every content type it is sent.
 */
const present = (call: Call, { bodyKind }: Handler, match: Match): void => {
  const { request } = call;
  request.originalUrl = canonicalPath(match);
  if (request.method === 'HEAD') request.method = 'GET';
  Object.defineProperty(request, 'query', { value: call.query, writable: true, configurable: true });
  request.body = call.body;
  if (bodyKind) request.headers['content-type'] = bodyKind;
  else delete request.headers['content-type'];
};

const isStrict = ({ request, environment }: Call): boolean =>
  environment.current.settings.strict || request.headers['x-mock-strict'] === '1';

/** Runs the operation, replies, and commits: in this order, so that what cannot be replied to changes nothing. */
const dispatch = (world: World, call: Call, handler: Handler, match: Match): void => {
  const input = { path: match.path, query: call.request.query, body: call.body ?? {} };
  run(
    call.environment,
    world.baseUrl,
    (state, env): RawAnswer => handler.act(state, input, env),
    (answer, { span }) => {
      const text = replyJson(call, answer);
      if (span && handler.isRepeatable && answer.status === 200) remember(call, text, span);
    },
  );
};
