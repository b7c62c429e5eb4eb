/** The API plane: the contract as an Express router. */
import express, { type RequestHandler, type Router } from 'express';
import { parseJson } from '../core/object.ts';
import type { Environments } from '../environments/environments.ts';
import { ignoreBody, readBody, tooLarge } from '../http/body.ts';
import { originOf } from '../http/grpc-origin.ts';
import { mountContract } from '../http/mount.ts';
import { refuseProblems } from '../http/progress.ts';
import { readQuery } from '../http/query.ts';
import { stubToWrite } from '../http/stub-to-write.ts';
import { createValidate, type ValidationOptions } from '../http/validate.ts';
import type { Contract, ContractOperation } from '../openapi/load.ts';
import { bodyOf } from '../openapi/members.ts';
import { UNREPEATABLE_READS } from '../operations/index.ts';
import { callOf, findCall, openCall, sendText } from './call.ts';
import { ALWAYS, allowOrigins, answerPreflight } from './cors.ts';
import { readBodyNames, spellingRules } from './input.ts';
import { checkLimitsAndFaults, readBodyForFaults } from './limits-and-faults.ts';
import { present } from './present.ts';
import { answerRemembered } from './remembered.ts';
import { serve } from './serve.ts';
import { answerStubs } from './stubs.ts';
import { forbidStorage, selectClientsEnvironment } from './token-endpoint.ts';

export interface ApiOptions extends ValidationOptions {
  readonly environments: Environments;
  readonly contract: Contract;
  /** Called for every internal error, which a client sees as a plain 500. */
  readonly onInternalError: (error: unknown) => void;
}

const BODY_LIMIT = 1024 * 1024;
/** So many are looked at in well under the 300 ms that one call may hold the others up. */
const MOST_VALUES = 20_000;

/** Answers every request that reaches it; unknown paths too. */
export const createApiPlane = (options: ApiOptions): Router => {
  const { environments, contract } = options;
  return mountContract({
    contract,
    prefix: '',
    listedIn: '/openapi.yaml',
    wrongMethod: { code: 'UNIMPLEMENTED', always: ALWAYS },
    before: [readEncodedColons, allowOrigins, openCall(environments), answerPreflight(contract)],
    stepsOf: (operation) => stepsOf(operation, options),
    otherwise: [answerStubs(authenticate, [readAnyBody, checkLimitsAndFaults]), refuseUnboundMethod],
    adviseUnknown: stubToWrite,
    present,
    send: sendText,
    onInternalError: options.onInternalError,
  });
};

/** @throws Refusal 401 (behaviour E2, E3) */
const authenticate: RequestHandler = (_request, response, next) => {
  const { refusal } = callOf(response);
  if (refusal) throw refusal;
  next();
};

/** Refuses a gRPC call that matches no operation (behaviour T4). @throws Refusal that says why */
const refuseUnboundMethod: RequestHandler = (request, _response, next) => {
  const refusal = originOf(request)?.refusal;
  if (refusal) throw refusal;
  next();
};

/** Before the validator fills in defaults. */
const keepSentNames: RequestHandler = (request, response, next) => {
  callOf(response).sentNames = Object.keys(request.query);
  next();
};

/** What a call goes through. The order is the order in which it can be refused (behaviour T4). */
const stepsOf = (operation: ContractOperation, options: ApiOptions): RequestHandler[] => {
  const { environments, contract } = options;
  const isRepeatable = operation.method === 'get' && !UNREPEATABLE_READS.has(operation.operationId);
  const body = readBodyOf(operation, contract);
  const input = [
    readQuery(operation, spellingRules),
    readBodyNames(contract, operation),
    keepSentNames,
    createValidate(contract, operation, options),
    refuseProblems,
    serve(operation, { environments, isRepeatable }),
  ];
  // The body of a token request names the client and so the environment; limits and faults come after that.
  if (operation.operationId === 'issueToken')
    return [forbidStorage, body, selectClientsEnvironment(environments), checkLimitsAndFaults, ...input];
  const before = needsToken(operation, contract) ? [authenticate] : [];
  const cache = isRepeatable ? [answerRemembered] : [];
  const bodyFirst = readBodyForFaults(operation.operationId, body);
  return [...before, bodyFirst, checkLimitsAndFaults, ...cache, body, ...input];
};

const readBodyOf = (operation: ContractOperation, { document }: Contract): RequestHandler => {
  const kind = bodyOf(document, operation.definition)?.kind;
  if (kind === undefined) return ignoreBody;
  return readBody({
    kind: kind === 'application/json' ? kind : 'application/x-www-form-urlencoded',
    limit: BODY_LIMIT,
    mostValues: MOST_VALUES,
    onText: (response, text) => {
      const call = findCall(response);
      if (call) call.bodyText = text;
    },
  });
};

/** A stub takes whatever is sent; JSON is parsed for the faults that look at it. */
const readAnyBody: RequestHandler = (request, response, next) => {
  express.text({ limit: BODY_LIMIT, type: () => true })(request, response, (error?: unknown) => {
    const call = callOf(response);
    if (typeof request.body === 'string') call.bodyText = request.body;
    request.body = parseJson(call.bodyText);
    next(error === undefined ? undefined : tooLarge(BODY_LIMIT));
  });
};

/** An empty list asks for nothing; so does an empty item among others. */
const needsToken = ({ definition }: ContractOperation, { document }: Contract): boolean => {
  const security = definition.security ?? document.security ?? [];
  return security.length > 0 && security.every((item) => 'bearerAuth' in item);
};

/** Behaviour T7: the colon of `:search` may come as `%3A`. Express matches the path as it is written. */
const readEncodedColons: RequestHandler = (request, _response, next) => {
  const [path = '', query] = request.url.split(/\?(.*)/s);
  if (path.includes('%3'))
    request.url = path.replaceAll(/%3a/gi, ':') + (query === undefined ? '' : `?${query}`);
  next();
};
