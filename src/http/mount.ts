/** A plane is an ordinary Express router, made from its OpenAPI document. */
import { Router } from 'express';
import type { Plane } from './plane.ts';
import { recognise } from './progress.ts';
import { answerError, refuseUnknownRoute } from './refusals.ts';

/** Mounts every operation of a contract: exact case, no trailing slash (behaviour T4). */
export const mountContract = <Id extends string>(plane: Plane<Id>): Router => {
  const router = Router({ caseSensitive: true, strict: true });
  router.use(...plane.before);
  for (const operation of plane.contract.operations)
    router[operation.method](toRoute(operation.path), recognise(operation), ...plane.stepsOf(operation));
  router.use(...plane.otherwise, refuseUnknownRoute(plane), answerError(plane));
  return router;
};

/** `/users:external/{id}` as Express writes it: `/users\:external/:id`. */
const toRoute = (path: string): string => path.replaceAll(':', '\\:').replaceAll(/\{(\w+)\}/g, ':$1');
