/** The control plane, built from its own OpenAPI document: an Express router for `/_mock`. */
import type { IncomingHttpHeaders } from 'node:http';
import type { RequestHandler, Response, Router } from 'express';
import { readOwner, type TokenOwner } from '../api/call.ts';
import type { Contract, ContractOperation } from '../contract/load.ts';
import { type FieldViolation, MOST_VIOLATIONS, Refusal } from '../core/errors.ts';
import { MOST_LEVELS_OF_SCENARIO } from '../core/limits.ts';
import { lazily } from '../core/object.ts';
import { maskUrl } from '../core/secrets.ts';
import { cut, didYouMean, listNames } from '../core/text.ts';
import type { Environments } from '../environments/all-environments.ts';
import type { Environment } from '../environments/environment.ts';
import { environmentFor, readNamedEnvironments } from '../environments/mock-headers.ts';
import { createBodyReader } from '../http/body.ts';
import { leavingOf, streamEvents } from '../http/event-stream.ts';
import { createGuard } from '../http/guard.ts';
import { mountContract, type Presented, presentValid } from '../http/router.ts';
import { rawQuery, readQuery, unknownName } from '../http/spelling.ts';
import { type CheckReply, createValidate, type ValidationOptions } from '../http/validate.ts';
import type { CheckedInput } from '../http/violations.ts';
import {
  type AnyAnswer,
  type Context,
  type Controlled,
  DOCUMENT,
  type Handlers,
  loadControlContract,
} from './control-document.ts';
import { environments } from './handlers/environments.ts';
import { records } from './handlers/records.ts';

export interface ControlOptions extends ValidationOptions {
  readonly controlled: Controlled;
  /** If set, every call must send it. A server that other machines can reach has one. */
  readonly controlToken?: string | undefined;
  /** Called for every internal error. The client gets a 500 without details. */
  readonly onInternalError: (error: unknown) => void;
}

/** The calls that a service answers, since they are about its nouns. */
type ServiceCall = 'actOnAccount' | 'decideLink' | 'actOnMembership' | 'signIn';

/** The handlers of the engine's calls, by operationId; the build fails if a handler is missing. */
const HANDLERS: Omit<Handlers, ServiceCall> = { ...environments, ...records };

/** The most bytes of a body: an environment with more than 100,000 rows fits. */
const READER = createBodyReader({ limit: 256 * 1024 * 1024, mostLevels: MOST_LEVELS_OF_SCENARIO });

/** Operations of a document, and their handlers by operationId. */
export interface ControlCalls {
  readonly contract: Contract<string>;
  readonly handlers: Readonly<Record<string, unknown>>;
}

/** One contract for all mocks of a process, since the compiled checks of its operations are kept by it. */
const withPromised = lazily((more: Contract<string>): Contract<string> => {
  const own = loadControlContract();
  return { ...own, operations: [...own.operations, ...more.operations] };
});

/** @param more calls that the document of the control plane does not promise; they answer on the same terms */
export const createControlPlane = (options: ControlOptions, more: ControlCalls): Router => {
  const { environments: all } = options.controlled;
  const contract = withPromised(more.contract);
  const handlers = { ...HANDLERS, ...all.service.controlHandlers, ...more.handlers };
  return mountContract<string>({
    contract,
    before: [setHeaders, createGuard(options.controlToken, () => all.baseUrl)],
    otherwise: [],
    listedIn: DOCUMENT,
    home: '/environments/current',
    wrongMethod: { code: 'METHOD_NOT_ALLOWED', always: [] },
    answer: (operation) => answerCall(operation, { contract, handlers }, options),
    baseUrl: () => all.baseUrl,
    refuse: refuse(all),
    onInternalError: options.onInternalError,
  });
};

const refuse =
  ({ refusedCalls }: Environments) =>
  (refusal: Refusal, response: Response): void => {
    const { checkReply }: { checkReply?: CheckReply } = response.locals.call ?? {};
    const { status, headers, body } = presentValid(refusal, presentRefusal, checkReply);
    const { message: reason } = refusal;
    response.locals.call = { reason }; // the log shows the reason
    const { method, originalUrl: path } = response.req;
    refusedCalls.add({ method, path: cut(maskUrl(path)), status, reason: cut(reason, 500) });
    send(response.set({ ...headers }), status, { body });
  };

/** Runs the steps of a call. If several steps would refuse the call, the first of them decides the reply. */
const answerCall = (
  operation: ContractOperation<string>,
  { contract, handlers }: ControlCalls,
  options: ControlOptions,
): RequestHandler => {
  const { operationId, method, statuses } = operation;
  const validate = createValidate(contract, operation, options);
  // Empty parameters such as `?id=` are dropped only in a GET: a DELETE that lost its id must not delete everything.
  const rules = { isStrict: true, keepsEmpty: method !== 'get' };
  const handle = handlers[operationId] as AnyHandler; // the cast is safe: the validator checks each input
  return async (request, response) => {
    const body = READER.parse(await READER.readText(request, response));
    const { query, problems } = readQuery(operation, rawQuery(request), rules);
    const sent = { query, body, problems: [...problems, ...bodyProblems(operation, body)] };
    const { input, checkReply } = await validate(request, sent);
    response.locals.call = { checkReply };
    const context = { ...options.controlled, headers: request.headers, signal: () => leavingOf(response) };
    // Finds the environment only now, since it can be created or deleted while the body arrives.
    const environment = findEnvironment(operationId, request.params.env, context);
    const checked = { ...input, body: input.body === undefined ? {} : input.body };
    const answer = await handle(checked, { ...context, environment });
    // Tells the readers of `/live` about the call, since most control calls log no event.
    if (method !== 'get') environment?.controlCalls.add(operationId);
    const { status = statuses[0] ?? 200 } = answer;
    if ('body' in answer) checkReply(status, answer.body);
    send(response, status, answer);
  };
};

const send = (response: Response, status: number, answer: AnyAnswer): void => {
  if ('stream' in answer) streamEvents(response, answer.stream);
  else if ('location' in answer) response.redirect(status, answer.location);
  else if ('body' in answer) response.status(status).type('json').send(JSON.stringify(answer.body));
  else response.status(status).type(answer.contentType).send(answer.text);
};

type AnyHandler = (
  input: CheckedInput,
  context: Context & { readonly environment: Environment | undefined },
) => AnyAnswer | Promise<AnyAnswer>;

/** The environment in the path. @throws Refusal 404 if it does not exist, 400 if `current` is ambiguous */
const findEnvironment = (id: string, env: unknown, { environments, headers }: Context) => {
  if (typeof env !== 'string') return undefined;
  const found = env === 'current' ? selectCurrent(environments, headers) : environments.find(env);
  if (!found && id !== 'putEnvironment') throw unknownEnvironment(environments, env);
  return found;
};

const presentRefusal = ({
  httpStatus: status,
  errorCode,
  problem: message,
  hint,
  extras: { violations = [], shownCode: code = errorCode },
}: Refusal): Presented => ({
  status,
  body: {
    error: {
      code,
      message,
      hint: hint || nextStep(violations),
      ...(violations.length > 0 && {
        violations: violations.map(({ field, description: text }) => ({ field, text })),
      }),
    },
  },
});

const nextStep = (violations: readonly FieldViolation[]): string => {
  const correct = violations.length > 0 ? `Correct ${listNames(violations.map(({ field }) => field))}. ` : '';
  return `${correct}All calls are described in ${DOCUMENT}.`;
};

/** Browsers may not cache an answer, show it in a frame, or guess its content type. */
const setHeaders: RequestHandler = (_request, response, next) => {
  response.set({
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy':
      "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  });
  next();
};

/** The validator misses that a required body is missing, and that a call which takes no body has one. */
const bodyProblems = ({ kind, needsBody }: ContractOperation<string>, body: unknown): FieldViolation[] => {
  if (needsBody && body === undefined)
    return [{ field: 'body', constraint: 'required', description: 'body is missing.', advice: 'Add it.' }];
  if (kind !== undefined) return [];
  const names = Object.keys(body ?? {}).slice(0, MOST_VIOLATIONS);
  return names.map((name) => unknownName('', name, [], 'member'));
};

/**
 * The environment of the call's access token, even if it has expired; else, the headers name it; else it is the first.
 * @throws Refusal 404 for an unknown name, which must not make the call change the first one; 400 for several environments
 */
const selectCurrent = (environments: Environments, headers: IncomingHttpHeaders): Environment => {
  const named = readNamedEnvironments(environments, headers);
  const { owner, claims } = readToken(environments, headers.authorization);
  const [first] = named;
  if (claims && !owner) throw unknownEnvironment(environments, claims.env, 'the access token belongs to it');
  if (!owner && first && !first.environment)
    throw unknownEnvironment(environments, first.name, `the ${first.by} selects it`);
  const selected = owner ?? first?.environment ?? environments.first();
  const { environment, other } = environmentFor(selected, named);
  if (!other) return environment;
  const problem = `The call selects the environment ${environment.name}, but its ${other.by} selects ${JSON.stringify(cut(other.name))}.`;
  const hint = 'Select only one, or put the name of the environment into the path instead of `current`.';
  throw new Refusal('INVALID_ARGUMENT', problem, hint);
};

/** What an access token says. Nothing for other tokens, such as the control token. */
const readToken = (environments: Environments, authorization: string | undefined): Partial<TokenOwner> => {
  try {
    return readOwner(environments, authorization);
  } catch (error) {
    if (error instanceof Refusal) return {};
    throw error;
  }
};

/** A 404 for a name that no environment has. @param use what uses the name, such as `the access token belongs to it` */
const unknownEnvironment = ({ byId }: Environments, nameOrId: string, use?: string): Refusal => {
  const name = cut(nameOrId);
  const names = Array.from(byId.values(), (environment) => environment.name);
  const problem = `The environment ${JSON.stringify(name)} does not exist${use ? `, but ${use}` : ''}.`;
  const all = `The environments are ${listNames(names)}; GET /_mock/environments lists them.`;
  return new Refusal('NOT_FOUND', problem, didYouMean(name, names).trim() || all);
};
