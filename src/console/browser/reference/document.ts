/** Reads an OpenAPI document of this server for the reference. */
import { send } from '../live/api.ts';

/** A JSON schema, or another part of the document with a description. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly readOnly?: boolean;
  /** The pattern in words. */
  readonly 'x-expected'?: string;
  /** The reason for a statement that the service's description does not make. */
  readonly 'x-inferred'?: string;
}

interface Example {
  readonly summary?: string;
  readonly value: unknown;
}

export type Examples = Readonly<Record<string, Example>>;

interface Media {
  readonly schema?: Schema;
  readonly examples?: Examples;
}

type BodyContent = Readonly<Record<string, Media>>;

export interface Parameter extends Pick<Schema, 'description' | 'x-inferred'> {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required?: boolean;
  readonly schema: Schema;
  readonly example?: unknown;
  readonly examples?: Examples;
}

export interface DocumentedReply extends Pick<Schema, 'x-inferred'> {
  readonly description: string;
  readonly content?: BodyContent;
}

export interface DocumentedOperation extends Pick<Schema, 'description' | 'x-inferred'> {
  readonly operationId: string;
  readonly tags: readonly [string];
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: BodyContent };
  readonly responses: Readonly<Record<string, DocumentedReply>>;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly method: string;
  readonly path: string;
}

interface Item extends Pick<Schema, 'description'> {
  readonly name: string;
}

export interface ContractDocument {
  readonly info: { readonly title: string; readonly description: string };
  readonly tags: readonly Item[];
  readonly operations: readonly DocumentedOperation[];
  /** The base address of calls, without a trailing slash. */
  readonly base: string;
  /** Whether it is the control plane's document. */
  readonly isControl: boolean;
}

type SchemaTree = Readonly<Record<string, unknown>>;

const isTree = (value: unknown): value is SchemaTree => typeof value === 'object' && value !== null;

/** Replaces references by their targets, except a reference of a schema to itself. */
export const resolve = (root: SchemaTree, value: unknown, known: Map<string, unknown>): unknown => {
  if (Array.isArray(value)) return value.map((each) => resolve(root, each, known));
  if (!isTree(value)) return value;
  const { $ref, ...own } = value;
  if (typeof $ref !== 'string')
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => [name, resolve(root, part, known)]),
    );
  if (!known.has($ref)) {
    known.set($ref, {});
    const path = $ref.slice(2).split('/');
    const target = path.reduce<unknown>((part, name) => (isTree(part) ? part[name] : undefined), root);
    known.set($ref, resolve(root, target, known));
  }
  const found = known.get($ref);
  return isTree(found) && Object.keys(own).length > 0 ? { ...found, ...own } : found;
};

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

interface Paths {
  readonly paths: Readonly<Record<string, { readonly parameters?: readonly Parameter[] } & SchemaTree>>;
}

/**
 * @param isControl reads the control plane's document instead of the API's
 * @throws CallError
 */
export const readContract = async (isControl: boolean): Promise<ContractDocument> => {
  const response = await send('GET', isControl ? 'openapi.json' : '../openapi.json');
  const root: SchemaTree = await response.json();
  // The server has checked this document at its start.
  const contract = resolve(root, { ...root, components: undefined }, new Map()) as ContractDocument & Paths;
  const operations = Object.entries(contract.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => method in item).map((method) => {
      const operation = item[method] as DocumentedOperation;
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])];
      return { ...operation, method: method.toUpperCase(), path, parameters };
    }),
  );
  const base = new URL(isControl ? '.' : '..', document.baseURI).href.replace(/\/$/, '');
  return { ...contract, operations, base, isControl };
};
