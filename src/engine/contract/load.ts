/** Reads OpenAPI documents, and lists their operations. */
import { parse } from 'yaml';
import {
  dereference,
  HTTP_METHODS,
  type HttpMethod,
  type OpenApiDocument,
  type OperationObject,
  type ParameterObject,
} from './document.ts';
import { builtValue } from './package-root.ts';

export interface ContractOperation<Id extends string = string> {
  readonly operationId: Id;
  readonly method: HttpMethod;
  /** The path as the contract writes it: `/api/v1/custom-providers/{identifier}`. */
  readonly path: string;
  /** The parameters of the operation and of its path, with references resolved. */
  readonly parameters: readonly ParameterObject[];
  readonly definition: OperationObject;
  /** Matches the raw path of each call of the operation, without the query. */
  readonly pattern: RegExp;
}

export interface Contract<Id extends string = string> {
  /** The whole document. Never change it: clone it for a library that may write into it. */
  readonly document: OpenApiDocument;
  readonly operations: readonly ContractOperation<Id>[];
  /** The operation with this id. @throws Error if the contract does not have it */
  operation(id: Id): ContractOperation<Id>;
}

/** Parses the YAML text of one of the package's documents. */
export const readDocument = (text: string): OpenApiDocument =>
  (builtValue(text) ?? parse(text, { schema: 'core', logLevel: 'silent' })) as OpenApiDocument; // the cast is safe: a test checks that the package's documents are valid

/** Lists the operations of a document. `Id` must be generated from the same document. */
export const toContract = <Id extends string = string>(document: OpenApiDocument): Contract<Id> => {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    HTTP_METHODS.flatMap((method) => {
      const definition = item[method];
      if (!definition) return [];
      return {
        operationId: definition.operationId as Id,
        method,
        path,
        parameters: [...(item.parameters ?? []), ...(definition.parameters ?? [])].map(
          (parameter) => dereference(document, parameter) as unknown as ParameterObject, // the cast is safe: a test checks that every reference has a target
        ),
        definition,
        pattern: new RegExp(
          `^${path.replaceAll(/[.*+?^$()[\]\\|]/g, '\\$&').replaceAll(/\{[^{}]*\}/g, '[^/]+')}$`,
        ),
      };
    }),
  );
  const byId = new Map(operations.map((operation) => [operation.operationId, operation]));
  const operation = (id: Id): ContractOperation<Id> => {
    const found = byId.get(id);
    if (!found) throw new Error(`The contract has no operation ${id}.`);
    return found;
  };
  return { document, operations, operation };
};

/**
 * The operations at the path of a request, with any method.
 * @param path raw, without the query
 */
export const operationsAt = <Id extends string>(
  { operations }: Contract<Id>,
  path: string,
): readonly ContractOperation<Id>[] => operations.filter(({ pattern }) => pattern.test(path));

/** The methods for an `Allow` header; every operation with GET also answers HEAD. */
export const methodsOf = (operations: readonly ContractOperation<string>[]): string[] =>
  operations.flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]));
