/**
 * A call of the API: a value that grows. Each step takes what it needs of it and adds what it found out, so a call that is
 * refused half-way is in the journal with what is known by then.
 */
import type { Request, RequestHandler, Response } from 'express';
import type { FieldViolation } from '../core/errors.ts';
import type { Change } from '../domain/operation.ts';
import type { Environments } from '../environments/environments.ts';
import type { ContractOperation } from '../openapi/load.ts';
import { type Caller, identify } from './authenticate.ts';

/** A call whose headers were read. */
export interface Call extends Caller {
  readonly request: Request;
  readonly response: Response;
  /** Counted in the environment that the call turns out to belong to (behaviour T8). */
  readonly requestId: string;
}

/** A call of an operation. */
export interface Matched extends Call {
  readonly operation: ContractOperation;
}

/** What a call sent, by the contract's names. */
export interface Sent extends Matched {
  readonly bodyText: string;
  readonly body: unknown;
  readonly query: Record<string, string | string[]>;
  /** Names of the query parameters, before defaults are filled in. */
  readonly sentNames: readonly string[];
  /** What is wrong with it, apart from what the contract forbids. */
  readonly problems: readonly FieldViolation[];
  /** What was let through and ignored, in words. */
  readonly warnings: readonly string[];
}

/** What a call is answered. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly text: string;
}

/** What the journal shows of a call, besides what it sent. */
interface Outcome {
  readonly reply: Reply;
  /** The body that the operation answered. */
  readonly answer: unknown;
  /** What the operation changed. */
  readonly changes: readonly Change[];
  /** Ids of the rows that it met, if they are known from an earlier call. */
  readonly rows: readonly string[];
  /** Why it was refused, in words, and by which rule. */
  readonly reason: string;
  readonly rule: string | undefined;
  /** All rules of the contract that the request broke. */
  readonly violations: readonly FieldViolation[];
  /** The injected fault that decided the call. */
  readonly fault: string;
  /** Method and path of the stub that answers it. */
  readonly stub: string;
}

/** A call as far as it came. */
export type AnyCall = Call & Partial<Sent> & Partial<Outcome>;

/** Adds to a call what a step found out. */
export const grow = <Known extends Call, More extends Partial<AnyCall>>(
  call: Known,
  more: More,
): Known & More => Object.assign(call, more);

/** Opens a call: finds its environment and client by its headers. */
export const openCall =
  (environments: Environments): RequestHandler =>
  (request, response, next) => {
    let requestId: string | undefined;
    const call: Call = {
      ...identify(environments, request.headers),
      request,
      response,
      get requestId() {
        if (requestId === undefined) {
          const { counters } = this.environment;
          counters.requests += 1;
          requestId = `req_${counters.requests}`;
        }
        return requestId;
      },
    };
    response.locals.call = call;
    next();
  };

/** The call that a response answers; undefined on other planes, which have no `locals` of ours. */
export const findCall = ({ locals }: Response): AnyCall | undefined => locals.call;

/** @throws Error where no call was opened */
export const callOf = (response: Response): AnyCall => {
  const call = findCall(response);
  if (!call) throw new Error('No call was opened for this response.');
  return call;
};

/** Sends an answer, unless the connection was broken off; here the call gets its id. */
export const send = (call: Call, reply: Reply): void => {
  const { response, requestId, request } = grow(call, { reply });
  if (request.socket.destroyed) return;
  response
    .status(reply.status)
    .type('json')
    .set({ ...reply.headers, 'X-Request-Id': requestId })
    .send(reply.text);
};
