/** An OpenAPI document as plain data. The types contain only the members that our code reads. */
import {
  hasMembers,
  isJsonObject,
  type JsonObject,
  lazily,
  stepsOfPointer,
  valueAt,
} from '../core/object.ts';

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
  readonly parameters?: readonly ParameterObject[];
  readonly requestBody?: JsonObject;
  readonly responses: Readonly<Record<string, JsonObject>>;
  /** Whether the same call in the same state can get another reply. */
  readonly 'x-no-cache'?: boolean;
}

type PathItem = { readonly [Method in HttpMethod]?: OperationObject } & {
  readonly parameters?: readonly ParameterObject[];
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

const resolverOf = lazily((document: unknown) => {
  const targetOf = lazily((reference: string) => resolve(lookUpReference(document, reference)));
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve);
    if (!isJsonObject(value)) return value;
    const { $ref, ...own } = value;
    const members = Object.fromEntries(Object.entries(own).map(([name, member]) => [name, resolve(member)]));
    if (typeof $ref !== 'string') return members;
    return hasMembers(own) ? { ...Object(targetOf($ref)), ...members } : targetOf($ref);
  };
  return resolve;
});

/** A part of a document with its references resolved; `{}` for anything but an object. No schema contains itself. */
export const dereference = (document: unknown, part: unknown): JsonObject => {
  const resolved = resolverOf(document)(part);
  return isJsonObject(resolved) ? resolved : {};
};

/** Finds the target of a reference such as `#/components/schemas/Id`; undefined if the document does not contain it. */
export const lookUpReference = (document: unknown, reference: string): unknown =>
  reference.startsWith('#/')
    ? valueAt(document, ...stepsOfPointer(decodeURIComponent(reference.slice(1))))
    : undefined;
