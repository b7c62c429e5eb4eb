/** Creates the Express router of the API or of the control plane from an OpenAPI document. */
import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from 'express';
import { type Contract, type ContractOperation, methodsOf, operationsAt } from '../contract/load.ts';
import { withCalledHost } from '../core/addresses.ts';
import { type ErrorCode, invalidArgument, Refusal } from '../core/errors.ts';
import { maskUrl } from '../core/secrets.ts';
import { cut, nearest } from '../core/text.ts';
import { notDecodable } from './body.ts';
import type { CheckReply } from './validate.ts';

/** What differs between the API and the control plane. */
export interface Plane<Id extends string> {
  readonly contract: Contract<Id>;
  /** The address of a list of all operations; messages refer to it. */
  readonly listedIn: string;
  /** Below this path lies what clients may mean by a shorter path: `/reset` for `/environments/current/reset`. */
  readonly home?: string;
  /** Handlers for every request, before its operation is looked up, and for calls that match no operation. */
  readonly before: readonly RequestHandler[];
  readonly otherwise: readonly RequestHandler[];
  answer(operation: ContractOperation<Id>): RequestHandler;
  /** Advice for a call to an unknown path, and the section of the guide about it. */
  adviseUnknown?(method: string, path: string): { advice: string; guide: string };
  /** The error for a method that a path does not have, and the methods that every path has. */
  readonly wrongMethod: { readonly code: ErrorCode; readonly always: readonly string[] };
  /** The server's own address. */
  baseUrl(): string;
  refuse(refusal: Refusal, response: Response): void;
  /** Called for every internal error, which a client sees as a plain 500. */
  readonly onInternalError: (error: unknown) => void;
}

export interface Presented {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: object;
}

/** Mounts every operation of a contract; paths are case-sensitive, without a trailing slash (behaviour T4). */
export const mountContract = <Id extends string>(plane: Plane<Id>): Router => {
  const router = Router({ caseSensitive: true, strict: true });
  for (const step of plane.before) router.use(step);
  for (const operation of plane.contract.operations)
    router[operation.method](toRoute(operation.path), plane.answer(operation));
  router.use(...plane.otherwise, refuseUnknownRoute(plane), answerError(plane));
  return router;
};

/** Turns a path of the contract into a route of Express: `/users:external/{id}` becomes `/users\:external/:id`. */
const toRoute = (path: string): string => path.replaceAll(':', '\\:').replaceAll(/\{(\w+)\}/g, ':$1');

const answerError =
  ({ onInternalError, refuse, baseUrl }: Plane<string>): ErrorRequestHandler =>
  (thrown, request, response, _next) => {
    const notUtf8 = thrown instanceof URIError ? invalidArgument([notDecodable('path')]) : INTERNAL_ERROR;
    const refusal = thrown instanceof Refusal ? thrown : notUtf8;
    if (refusal === INTERNAL_ERROR) onInternalError(thrown);
    if (response.writableEnded) return;
    // Closes the connection if a part of the answer was already sent.
    if (response.headersSent) response.destroy();
    else refuse(withGuide(refusal, baseUrl(), request.headers.host), response);
  };

/** The refusal, ending with the address of its section of the guide as the client can open it. */
const withGuide = (refusal: Refusal, baseUrl: string, host: string | undefined): Refusal => {
  const { errorCode, problem, hint, extras } = refusal;
  if (extras.guide === undefined) return refusal;
  const address = `${withCalledHost(baseUrl, host)}/_mock/guide/${extras.guide}`;
  return new Refusal(errorCode, problem, `${hint} The guide: ${address}`.trimStart(), extras);
};

/** The answer to a refused call; a 500 if that answer breaks the contract (`--validate-responses on`). */
export const presentValid = (
  refusal: Refusal,
  present: (refusal: Refusal) => Presented,
  checkReply: CheckReply | undefined,
): Presented => {
  const { status, body, headers = status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {} } = present(refusal);
  try {
    checkReply?.(status, body);
    return { status, body, headers: { ...headers, ...refusal.extras.headers } };
  } catch (broken) {
    return present(broken instanceof Refusal ? broken : INTERNAL_ERROR);
  }
};

/** Everything that a client learns about an internal error. */
const INTERNAL_ERROR = new Refusal(
  'INTERNAL_ERROR',
  'The mock failed while answering, and nothing was changed.',
  'Please report the request that caused the failure.',
);

/** The last step: refuses an unknown path, or a known path with the wrong method (behaviour T4). @throws Refusal */
const refuseUnknownRoute =
  (plane: Plane<string>): RequestHandler =>
  (request) => {
    const known = operationsAt(plane.contract, request.path);
    if (known.length === 0) throw unknownPath(plane, request);
    const { code, always } = plane.wrongMethod;
    const allowed = [...methodsOf(known), ...always].join(', ');
    const problem = `${request.method} is not allowed for ${request.baseUrl}${cut(maskUrl(request.path))}.`;
    throw new Refusal(code, problem, `Use ${allowed}.`, { headers: { Allow: allowed } });
  };

/** A 404 that names the operation with the most similar path, so that nobody takes it for a missing resource. */
const unknownPath = (
  { contract, listedIn, home, adviseUnknown }: Plane<string>,
  { method, path: sentPath, baseUrl }: Request,
): Refusal => {
  const path = cut(maskUrl(sentPath));
  const address = baseUrl + path;
  const atHome = home === undefined ? [] : operationsAt(contract, home + path);
  const below = atHome.find((one) => one.method === method.toLowerCase()) ?? atHome[0];
  const { similar, isSame } = similarTo(contract, method, path);
  const meant = below ?? verbFor(contract, method, path) ?? similar;
  const listed = meant
    ? `Did you mean ${meant.method.toUpperCase()} ${baseUrl}${below ? home + path : meant.path}?`
    : `All operations are listed in ${listedIn}.`;
  const { advice = '', ...more } = isSame
    ? { advice: 'Only the start of the path differs: check the base URL.' }
    : (adviseUnknown?.(method, path) ?? {});
  const extras = { resource: { resource_name: address }, ...more };
  const problem = `No operation has the path ${address}.`;
  return new Refusal('PATH_NOT_FOUND', problem, `${listed} ${advice}`.trimEnd(), extras);
};

/** The operation that does by a verb what the method of a call says: `/accounts:delete` for `DELETE /accounts/1`. */
const verbFor = ({ operations }: Contract<string>, method: string, path: string) => {
  const list = path.slice(0, path.lastIndexOf('/'));
  return operations.find((one) => one.path === `${list}:${method.toLowerCase()}`);
};

/** The most similar operation, with any parameters, and whether only the start of the path differs. No change means a read. */
const similarTo = ({ operations }: Contract<string>, method: string, path: string) => {
  const isChange = ['PUT', 'PATCH', 'DELETE'].includes(method);
  const listed = operations.filter((one) => one.method !== 'get' || !isChange);
  const sent = segmentsOf(path);
  const shapeOf = (verb: string, segments: readonly string[]): string =>
    `${verb} ${segments.map((segment) => (/\d|^\{/.test(segment) ? '{}' : segment)).join('/')}`;
  const filled = (template: string): readonly string[] =>
    segmentsOf(template).map((segment, nth) => (segment.startsWith('{') ? (sent[nth] ?? segment) : segment));
  const known = new Map(listed.map((one) => [shapeOf(one.method.toUpperCase(), filled(one.path)), one]));
  const wanted = shapeOf(method, sent);
  const near = nearest(wanted, known.keys(), Math.floor(wanted.length / 4)) ?? '';
  return { similar: known.get(near), isSame: known.has(wanted) };
};

/** Without `/api/v1`, which clients leave out, write otherwise or send twice. */
const segmentsOf = (path: string): readonly string[] =>
  path.replace(/^\/+(?:(?:api|v\d+)\/+)*/i, '/').split('/');

/** Advice that contains a stub for a call, ready to paste into a scenario file. */
export const stubToWrite = (method: string, path: string): string =>
  `To make the mock answer this call, add this to an environment of the scenario: stubs: [{ method: ${method}, path: ${JSON.stringify(path)}, status: 200, body: {} }].`;
