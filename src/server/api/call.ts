/**
 * An API call: an object to which each step adds its results. If a step refuses the call, the journal shows the
 * results of the earlier steps.
 */
import type { Request, RequestHandler, Response } from 'express';
import type { ContractOperation } from '../../contract/load.ts';
import type { FieldViolation } from '../../core/errors.ts';
import type { Change } from '../../model/domain/operation.ts';
import type { Environments } from '../../model/environments/environments.ts';
import { type Caller, identify } from './authenticate.ts';

/** A call whose headers have been read. The optional members are the results of later steps. */
export interface Call extends Caller {
  readonly request: Request;
  readonly response: Response;
  readonly operation?: ContractOperation;
  readonly bodyText?: string;
  /** The parsed body. Here and in `query`, names have the contract's spelling. */
  readonly body?: unknown;
  readonly query?: Record<string, string | string[]>;
  /** Names of the query parameters that the client itself sent, as opposed to defaults. */
  readonly sentNames?: readonly string[];
  /** Problems of the input that the contract's validator does not find. */
  readonly problems?: readonly FieldViolation[];
  /** Sentences that tell which parts of the input were ignored. */
  readonly warnings?: readonly string[];
  readonly requestId?: string;
  readonly reply?: Reply;
  /** The body that the operation returned. */
  readonly answer?: unknown;
  /** What the operation changed. */
  readonly changes?: readonly Change[];
  /** For a reply from the cache: the ids that `rowsOfCall` found when this reply was cached. */
  readonly rows?: readonly string[];
  /** Why the call was refused, in a sentence. */
  readonly reason?: string;
  /** The id of the rule in `src/RULES.md` that explains the refusal, such as `T3`. */
  readonly rule?: string | undefined;
  /** Everything in the request that broke the contract. */
  readonly violations?: readonly FieldViolation[];
  /** The injected fault that changed the call. */
  readonly fault?: string;
  /** Method and path of the stub that answered. */
  readonly stub?: string;
}

export interface OperationCall extends Call {
  readonly operation: ContractOperation;
}

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly text: string;
}

/** Whether the client asked for strict mode by `X-Mock-Strict: 1` or `true`, ignoring case. */
export const asksForStrict = ({ request: { headers } }: Pick<Call, 'request'>): boolean =>
  /^(?:1|true)$/i.test(String(headers['x-mock-strict'] ?? ''));

/** Adds the results of a step to a call. */
export const grow = <Known extends Call, More extends Partial<Call>>(call: Known, more: More): Known & More =>
  Object.assign(call, more);

/** Creates the `Call` for a request, with the environment and client that the headers identify. */
export const openCall =
  (environments: Environments): RequestHandler =>
  (request, response, next) => {
    const { environment, clientId, refusal } = identify(environments, request.headers);
    // Lists the members one by one: if a spread created the object, V8 would run every later step more slowly.
    response.locals.call = { environment, clientId, refusal, request, response };
    next();
  };

/**
 * The id of a call; each environment numbers its calls (behaviour T8). Created only when needed, since
 * the environment of a token request is unknown until the request's body has been read.
 */
export const requestIdOf = (call: Call): string => {
  if (call.requestId !== undefined) return call.requestId;
  const { counters } = call.environment;
  counters.requests += 1;
  return grow(call, { requestId: `req_${counters.requests}` }).requestId;
};

/** The call that `openCall` stored in this response. */
export const callOf = (response: Response): Call => response.locals.call;

/** Sends a reply with the call's id, unless the connection is already closed. */
export const sendReply = (call: Call, reply: Reply): void => {
  const { response, request } = grow(call, { reply });
  if (request.socket.destroyed) return;
  // Sends the body with Node's own methods: Express' `send` would take up a quarter of the time for a cached list.
  const hasBody = reply.status !== 204 && reply.status !== 304;
  response.statusCode = reply.status;
  if (hasBody) response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.set({ ...reply.headers, 'X-Request-Id': requestIdOf(call) });
  if (hasBody) response.setHeader('Content-Length', Buffer.byteLength(reply.text));
  response.end(hasBody && request.method !== 'HEAD' ? reply.text : undefined);
};
