/** The control plane's own OpenAPI document: read when the first call needs it, and matched against calls. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nearest } from '../core/nearest.ts';
import {
  isJsonObject,
  lookUpReference,
  type OpenApiDocument,
  type ParameterObject,
} from '../openapi/document.ts';
import { readDocument, toContract } from '../openapi/load.ts';
import { packageRoot } from '../openapi/package-root.ts';
import { ControlError, DOCUMENT_HINT } from './errors.ts';
import type { ControlId } from './types.ts';

export interface ControlOperation {
  readonly id: ControlId;
  readonly method: string;
  /** Within `/_mock`, as the document writes it. */
  readonly path: string;
  readonly parameters: readonly ParameterObject[];
  /** Undefined for an operation that takes none. */
  readonly requestBody: unknown;
  /** Matches raw paths; a group for every path parameter. */
  readonly pattern: RegExp;
}

export interface ControlDocument {
  readonly document: OpenApiDocument;
  readonly operations: readonly ControlOperation[];
}

let loaded: ControlDocument | undefined;

/** Once per process. */
export const loadControlDocument = (): ControlDocument => {
  loaded ??= readControlDocument();
  return loaded;
};

const FILE = 'src/control/control.yaml';

const readControlDocument = (): ControlDocument => {
  const text = readFileSync(join(packageRoot(), FILE), 'utf8');
  const { document, operations } = toContract(readDocument(text));
  return {
    document,
    operations: operations.map(({ operationId, method, path, parameters, definition }) => ({
      // Types are generated from this very document, so every id in it is one.
      id: operationId as string as ControlId,
      method: method.toUpperCase(),
      path,
      parameters,
      requestBody: follow(document, definition.requestBody),
      pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
    })),
  };
};

/** A description, or the one that a reference leads to. */
const follow = (document: OpenApiDocument, described: unknown): unknown =>
  isJsonObject(described) && typeof described.$ref === 'string'
    ? lookUpReference(document, described.$ref)
    : described;

export interface Match {
  readonly operation: ControlOperation;
  /** Decoded path parameters. */
  readonly path: Readonly<Record<string, string>>;
}

/**
 * The operation of a call. HEAD is answered as GET.
 * @param path raw, within `/_mock` and without the query
 * @throws ControlError 404 for an unknown path, 405 for a wrong method
 */
export const matchCall = ({ operations }: ControlDocument, method: string, path: string): Match => {
  const wanted = method === 'HEAD' ? 'GET' : method;
  const here = operations.filter(({ pattern }) => pattern.test(path));
  const operation = here.find((one) => one.method === wanted);
  if (operation) return { operation, path: readParameters(operation, path) };
  if (here.length > 0) throw wrongMethod(method, path, here);
  throw unknownPath(operations, method, path);
};

const readParameters = ({ pattern }: ControlOperation, path: string): Record<string, string> => {
  try {
    const groups = pattern.exec(path)?.groups ?? {};
    return Object.fromEntries(
      Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]),
    );
  } catch {
    throw new ControlError('INVALID_ARGUMENT', 'The path holds a broken % sequence.', 'Encode it as UTF-8.');
  }
};

const wrongMethod = (method: string, path: string, here: readonly ControlOperation[]): ControlError => {
  const allowed = here.map((one) => one.method).join(', ');
  return new ControlError(
    'METHOD_NOT_ALLOWED',
    `${method} is no method of /_mock${cut(path)}.`,
    `Use ${allowed}.`,
    {
      Allow: allowed,
    },
  );
};

const unknownPath = (operations: readonly ControlOperation[], method: string, path: string): ControlError => {
  const known = operations.map((one) => `${one.method} /_mock${one.path}`);
  const meant = nearest(`${method} /_mock${cut(path)}`, known);
  return new ControlError(
    'NOT_FOUND',
    `There is no call /_mock${cut(path)}.`,
    meant === undefined ? DOCUMENT_HINT : `Did you mean ${meant}?`,
  );
};

const cut = (path: string): string => path.slice(0, 200);
