/** Our own route match: exact case, no trailing slash, `%3A` reads as `:` (behaviour T4). */
import type { Contract, ContractOperation } from '../openapi/load.ts';

/** An operation with what can be known of it before the first request. */
export interface Route {
  readonly operation: ContractOperation;
  readonly segments: readonly Segment[];
}

type Segment = { readonly literal: string } | { readonly parameter: string };

export interface Match {
  readonly route: Route;
  /** Decoded path parameters. */
  readonly path: Readonly<Record<string, string>>;
}

export type RouteResult =
  | ({ readonly kind: 'found' } & Match)
  | { readonly kind: 'wrong-method'; readonly allowed: readonly string[] }
  | { readonly kind: 'unknown' };

export interface Router {
  /** @param path raw, as it stands in the request line. */
  match(method: string, path: string): RouteResult;
  readonly routes: readonly Route[];
}

/** One place in the tree of paths: what comes next, and the operations that end here by method. */
interface Node {
  readonly literals: Map<string, Node>;
  parameter: Node | undefined;
  readonly routes: Map<string, Route>;
}

const newNode = (): Node => ({ literals: new Map(), parameter: undefined, routes: new Map() });

export const createRouter = (contract: Contract): Router => {
  const root = newNode();
  const routes = contract.operations.map(toRoute);
  for (const route of routes) addRoute(root, route);
  return { routes, match: (method, path) => matchRoute(root, method, path) };
};

const toRoute = (operation: ContractOperation): Route => ({
  operation,
  segments: operation.path
    .slice(1)
    .split('/')
    .map((text) => (/^\{.*\}$/.test(text) ? { parameter: text.slice(1, -1) } : { literal: text })),
});

const addRoute = (root: Node, route: Route): void => {
  let node = root;
  for (const segment of route.segments) node = descend(node, segment);
  node.routes.set(route.operation.method.toUpperCase(), route);
};

const descend = (node: Node, segment: Segment): Node => {
  if ('parameter' in segment) {
    node.parameter ??= newNode();
    return node.parameter;
  }
  const next = node.literals.get(segment.literal) ?? newNode();
  node.literals.set(segment.literal, next);
  return next;
};

const UNKNOWN: RouteResult = { kind: 'unknown' };

const matchRoute = (root: Node, method: string, path: string): RouteResult => {
  const parts = splitPath(path);
  const node = parts && find(root, parts, 0);
  if (!node) return UNKNOWN;
  const route = node.routes.get(method === 'HEAD' ? 'GET' : method);
  return route
    ? { kind: 'found', route, path: readParameters(route, parts) }
    : { kind: 'wrong-method', allowed: allowedMethods(node) };
};

const find = (node: Node, parts: readonly string[], depth: number): Node | undefined => {
  const part = parts[depth];
  if (part === undefined) return node.routes.size > 0 ? node : undefined;
  const literal = node.literals.get(part);
  const found = literal && find(literal, parts, depth + 1);
  return found ?? (node.parameter && part !== '' ? find(node.parameter, parts, depth + 1) : undefined);
};

/** Decoded segments; undefined where the percent-encoding is broken. */
const splitPath = (path: string): string[] | undefined => {
  const parts = path.slice(1).split('/');
  if (!path.includes('%')) return parts;
  try {
    return parts.map(decodeURIComponent);
  } catch {
    return undefined;
  }
};

const readParameters = (route: Route, parts: readonly string[]): Record<string, string> => {
  const values: Record<string, string> = {};
  route.segments.forEach((segment, index) => {
    if ('parameter' in segment) values[segment.parameter] = parts[index] ?? '';
  });
  return values;
};

const allowedMethods = (node: Node): string[] => {
  const methods = [...node.routes.keys()];
  return methods.includes('GET') ? [...methods, 'HEAD', 'OPTIONS'] : [...methods, 'OPTIONS'];
};
