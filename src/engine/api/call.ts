/**
 * An API call as values: `Caller`, then `Input`, then `Ended`. A step never changes the value that it gets; it returns
 * the next one. The response keeps only the latest value, so that the journal also shows a call that a step refused.
 */
import type { Request, RequestHandler, Response } from 'express';
import type { ContractOperation } from '../contract/load.ts';
import { type FieldViolation, Refusal } from '../core/errors.ts';
import { newestWorld } from '../core/worlds.ts';
import type { Environments } from '../environments/all-environments.ts';
import { type Environment, requireWorldSince } from '../environments/environment.ts';
import type { SentReply } from '../environments/instead.ts';
import type { CheckReply } from '../http/validate.ts';
import type { Change } from '../operation.ts';
import { type Caller, identify } from './authenticate.ts';

/** A call whose headers have been read. The optional members are the results of later steps. */
export interface Input extends Caller {
  readonly request: Request;
  readonly response: Response;
  /** The newest world when the call began (behaviour E8). */
  readonly began: number;
  readonly operation?: ContractOperation;
  /** For a token request: the environment that issues the token, if that is not the call's own (behaviour E7). */
  readonly tokenOwner?: Environment;
  /** The injected fault that changed the call. */
  readonly fault?: string;
  /** Method, path and `match` of the stub that answers. */
  readonly stub?: string;
  /** Which reply of the stub, from 1. */
  readonly stubReply?: number;
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
  /** Checks the reply by the contract. Present once the input is valid. */
  readonly checkReply?: CheckReply;
}

export interface OperationInput extends Input {
  readonly operation: ContractOperation;
}

export interface Ended extends Input {
  readonly requestId: string;
  readonly reply: SentReply;
  /** The body that the operation returned. */
  readonly answer?: unknown;
  readonly changes?: readonly Change[];
  readonly reason?: string;
  /** The id of the rule in `src/RULES.md` that explains the refusal, such as `T3`. */
  readonly rule?: string | undefined;
  /** Everything in the request that broke the contract. */
  readonly violations?: readonly FieldViolation[] | undefined;
}

type Outcome = Omit<Ended, keyof Input | 'requestId'>;

export const endCall = <Call extends Input>(input: Call, outcome: Outcome): Call & Ended => ({
  ...input,
  ...outcome,
  requestId: nextRequestId(input),
});

export const isEnded = <Call extends Input>(call: Call): call is Call & Ended =>
  'reply' in call && call.reply !== undefined;

/**
 * The id of the environment's next call (behaviour T8). Drawn when the call ends, since the environment of a token
 * request is unknown until the request's body has been read. A call whose world has ended takes no id of the next world.
 */
export const nextRequestId = ({ environment, began }: Input): string => {
  const counters = environment.world > began ? environment.endedCounters : environment.counters;
  counters.requests += 1;
  return `req_${counters.requests}`;
};

/**
 * Refuses a call whose world is gone, or whose client has left: it must change nothing (behaviour E8).
 * @throws Refusal 503
 */
export const requireSameWorld = ({ environment, began, request, response }: Input): void => {
  if (response.destroyed || request.socket.destroyed)
    throw new Refusal(
      'UNAVAILABLE',
      'The client left before the call was answered, so nothing was changed.',
      '',
      { rule: 'E8' },
    );
  requireWorldSince(environment, began);
};

/** Every member of a call. V8 copies an object ten times faster if no copy adds a member. */
const UNFILLED = {
  ...{ environment: undefined, began: undefined, clientId: undefined, refusal: undefined },
  ...{ request: undefined, response: undefined, operation: undefined, tokenOwner: undefined },
  ...{
    fault: undefined,
    stub: undefined,
    stubReply: undefined,
    bodyText: undefined,
    body: undefined,
    query: undefined,
  },
  ...{ sentNames: undefined, problems: undefined, warnings: undefined, checkReply: undefined },
  ...{ requestId: undefined, reply: undefined, answer: undefined, changes: undefined },
  ...{ reason: undefined, rule: undefined, violations: undefined },
} satisfies Record<keyof Ended, undefined>;

/** Opens a call, with the environment and client that the headers identify. */
export const openCall =
  (environments: Environments): RequestHandler =>
  (request, response, next) => {
    const { environment, clientId, refusal } = identify(environments, request.headers);
    const { began = newestWorld() } = request.grpc ?? {};
    const opened = { ...UNFILLED, environment, clientId, refusal, request, response, began };
    keepIn(response)(opened as unknown as Input); // the cast is safe: no step tells undefined members from absent ones
    next();
  };

/** The latest value of the call that `openCall` opened. */
export const callOf = (response: Response): Input => response.locals.call;

/** Keeps the latest value of a call, and returns it. */
export type Keep = <Latest extends Input>(call: Latest) => Latest;

export const keepIn =
  (response: Response): Keep =>
  (call) => {
    response.locals.call = call;
    return call;
  };

/** Sends the reply of a call, unless the connection is already closed. */
export const sendEnded = ({ response, request, reply, requestId }: Ended): void => {
  if (request.socket.destroyed) return;
  // Sends the body with Node's own methods: Express' `send` would take up a quarter of the time for a cached list.
  const hasBody = reply.status !== 204 && reply.status !== 304;
  response.statusCode = reply.status;
  if (hasBody) response.setHeader('Content-Type', 'application/json; charset=utf-8');
  if (reply.headers) response.set(reply.headers);
  response.setHeader('X-Request-Id', requestId);
  if (hasBody) response.setHeader('Content-Length', Buffer.byteLength(reply.text));
  response.end(hasBody && request.method !== 'HEAD' ? reply.text : undefined);
};
