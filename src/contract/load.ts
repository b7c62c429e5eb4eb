/** The contract, read from the package, checked, and laid out by operation. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { checkContract } from './check.ts';
import {
  HTTP_METHODS,
  type HttpMethod,
  lookUpReference,
  type OpenApiDocument,
  type OperationObject,
  type ParameterObject,
  type Reference,
} from './document.ts';
import { packageRoot } from './package-root.ts';
import type { OperationId } from './types.ts';

export interface ContractOperation {
  readonly operationId: OperationId;
  readonly method: HttpMethod;
  /** As the contract writes it: `/api/v1/custom-providers/{identifier}`. */
  readonly path: string;
  /** The area it belongs to: its first tag, or "". */
  readonly tag: string;
  /** Those of the path and of the operation, references followed. */
  readonly parameters: readonly ParameterObject[];
  readonly definition: OperationObject;
}

export interface Contract {
  /** Never changed by anyone; clone it for a library that writes into what it is given. */
  readonly document: OpenApiDocument;
  /** In the order of the document. */
  readonly operations: readonly ContractOperation[];
}

let loaded: Contract | undefined;

/**
 * The package's own contract; read and checked once per process.
 * @throws ContractError if it cannot be served
 */
export const loadContract = (): Contract => {
  loaded ??= toContract(checkContract(readContractFile()));
  return loaded;
};

/** The contract's text as it was written. */
export const readContractText = (): string => readFileSync(join(packageRoot(), 'openapi.yaml'), 'utf8');

const readContractFile = (): unknown => parse(readContractText(), { schema: 'core', logLevel: 'silent' });

/** A checked document with its operations. */
export const toContract = (document: OpenApiDocument): Contract => ({
  document,
  operations: Object.entries(document.paths).flatMap(([path, item]) =>
    HTTP_METHODS.flatMap((method) => {
      const definition = item[method];
      if (!definition) return [];
      const parameters = [...(item.parameters ?? []), ...(definition.parameters ?? [])];
      return {
        // The type is generated from this very document, so every id in it is one.
        operationId: definition.operationId as OperationId,
        method,
        path,
        tag: definition.tags?.[0] ?? '',
        parameters: parameters.map((parameter) => followParameter(document, parameter)),
        definition,
      };
    }),
  ),
});

const followParameter = (
  document: OpenApiDocument,
  parameter: ParameterObject | Reference,
): ParameterObject =>
  // A reference that leads nowhere was refused by the check.
  '$ref' in parameter ? (lookUpReference(document, parameter.$ref) as ParameterObject) : parameter;
