/** Refusing what is not an operation, naming what would be one (behaviour T4). */
import type { Request, RequestHandler } from 'express';
import { Refusal } from '../core/errors.ts';
import { cut } from '../core/text.ts';
import { methodsOf, operationsAt } from '../http/mount.ts';
import { nearestOperation } from '../http/nearest-operation.ts';
import type { Contract } from '../openapi/load.ts';

/** The last step of the plane. @throws Refusal 404 for an unknown path, 501 for a wrong method of a known one */
export const refuseUnknownRoute =
  (contract: Contract): RequestHandler =>
  (request) => {
    const known = operationsAt(contract, request.path);
    if (known.length === 0) throw unknownPath(contract, request);
    const allowed = [...methodsOf(known), 'OPTIONS'].join(', ');
    throw new Refusal(
      'UNIMPLEMENTED',
      `${request.method} is not a method of ${cut(request.path)}. Use ${allowed}.`,
      { headers: { Allow: allowed } },
    );
  };

/** 404 that names the nearest operation, so that it is not taken for a missing resource. */
export const unknownPath = (contract: Contract, { method, path }: Request): Refusal => {
  const meant = nearestOperation(contract, method, path);
  const advice = meant ? ` Did you mean ${meant.method.toUpperCase()} ${meant.path}?` : '';
  return new Refusal(
    'PATH_NOT_FOUND',
    `No operation has the path ${cut(path)}.${advice} All are listed in /openapi.yaml.`,
    { resource: { resource_name: cut(path) } },
  );
};
