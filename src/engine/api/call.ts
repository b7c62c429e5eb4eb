/**
 * An API call, and its environment and client, which the headers alone tell (behaviour E1, E2, T4). Each step notes in the
 * call what it found out, so that the journal also shows a call that a step refused.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import type { ContractOperation } from '../contract/load.ts';
import { type FieldViolation, Refusal } from '../core/errors.ts';
import type { Environments } from '../environments/all-environments.ts';
import { type Environment, newestWorld } from '../environments/environment.ts';
import type { SentReply } from '../environments/faults.ts';
import {
  environmentFor,
  type NamedEnvironment,
  readNamedEnvironments,
} from '../environments/mock-headers.ts';
import type { CheckReply } from '../http/validate.ts';
import { readAccessToken, requireLiveToken, unauthenticated } from '../tokens/access-token.ts';

export class Call {
  #number: number | undefined;
  /** The newest world when the call began (behaviour E8). */
  readonly began: number;
  /** Why the call's token is refused. An operation that needs no token answers all the same. */
  readonly refusal: Refusal | undefined;
  /** The token's environment, even if the token has ended; else the environment of the request's headers; else the first (behaviour E2). */
  environment: Environment;
  /** The client that a valid token belongs to; a fixed bearer string belongs to none. */
  clientId: string | undefined;
  operation: ContractOperation | undefined;
  /** For a token request: the environment that issues the token, if that is not the call's own (behaviour E7). */
  tokenOwner: Environment | undefined;
  fault: string | undefined;
  /** Whether the fault cuts the connection once the call has been carried out (behaviour X8). */
  losesReply = false;
  /** Method, path and `match` of the stub that answers. */
  stub: string | undefined;
  /** Which reply of the stub, from 1. */
  stubReply: number | undefined;
  bodyText: string | undefined;
  /** The parsed body. Here and in `query`, names have the contract's spelling. */
  body: unknown;
  /** The parameters that the client itself sent: without defaults. */
  query: Record<string, unknown> = {};
  /** Problems of the input that the contract's validator does not find. */
  problems: readonly FieldViolation[] = [];
  /** Sentences that tell which parts of the input were ignored. */
  warnings: readonly string[] = [];
  /** Checks the reply by the contract. Present once the input is valid. */
  checkReply: CheckReply | undefined;
  /** Present once the call has ended, as are all members below. */
  reply: SentReply | undefined;
  /** The body that the operation returned. */
  answer: unknown;
  reason: string | undefined;
  /** The id of the rule in `src/RULES.md` that explains the refusal, such as `T3`. */
  rule: string | undefined;
  /** Everything in the request that broke the contract. */
  violations: readonly FieldViolation[] | undefined;

  constructor(
    readonly request: Request,
    readonly response: Response,
    { environment, clientId, refusal }: Caller,
  ) {
    this.began = request.grpc?.began ?? newestWorld();
    this.refusal = refusal;
    this.environment = environment;
    this.clientId = clientId;
  }

  /**
   * The id of the environment's next call (behaviour T8). Drawn when the call ends, since the environment of a token
   * request is unknown until the request's body has been read. A call whose world has ended takes no id of the next world.
   */
  get requestId(): string {
    const { world, counters, endedCounters } = this.environment;
    const own = world > this.began ? endedCounters : counters;
    this.#number ??= ++own.requests;
    return `req_${this.#number}`;
  }
}

/** Refuses a call whose world is gone, or whose client has left: it must change nothing. @throws Refusal 503 (behaviour E8) */
export const requireSameWorld = ({ environment, began, request, response }: Call): void => {
  environment.requireWorldSince(began);
  if (!response.destroyed && !request.socket.destroyed) return;
  const problem = 'The client left before the call was answered, so nothing was changed.';
  throw new Refusal('UNAVAILABLE', problem, '', { rule: 'E8' });
};

/** Opens a call, with the environment and client that the headers identify. */
export const openCall =
  (environments: Environments): RequestHandler =>
  (request, response, next) => {
    response.locals.call = new Call(request, response, identify(environments, request.headers));
    next();
  };

export const callAt = (response: Response): Call => response.locals.call;

/** Sends the reply of a call that has ended, unless a fault loses it or the connection is already closed. */
export const sendReply = (call: Call): void => {
  const { response, request, reply } = call;
  if (reply && call.losesReply) {
    call.reason = `reply lost by ${call.fault}`;
    request.socket.destroy();
  }
  if (!reply || request.socket.destroyed) return;
  // Sends the body with Node's own methods: Express' `send` would take up a quarter of the time for a cached list.
  const hasBody = reply.status !== 204 && reply.status !== 304;
  response.statusCode = reply.status;
  if (hasBody) response.setHeader('Content-Type', 'application/json; charset=utf-8');
  if (reply.headers) response.set(reply.headers);
  response.setHeader('X-Request-Id', call.requestId);
  if (hasBody) response.setHeader('Content-Length', Buffer.byteLength(reply.text));
  response.end(hasBody && request.method !== 'HEAD' ? reply.text : undefined);
};

type Caller = Pick<Call, 'environment'> & Partial<Pick<Call, 'clientId' | 'refusal'>>;

const identify = (environments: Environments, headers: IncomingHttpHeaders): Caller => {
  const named = readNamedEnvironments(environments, headers);
  const asked = named.find(({ environment }) => environment)?.environment;
  let environment = asked ?? environments.first();
  let known = asked; // whose clients the refusal names
  try {
    const { owner, claims } = readOwner(environments, headers.authorization);
    if (!owner) throw unauthenticated(`The access token's environment ${claims?.env} no longer exists.`);
    // Whoever moved the clock looks for the refusal in the journal of the token's environment.
    const own = environmentFor(owner, named);
    [environment, known] = [own.environment, owner];
    const client = claims && requireLiveToken(owner.current.data, claims, owner.instant());
    const { other } = own;
    if (!other) return { environment, clientId: client?.client_id };
    environment = asked ?? owner;
    known = other.environment ?? owner;
    throw ofAnotherEnvironment(owner, other);
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    return { environment, refusal: withClients(refusal, environments, known) };
  }
};

const MOST_CLIENTS = 5;

/** Appends client ids, of one environment or of the scenario, to a refusal's hint. Never appends secrets. */
const withClients = (
  { problem, hint, rule }: Refusal,
  { byId }: Environments,
  asked: Environment | undefined,
): Refusal => {
  const shown = asked ? [asked] : [...byId.values()].filter(({ isRuntime }) => !isRuntime);
  const clients = shown
    .flatMap(({ name, credentials: { client_id } }) =>
      client_id === undefined ? [] : `${client_id} (${name})`,
    )
    .slice(0, MOST_CLIENTS)
    .join(', ');
  const known = clients && ` Clients of this ${asked ? 'environment' : 'server'}: ${clients}.`;
  return unauthenticated(problem, `${hint}${known}`, rule);
};

/** Whose token it is: no environment if it no longer exists; no claims if it is a fixed bearer string. */
export type TokenOwner = ReturnType<typeof readOwner>;

/** Whose token it is, even if it has ended. @throws Refusal 401 for a header without a token of this server */
export const readOwner = (environments: Environments, header = '') => {
  const token = /^Bearer +([A-Za-z0-9\-._~+/]+=*) *$/i.exec(header)?.[1];
  if (header === '') throw unauthenticated('The Authorization header is missing.');
  if (token === undefined) throw unauthenticated('The Authorization header contains no bearer token.');
  const fixed = environments.find(token, 'bearer');
  if (fixed) return { owner: fixed, claims: undefined };
  const claims = readAccessToken(token);
  return { owner: environments.byId.get(claims.env), claims };
};

/** A 401 for a request that refers to one environment but has credentials of another (behaviour E2). */
export const ofAnotherEnvironment = (
  own: Environment,
  { name, by, environment }: NamedEnvironment,
): Refusal => {
  if (name.trim() === '') {
    const problem = `The ${by} of the request names no environment.`;
    return unauthenticated(problem, `Write ${own.name}, or leave it out.`, 'E2');
  }
  const problem = `The credentials belong to environment ${own.name}, but the ${by} of the request refers to ${name}.`;
  const advice = environment
    ? `Use credentials of ${name}, or leave the environment out of the request.`
    : `The environment ${name} does not exist. GET /_mock/environments lists the existing ones.`;
  return unauthenticated(problem, advice, 'E2');
};
