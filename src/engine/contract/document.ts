/** An OpenAPI document as plain data. The types contain only the members that our code reads. */
import { stepsOfPointer, valueAt } from '../core/object.ts';

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export type JsonObject = { readonly [member: string]: JsonValue };

export const HTTP_METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;
export type HttpMethod = (typeof HTTP_METHODS)[number];

export interface ParameterObject {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly required?: boolean;
  readonly schema?: JsonObject;
  /** Why the contract states something that the service's description leaves open, with the codes of rules. */
  readonly 'x-inferred'?: string;
  readonly example?: unknown;
  /** Examples that have the same name in the parameters and in the body belong to one request. */
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>;
}

export interface OperationObject {
  readonly operationId: string;
  readonly description?: string;
  readonly security?: readonly JsonObject[];
  readonly parameters?: readonly (ParameterObject | ReferenceObject)[];
  readonly requestBody?: JsonObject;
  readonly responses: Readonly<Record<string, JsonObject>>;
  /** Whether the same call in the same state can get another reply. */
  readonly 'x-no-cache'?: boolean;
}

export interface ReferenceObject {
  readonly $ref: string;
}

type PathItem = { readonly [Method in HttpMethod]?: OperationObject } & {
  readonly parameters?: readonly (ParameterObject | ReferenceObject)[];
};

export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly servers: readonly { readonly url: string }[];
  readonly security?: readonly JsonObject[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonObject>>;
    readonly [section: string]: Readonly<Record<string, JsonObject>>;
  };
}

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object `value`, or the object to which its `$ref` points; `{}` for anything else. */
export const dereference = (document: unknown, value: unknown): JsonObject => {
  const reference = isJsonObject(value) ? value.$ref : undefined;
  const target = typeof reference === 'string' ? lookUpReference(document, reference) : value;
  return isJsonObject(target) ? target : {};
};

/** Finds the target of a reference such as `#/components/schemas/Id`; undefined if the document does not contain it. */
export const lookUpReference = (document: unknown, reference: string): unknown =>
  reference.startsWith('#/')
    ? valueAt(document, ...stepsOfPointer(decodeURIComponent(reference.slice(1))))
    : undefined;
