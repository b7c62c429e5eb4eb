/** The contract, read from the package and laid out by operation. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { builtValue } from './built-yaml.ts';
import {
  HTTP_METHODS,
  type HttpMethod,
  lookUpReference,
  type OpenApiDocument,
  type OperationObject,
  type ParameterObject,
  type PathItem,
} from './document.ts';
import { packageRoot } from './package-root.ts';
import type { OperationId } from './types.ts';

export interface ContractOperation<Id extends string = OperationId> {
  readonly operationId: Id;
  readonly method: HttpMethod;
  /** As the contract writes it: `/api/v1/custom-providers/{identifier}`. */
  readonly path: string;
  /** The area it belongs to: its first tag, or "". */
  readonly tag: string;
  /** Includes the parameters of the path; references are followed. */
  readonly parameters: readonly ParameterObject[];
  readonly definition: OperationObject;
  /** Matches the paths that it answers, raw and without the query. */
  readonly pattern: RegExp;
}

export interface Contract<Id extends string = OperationId> {
  /** Never changed by anyone; clone it for a library that writes into what it is given. */
  readonly document: OpenApiDocument;
  /** In the order of the document. */
  readonly operations: readonly ContractOperation<Id>[];
  /** Finds an operation by its id. @throws Error if the contract lacks it */
  operation(id: Id): ContractOperation<Id>;
}

let loaded: Contract | undefined;

/** The package's own contract; read once per process. */
export const loadContract = (): Contract => {
  loaded ??= toContract(readDocument(readContractText()));
  return loaded;
};

/** The contract's text as it was written. */
export const readContractText = (): string => readFileSync(join(packageRoot(), 'openapi.yaml'), 'utf8');

/** One of the package's own documents, by its YAML text. */
export const readDocument = (text: string): OpenApiDocument =>
  (builtValue(text) ?? parse(text, { schema: 'core', logLevel: 'silent' })) as OpenApiDocument; // tests hold that it is one

/** A document with its operations. The types are generated from the same document, so every id in it is one. */
export const toContract = <Id extends string = OperationId>(document: OpenApiDocument): Contract<Id> => {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    HTTP_METHODS.flatMap((method) => {
      const definition = item[method];
      if (!definition) return [];
      return {
        operationId: definition.operationId as Id,
        method,
        path,
        tag: definition.tags?.[0] ?? '',
        parameters: parametersOf(document, item, definition),
        definition,
        pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
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

/** The parameters of a path and of one of its operations, references followed. */
export const parametersOf = (
  document: OpenApiDocument,
  item: PathItem,
  { parameters = [] }: OperationObject,
): readonly ParameterObject[] =>
  [...(item.parameters ?? []), ...parameters].map((parameter) =>
    // Tests check that every reference leads somewhere.
    '$ref' in parameter ? (lookUpReference(document, parameter.$ref) as ParameterObject) : parameter,
  );

/** The operations of a contract whose path a request has, whatever its method. @param path raw, without the query */
export const operationsAt = <Id extends string>(
  { operations }: Contract<Id>,
  path: string,
): readonly ContractOperation<Id>[] => operations.filter(({ pattern }) => pattern.test(path));

/** The methods of the operations, for an `Allow` header; GET answers HEAD too. */
export const methodsOf = (operations: readonly ContractOperation<string>[]): string[] =>
  operations.flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]));
