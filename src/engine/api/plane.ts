/** The router that answers all API calls: their steps in order, the replies that it remembers, and its refusals. */
import type { RequestHandler } from 'express';
import { type Contract, type ContractOperation, methodsOf, operationsAt } from '../contract/load.ts';
import type { ErrorCode, FieldViolation, Refusal } from '../core/errors.ts';
import type { Period } from '../core/moment.ts';
import { valueAt } from '../core/object.ts';
import type { Environments } from '../environments/all-environments.ts';
import type { EnvironmentState } from '../environments/environment.ts';
import { readsBody } from '../environments/faults.ts';
import { asksForStrict } from '../environments/mock-headers.ts';
import { createBodyReader } from '../http/body.ts';
import { mountContract, type Presented, presentValid, stubToWrite } from '../http/router.ts';
import { rawQuery, readBodyNames, readQuery } from '../http/spelling.ts';
import { createValidate, type ValidationOptions } from '../http/validate.ts';
import type { CheckedInput } from '../http/violations.ts';
import { STUB_METHODS } from '../stubs/stub.ts';
import { challengeOf, findClient, NOT_STORED, toTokenError } from '../tokens/endpoint.ts';
import { type Call, callAt, openCall, requireSameWorld, sendReply } from './call.ts';
import { answerByStub, answerInstead, answerStub } from './instead.ts';

export interface ApiOptions extends ValidationOptions {
  readonly environments: Environments;
  readonly contract: Contract;
  /** Called for every internal error, which a client sees as a plain 500. */
  readonly onInternalError: (error: unknown) => void;
}

const BODY_LIMIT = 1024 * 1024;
const READER = createBodyReader({ limit: BODY_LIMIT, mostValues: 20_000 });

export const createApiPlane = (options: ApiOptions) => {
  const { environments, contract } = options;
  return mountContract({
    contract,
    listedIn: '/openapi.yaml',
    wrongMethod: { code: 'UNIMPLEMENTED', always: ALWAYS_ALLOWED },
    before: [readEncodedColons, allowOrigins, openCall(environments), answerPreflight(options)],
    answer: (operation) => answerCall(operation, options),
    otherwise: [refuseMethod('refusal'), answerStub(BODY_LIMIT), refuseMethod('unserved')],
    adviseUnknown: (method, path) => ({ advice: stubToWrite(method, path), guide: 'stubs#stubs' }),
    baseUrl: () => environments.baseUrl,
    refuse: (refusal, response) => answerRefused(refusal, callAt(response)),
    onInternalError: options.onInternalError,
  });
};

/** Answers the calls of an operation; the order of the steps decides which refusal the client gets (behaviour T4). */
const answerCall = (operation: ContractOperation, options: ApiOptions): RequestHandler => {
  const { environments, contract } = options;
  const { operationId } = operation;
  const isTokenRequest = operationId === environments.service.tokenOperation;
  const isPublic = !needsToken(operation);
  const validate = createValidate(contract, operation, options);
  return async (_request, response) => {
    const call = callAt(response);
    call.operation = operation;
    if (isTokenRequest) response.set(NOT_STORED);
    if (!isPublic && call.refusal) throw call.refusal; // 401 (behaviour E2, E3)
    if (isTokenRequest || readsBody(call.environment.current.faults, operationId))
      await readBody(call, operation);
    // The body of a token request names the client, and thereby the environment whose limits and faults apply.
    if (isTokenRequest) findClient(environments, call, operation);
    await answerInstead(call, operationId);
    recall(call);
    if (call.reply) return sendReply(call);
    await readBody(call, operation);
    await answerByStub(call);
    if (call.reply) return sendReply(call);
    readNames(operation, call);
    const { request, body, problems } = call;
    const { input, checkReply } = await validate(request, { query: { ...call.query }, body, problems });
    call.checkReply = checkReply;
    remember(call, runOperation(call, operationId, input));
    sendReply(call);
  };
};

/** Reads the body once, even if several steps need it, or not at all if the operation takes no body. */
const readBody = async (call: Call, { kind = '' }: ContractOperation): Promise<void> => {
  if (call.bodyText !== undefined) return;
  call.bodyText = kind && (await READER.readText(call.request, call.response, kind));
  call.body = READER.parse(call.bodyText, kind);
};

/** Parses the query, and changes the names of parameters and body members to the contract's spelling. */
const readNames = (operation: ContractOperation, call: Call): void => {
  const isStrict = call.environment.current.settings.strict || asksForStrict(call.request.headers);
  const inQuery = readQuery(operation, rawQuery(call.request), { isStrict });
  const inBody = readBodyNames(operation, call.body, isStrict);
  call.query = inQuery.query;
  call.body = inBody.body;
  call.problems = [...inQuery.problems, ...inBody.problems, ...call.problems];
  call.warnings = [...inQuery.warnings, ...inBody.warnings];
};

/** Checks the answer and commits the effects before a byte is sent. @returns tells how long the reply is the right one */
const runOperation = (call: Call, operationId: string, input: CheckedInput): (() => Period) => {
  const { environment, request, tokenOwner = environment } = call;
  for (const name in call.query) call.query[name] = valueAt(input.query, name); // of its type
  requireSameWorld(call);
  const step = tokenOwner.openStep(request.headers.host);
  const act = environment.service.operations[operationId];
  if (!act) throw new Error(`The service has no operation ${operationId}.`);
  const { status, body, ...effects } = act(step.state, input, step.env);
  call.checkReply?.(status, body);
  // HEAD commits nothing: its reply has no body (behaviour T6), so the client would never see what the operation issued.
  if (request.method !== 'HEAD') step.commit(effects);
  call.warnings = [...call.warnings, ...step.warnings];
  call.answer = body;
  call.reply = { status, text: JSON.stringify(body) };
  return step.validity;
};

/** Refuses gRPC calls that match no operation (behaviour T4). @throws Refusal */
const refuseMethod =
  (reason: 'refusal' | 'unserved'): RequestHandler =>
  ({ grpc }, _response, next) => {
    const refusal = grpc?.[reason];
    if (refusal) throw refusal;
    next();
  };

/** A call needs no token if the contract's `security` is an empty list or has an empty item. */
const needsToken = ({ security }: ContractOperation): boolean =>
  security.length > 0 && security.every((item) => 'bearerAuth' in item);

/** Accepts `%3A` instead of the colon in `:search`, since Express does not decode paths (behaviour T7). */
const readEncodedColons: RequestHandler = (request, _response, next) => {
  if (/%3a/i.test(request.url))
    request.url = request.url.replace(/^[^?]*/, (path) => path.replaceAll(/%3a/gi, ':'));
  next();
};

const ALWAYS_ALLOWED = ['OPTIONS'];

const EXPOSED = 'X-Request-Id, Retry-After, WWW-Authenticate, Preference-Applied';

const allowOrigins: RequestHandler = ({ headers: { origin } }, response, next) => {
  response.setHeader('Access-Control-Allow-Origin', origin ?? '*');
  if (origin !== undefined)
    response.set({
      'Access-Control-Allow-Credentials': 'true',
      'Access-Control-Expose-Headers': EXPOSED,
      Vary: 'Origin',
    });
  next();
};

/** A preflight has no token, so as soon as any environment has stubs, a path may have each method of a stub. */
const answerPreflight =
  ({ contract, environments: { byId } }: ApiOptions): RequestHandler =>
  ({ method, path, headers }, response, next) => {
    if (method !== 'OPTIONS') return next();
    const hasStubs = Array.from(byId.values()).some(({ current }) => !current.data.stubs.rows.isEmpty);
    const own = methodsOf(operationsAt(contract, path));
    const methods = [
      ...new Set([...own, ...(hasStubs ? ['HEAD', ...STUB_METHODS] : []), ...ALWAYS_ALLOWED]),
    ].join(', ');
    const asked = headers['access-control-request-headers'];
    const call = callAt(response);
    call.reply = {
      status: 204,
      headers: {
        Allow: methods,
        'Access-Control-Allow-Methods': methods,
        'Access-Control-Allow-Headers': asked ?? 'Authorization, Content-Type',
        'Access-Control-Max-Age': '600',
      },
      text: '',
    };
    sendReply(call);
  };

/** The most replies for a state, and characters in each. */
const MOST_REMEMBERED = 500;
const LONGEST_REMEMBERED = 64 * 1024;

/** A reply, what the journal shows about a call that gets it, and when it is the right one. */
interface Remembered extends Pick<Call, 'query' | 'warnings'> {
  readonly text: string;
  readonly validity: Period;
}

const byState = new WeakMap<EnvironmentState, Map<string, Remembered>>();

/**
 * Whether replies are remembered. Until something that was read expires, the reply to a read depends only on the request
 * line and the environment's state. The state is immutable: every write, reset or change of settings makes a new one,
 * without replies.
 */
const isRemembered = ({ operation }: Call): boolean =>
  operation?.method === 'get' && !operation.definition['x-no-cache'];

/** Gives a GET or HEAD the reply to the same call in the same state, if it is still valid. */
const recall = (call: Call): void => {
  if (call.reply || !isRemembered(call)) return;
  const { current, now } = call.environment;
  const known = byState.get(current)?.get(keyOf(call));
  if (!known || now < known.validity.from || now >= known.validity.until) return;
  call.query = known.query;
  call.warnings = known.warnings;
  call.reply = { status: 200, text: known.text };
};

/** Must run before anything else can change the state. */
const remember = (call: Call, validityOf: () => Period): void => {
  const { environment, reply, query, warnings } = call;
  if (!isRemembered(call) || reply?.status !== 200 || reply.text.length > LONGEST_REMEMBERED) return;
  const replies = byState.get(environment.current) ?? new Map<string, Remembered>();
  if (replies.size >= MOST_REMEMBERED) replies.clear();
  replies.set(keyOf(call), { text: reply.text, query, warnings, validity: validityOf() });
  byState.set(environment.current, replies);
};

/** The key includes strict mode, in which the same request line can get a different answer. */
const keyOf = ({ request: { headers, url } }: Pick<Call, 'request'>): string =>
  asksForStrict(headers) ? `strict ${url}` : url;

const answerRefused = (refusal: Refusal, call: Call): void => {
  const present = (one: Refusal): Presented => presentRefusal(one, call);
  const { status, headers, body } = presentValid(refusal, present, call.checkReply);
  call.reply = { status, headers, text: JSON.stringify(body) };
  sendReply(call);
};

/** Also notes in the call what the journal shows about the refusal. */
const presentRefusal = (refusal: Refusal, call: Call): Presented => {
  const { errorCode, httpStatus: status, message, rule, extras } = refusal;
  const violations = extras.violations?.map(inOneText);
  const { environment, operation, request, requestId } = call;
  const { service, name } = environment;
  call.reason = message;
  call.rule = rule;
  if (!extras.isInjected) call.violations = violations ?? [];
  if (operation?.operationId === service.tokenOperation && IN_RFC_6749.has(errorCode) && !extras.isInjected) {
    call.rule = 'R3';
    return { status, headers: challengeOf(call), body: toTokenError(refusal, violations) };
  }
  const { path } = request;
  return { status, body: service.presentError({ refusal, violations, requestId, environment: name, path }) };
};

/** Error codes that have other names in answers to token requests, as RFC 6749 requires (behaviour R3). */
const IN_RFC_6749: ReadonlySet<ErrorCode> = new Set(['INVALID_ARGUMENT', 'UNAUTHENTICATED']);

/** Joins the problem and the advice into one description. */
const inOneText = ({ field, constraint, description, advice }: FieldViolation): FieldViolation => ({
  field,
  constraint,
  description: advice === undefined ? description : `${description} ${advice}`,
});
