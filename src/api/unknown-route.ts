/** Refusing what is not an operation, naming what would be one (behaviour T4). */
import type { Request, RequestHandler } from 'express';
import { cut } from '../core/cut.ts';
import { ApiError } from '../core/errors.ts';
import { distanceOf } from '../core/nearest.ts';
import { methodsOf, operationsAt } from '../http/mount.ts';
import type { Contract, ContractOperation } from '../openapi/load.ts';

/** The last step of the plane. @throws ApiError 404 for an unknown path, 501 for a wrong method of a known one */
export const refuseUnknownRoute =
  (contract: Contract): RequestHandler =>
  (request) => {
    const known = operationsAt(contract, request.path);
    if (known.length === 0) throw unknownPath(contract, request);
    const allowed = [...methodsOf(known), 'OPTIONS'].join(', ');
    throw new ApiError(
      'UNIMPLEMENTED',
      `${request.method} is not a method of ${cut(request.path)}. Use ${allowed}.`,
      { headers: { Allow: allowed } },
    );
  };

/** 404 that names the nearest operation, so that it is not taken for a missing resource. */
export const unknownPath = ({ operations }: Contract, { method, path }: Request): ApiError => {
  const meant = nearestOperation(operations, method, path);
  const advice = meant ? ` Did you mean ${meant.method.toUpperCase()} ${meant.path}?` : '';
  return new ApiError(
    'PATH_NOT_FOUND',
    `No operation has the path ${cut(path)}.${advice} All are listed in /openapi.yaml.`,
    { resource: { resource_name: cut(path) } },
  );
};

/** Mistakes in typing up to this many letters are taken for the operation; a wrong method counts as one. */
const MOST_MISTAKES = 4;

/** By method and template: segments beside an id, a missing `/api/v1` and a trailing slash are compared without them. */
const nearestOperation = (
  operations: Contract['operations'],
  method: string,
  path: string,
): ContractOperation | undefined => {
  let best: ContractOperation | undefined;
  let fewest = MOST_MISTAKES + 1;
  for (const operation of operations) {
    const isOther =
      operation.method.toUpperCase() !== method && !(operation.method === 'get' && method === 'HEAD');
    // An id may hold a colon too, which parts nothing.
    const separator = operation.path.includes(':') ? /\/|(?=:)/ : '/';
    const mistakes =
      mistakesIn(segmentsOf(path, separator), segmentsOf(operation.path, separator)) + (isOther ? 1 : 0);
    if (mistakes >= fewest) continue;
    best = operation;
    fewest = mistakes;
  }
  return best;
};

const segmentsOf = (path: string, separator: string | RegExp): string[] =>
  path
    .slice(0, 1_000)
    .replace(/^\/(api\/)?(v1\/)?/i, '')
    .replace(/\/+$/, '')
    .split(separator);

const mistakesIn = (sent: readonly string[], known: readonly string[]): number => {
  if (sent.length !== known.length) return Infinity;
  return known.reduce((sum, segment, index) => {
    const own = sent[index] ?? '';
    const isParameter = segment.startsWith('{') && own !== '';
    return isParameter ? sum : sum + distanceOf(own, segment);
  }, 0);
};
