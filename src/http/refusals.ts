/** The end of a call that a plane refuses: whatever was thrown becomes a refusal, and the plane says how it is written. */
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { error as validatorErrors } from 'express-openapi-validator';
import { invalidArgument, Refusal } from '../core/errors.ts';
import { nearest } from '../core/nearest.ts';
import { maskUrl } from '../core/secrets.ts';
import { cut } from '../core/text.ts';
import { methodsOf, operationsAt } from '../openapi/load.ts';
import type { Plane, Presented } from './plane.ts';
import { operationOf, problemsOf } from './progress.ts';
import { requireValidReply } from './reply.ts';
import { describeViolations, isValidatorError, sentBy } from './violations.ts';

/** The error handler of a plane. */
export const answerError =
  <Id extends string>(plane: Plane<Id>): ErrorRequestHandler =>
  (thrown, request, response, _next) => {
    const refusal = toRefusal(thrown, plane, request, response);
    if (refusal === INTERNAL_ERROR) plane.onInternalError(thrown);
    if (response.writableEnded) return;
    if (response.headersSent) {
      response.destroy(); // half of a long answer is out
      return;
    }
    const { status, headers, body } = presentValid(refusal, plane, request, response);
    if (status === 401) response.set('WWW-Authenticate', 'Bearer');
    response
      .status(status)
      .type('json')
      .set({ ...refusal.extras.headers, ...headers });
    plane.send(response, JSON.stringify(body));
  };

/** A refusal as the plane writes it; another one where that would break the contract (`--validate-responses on`). */
const presentValid = <Id extends string>(
  refusal: Refusal,
  plane: Plane<Id>,
  request: Request,
  response: Response,
): Presented => {
  const presented = plane.present(refusal, request, response);
  try {
    requireValidReply(response, presented.status, presented.body);
    return presented;
  } catch (broken) {
    return plane.present(toRefusal(broken, plane, request, response), request, response);
  }
};

const toRefusal = <Id extends string>(
  thrown: unknown,
  plane: Plane<Id>,
  request: Request,
  response: Response,
): Refusal => {
  if (thrown instanceof Refusal) return thrown;
  if (thrown instanceof URIError) return unknownPath(plane, request);
  const operation = operationOf<Id>(response);
  if (thrown instanceof validatorErrors.InternalServerError) return replyRefused(operation?.operationId);
  if (!isValidatorError(thrown) || !operation) return INTERNAL_ERROR;
  const problems = problemsOf(response);
  const found = describeViolations(plane.contract, operation, thrown.errors, sentBy(request));
  const isNew = ({ field }: { readonly field: string }): boolean =>
    !problems.some((problem) => problem.field === field);
  return invalidArgument([...found.filter(isNew), ...problems]);
};

/** All that a client sees of an internal error. */
const INTERNAL_ERROR = new Refusal(
  'INTERNAL_ERROR',
  'The mock failed while answering, and nothing was changed.',
  'Please report the request that led to it.',
);

const replyRefused = (operation = 'the request'): Refusal =>
  new Refusal(
    'INTERNAL_ERROR',
    `The mock's own reply to ${operation} broke the contract, so it was not sent and nothing was changed.`,
    'The log says how; please report it.',
  );

/** The last step of a plane. @throws Refusal for an unknown path, or a wrong method of a known one (behaviour T4) */
export const refuseUnknownRoute =
  <Id extends string>(plane: Plane<Id>): RequestHandler =>
  (request) => {
    const known = operationsAt(plane.contract, request.path);
    if (known.length === 0) throw unknownPath(plane, request);
    const { code, always } = plane.wrongMethod;
    const allowed = [...methodsOf(known), ...always].join(', ');
    throw new Refusal(
      code,
      `${request.method} is not a method of ${plane.prefix}${cut(maskUrl(request.path))}.`,
      `Use ${allowed}.`,
      { headers: { Allow: allowed } },
    );
  };

/** 404 that names the nearest operation, so that nobody takes it for a missing resource. */
const unknownPath = <Id extends string>(
  { contract, prefix, listedIn, adviseUnknown }: Plane<Id>,
  { method, path: sentPath }: Request,
): Refusal => {
  const path = cut(maskUrl(sentPath));
  const address = prefix + path;
  const known = new Map(contract.operations.map((one) => [shapeOf(one.method.toUpperCase(), one.path), one]));
  const sent = shapeOf(method, path);
  const meant = known.get(nearest(sent, known.keys(), Math.floor(sent.length / 4)) ?? '');
  const listed = meant
    ? `Did you mean ${meant.method.toUpperCase()} ${prefix}${meant.path}?`
    : `All are listed in ${listedIn}.`;
  return new Refusal(
    'PATH_NOT_FOUND',
    `No operation has the path ${address}.`,
    adviseUnknown ? `${listed} ${adviseUnknown(method, path)}` : listed,
    { resource: { resource_name: address } },
  );
};

/** Method and path as one text to compare: every id becomes `{}`, and `/api/v1` is left out. */
const shapeOf = (method: string, path: string): string => {
  const segments = path.replace(/^\/+(?:api\/+)?(?:v\d+\/+)?/i, '/').split('/');
  return `${method} ${segments.map((segment) => (IS_ID.test(segment) ? '{}' : segment)).join('/')}`;
};

const IS_ID = /\d|^\{\w+\}$/;
