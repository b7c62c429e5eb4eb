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
import { prebuiltValue } from './prebuilt.ts';
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

let loaded: { readonly contract: Contract; readonly isPrebuilt: boolean } | undefined;

/**
 * The package's own contract; read and checked once per process, or by the build if it is as the build knew it.
 * @throws ContractError if it cannot be served
 */
export const loadContract = (): Contract => load().contract;

/** Whether the contract is the one that the build knew, so that what was made of it there can be used. */
export const isPrebuiltContract = (): boolean => load().isPrebuilt;

const load = (): NonNullable<typeof loaded> => {
  if (!loaded) {
    const text = readContractText();
    const isPrebuilt = prebuiltValue(text) !== undefined;
    loaded = { contract: toContract(readDocument(text)), isPrebuilt };
  }
  return loaded;
};

/** The contract's text as it was written. */
export const readContractText = (): string => readFileSync(join(packageRoot(), 'openapi.yaml'), 'utf8');

/**
 * The document that a YAML text holds; one that the build knew was checked by it.
 * @param source names the document in messages
 * @throws ContractError if it cannot be served
 */
export const readDocument = (text: string, source?: string): OpenApiDocument => {
  const known = prebuiltValue(text);
  return known === undefined
    ? checkContract(parse(text, { schema: 'core', logLevel: 'silent' }), source)
    : (known as OpenApiDocument); // the build lets no other through
};

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
