/** A plane is an ordinary Express router, made from its OpenAPI document. */
import { type ErrorRequestHandler, type RequestHandler, Router } from 'express';
import type { Contract, ContractOperation } from '../openapi/load.ts';

/** What is particular to a plane. */
export interface Plane<Id extends string> {
  /** What every request goes through, before its operation is looked for. */
  readonly before: readonly RequestHandler[];
  /** What a call of an operation goes through. The order is the order in which it can be refused. */
  stepsOf(operation: ContractOperation<Id>): RequestHandler[];
  /** For a path or a method that the contract does not have. */
  readonly refuseUnknown: RequestHandler;
  readonly answerError: ErrorRequestHandler;
}

/** Mounts every operation of a contract: exact case, no trailing slash (behaviour T4). */
export const mountContract = <Id extends string>({ operations }: Contract<Id>, plane: Plane<Id>): Router => {
  const router = Router({ caseSensitive: true, strict: true });
  router.use(...plane.before);
  for (const operation of operations)
    router[operation.method](toRoute(operation.path), ...plane.stepsOf(operation));
  // The second one answers for a reply of the first that breaks the contract (`--validate-responses on`).
  router.use(plane.refuseUnknown, plane.answerError, plane.answerError);
  return router;
};

/** `/users:external/{id}` as Express writes it: `/users\:external/:id`. */
const toRoute = (path: string): string => path.replaceAll(':', '\\:').replaceAll(/\{(\w+)\}/g, ':$1');

/** The operations of a contract whose path a request has, whatever its method. @param path raw, without the query */
export const operationsAt = <Id extends string>(
  { operations }: Contract<Id>,
  path: string,
): readonly ContractOperation<Id>[] => operations.filter((operation) => patternOf(operation.path).test(path));

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`);

/** The methods that those operations answer, as an `Allow` header lists them; GET answers HEAD too. */
export const methodsOf = (operations: readonly ContractOperation<string>[]): string[] =>
  operations.flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]));
