/** Errors of the control plane: what was wrong, and what to do; and turning those of other rooms into them. */
import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import { ERROR_KINDS, MOST_VIOLATIONS, Refusal } from '../core/errors.ts';
import { cut } from '../core/text.ts';
import { MediaTypeError } from '../http/body.ts';
import { methodsOf, operationsAt } from '../http/mount.ts';
import { nearestOperation } from '../http/nearest-operation.ts';
import type { RequestProblem } from '../http/spelling.ts';
import { describeViolations, isValidatorError, sentBy } from '../http/violations.ts';
import type { ControlContract, ControlOperation } from './document.ts';

const STATUSES = {
  INVALID_ARGUMENT: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  GONE: 410,
  UNSUPPORTED_MEDIA_TYPE: 415,
  INTERNAL_ERROR: 500,
} as const;

type ControlCode = keyof typeof STATUSES;

/** A refusal. @param hint what to do next */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  readonly code: ControlCode;
  readonly hint: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ControlCode,
    message: string,
    hint: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.code = code;
    this.hint = hint;
    this.headers = headers;
  }
}

/** Where every call is described; ends hints that have nothing better to say. */
export const DOCUMENT_HINT = 'All calls are described in /_mock/openapi.json.';

/** 400 with everything that is wrong with a call; a large body can break a rule a million times. */
export const invalidCall = (
  { method, path }: ControlOperation,
  problems: readonly RequestProblem[],
): ControlError => {
  const first = problems.slice(0, MOST_VIOLATIONS);
  const advice = new Set(first.flatMap((problem) => problem.advice ?? []));
  return new ControlError(
    'INVALID_ARGUMENT',
    first.map(({ description }) => description).join(' '),
    [...advice].join(' ') || `${method.toUpperCase()} ${path} in /_mock/openapi.json says what can be sent.`,
  );
};

/** Keeps what is wrong with a call, to be answered together with what the validator finds. */
export const setProblems = (response: Response, problems: readonly RequestProblem[]): void => {
  response.locals.problems = problems;
};

const problemsOf = (response: Response): readonly RequestProblem[] => response.locals.problems ?? [];

/** For a call in which the validator found nothing. @throws ControlError 400 with what is wrong all the same */
export const refuseProblems =
  (operation: ControlOperation): RequestHandler =>
  (_request, response, next) => {
    const problems = problemsOf(response);
    if (problems.length > 0) throw invalidCall(operation, problems);
    next();
  };

/** For a path or a method that no call has. @throws ControlError 404 or 405 */
export const refuseUnknownRoute =
  (contract: ControlContract): RequestHandler =>
  ({ method, path }) => {
    const address = `/_mock${cut(path)}`;
    const known = operationsAt(contract, path);
    if (known.length > 0) {
      const allowed = methodsOf(known).join(', ');
      throw new ControlError(
        'METHOD_NOT_ALLOWED',
        `${method} is not a method of ${address}.`,
        `Use ${allowed}.`,
        { Allow: allowed },
      );
    }
    const meant = nearestOperation(contract, method, path);
    const hint = meant ? `Did you mean ${meant.method.toUpperCase()} /_mock${meant.path}?` : DOCUMENT_HINT;
    throw new ControlError('NOT_FOUND', `There is no call ${address}.`, hint);
  };

/** The error handler of the control plane. */
export const answerError =
  (contract: ControlContract, onInternalError: (error: unknown) => void): ErrorRequestHandler =>
  (thrown, request, response, _next) => {
    const operation: ControlOperation | undefined = response.locals.operation;
    const error =
      isValidatorError(thrown) && operation
        ? invalidCall(operation, [
            ...describeViolations(contract, operation, thrown.errors, sentBy(request)),
            ...problemsOf(response),
          ])
        : thrown;
    if (!isForeseen(error)) onInternalError(error);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const { status, headers, body } = toErrorReply(error);
    response.status(status).set(headers).json(body);
  };

export interface ErrorReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: {
    readonly error: { readonly code: string; readonly message: string; readonly hint: string };
  };
}

/** Anything thrown, as a reply. An internal error shows nothing of the inside. */
export const toErrorReply = (error: unknown): ErrorReply => {
  if (error instanceof ControlError) {
    const { code, message, hint, headers } = error;
    return { status: STATUSES[code], headers, body: { error: { code, message, hint } } };
  }
  if (error instanceof MediaTypeError)
    return reply(415, 'UNSUPPORTED_MEDIA_TYPE', error.message, DOCUMENT_HINT);
  if (error instanceof Refusal) {
    const { errorCode: code, message, extras } = error;
    return {
      ...reply(ERROR_KINDS[code].status, code, message, DOCUMENT_HINT),
      headers: { ...extras.headers },
    };
  }
  if (error instanceof URIError)
    return reply(400, 'INVALID_ARGUMENT', 'The path holds a broken % sequence.', 'Encode it as UTF-8.');
  if (isScenarioError(error)) return reply(400, 'INVALID_ARGUMENT', error.message, SCENARIO_HINT);
  return reply(
    500,
    'INTERNAL_ERROR',
    'The mock failed while answering.',
    'Please report the call that led to it.',
  );
};

/** Whether an error was foreseen; anything else is an internal error. */
export const isForeseen = (error: unknown): boolean =>
  error instanceof ControlError ||
  error instanceof Refusal ||
  error instanceof URIError ||
  isScenarioError(error);

const SCENARIO_HINT =
  'Nothing was changed. Mend what is listed and call again; fixtures/scenario.schema.json says what a scenario may hold.';

const reply = (status: number, code: string, message: string, hint: string): ErrorReply => ({
  status,
  headers: {},
  body: { error: { code, message, hint } },
});

/** The scenario room is known here by its types alone, so its error is known by its name. */
const isScenarioError = (error: unknown): error is Error =>
  typeof error === 'object' && error !== null && 'name' in error && error.name === 'ScenarioError';
