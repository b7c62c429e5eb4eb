/** Refusing what is no operation, naming what would be one (behaviour T4). */
import { ApiError } from '../core/errors.ts';
import { didYouMean } from '../core/nearest.ts';
import type { Match, Router } from './route.ts';

/** @throws ApiError 404 for an unknown path, 501 for a wrong method of a known one */
export const requireRoute = (router: Router, method: string, path: string): Match => {
  const result = router.match(method, path);
  if (result.kind === 'found') return result;
  if (result.kind === 'unknown') throw unknownPath(router, method, cut(path));
  throw wrongMethod(method, cut(path), result.allowed.join(', '));
};

/** The methods that a preflight is told of; a path that nobody knows has none of its own. */
export const allowedMethods = (router: Router, path: string): readonly string[] => {
  const result = router.match('OPTIONS', path);
  return result.kind === 'wrong-method' ? result.allowed : ['OPTIONS'];
};

const unknownPath = (router: Router, method: string, path: string): ApiError => {
  const known = router.routes.map(({ operation }) => `${operation.method.toUpperCase()} ${operation.path}`);
  const nearest = didYouMean(`${method} ${path}`, known);
  return new ApiError(
    'PATH_NOT_FOUND',
    `No operation has the path ${path}.${nearest} All are listed in /openapi.yaml.`,
    { resource: { resource_name: path } },
  );
};

const wrongMethod = (method: string, path: string, allowed: string): ApiError =>
  new ApiError('UNIMPLEMENTED', `${method} is not a method of ${path}. Use ${allowed}.`, {
    headers: { Allow: allowed },
  });

const cut = (path: string): string => path.slice(0, 200);
