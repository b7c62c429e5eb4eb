/** Reads an OpenAPI document of this server for the reference, and schemas for forms. */
import { BASE, isObject, readFile } from '../live/api.ts';

type Members = Readonly<Record<string, unknown>>;

interface Note {
  readonly description?: string;
  /** Why the contract states something that the service's description leaves open. */
  readonly 'x-inferred'?: string;
}

type Limit = 'minLength' | 'maxLength' | 'minimum' | 'maximum' | 'minItems' | 'maxItems' | 'maxProperties';

/** A JSON schema, after `resolve` has replaced its references. */
export interface Schema extends Note, Readonly<Partial<Record<Limit, number>>> {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly pattern?: string;
  readonly readOnly?: boolean;
  readonly 'x-expected'?: string;
}

type Examples = Readonly<Record<string, { readonly summary?: string; readonly value: unknown }>>;

type Content = Readonly<Record<string, { readonly schema?: Schema; readonly examples?: Examples }>>;

export interface Parameter extends Note {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required?: boolean;
  readonly schema: Schema;
  readonly example?: unknown;
  readonly examples?: Examples;
}

export interface DocumentedOperation extends Note {
  readonly operationId: string;
  readonly tags: readonly [string];
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Note & { readonly content?: Content }>>;
  readonly security?: readonly Members[];
  readonly method: string;
  readonly path: string;
}

export interface ContractDocument {
  readonly info: { readonly title: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly operations: readonly DocumentedOperation[];
  /** The base address of calls, without a trailing slash. */
  readonly base: string;
  readonly isControl: boolean;
}

/** Merges a schema with the parts of its `allOf`. */
const merge = ({ allOf, ...own }: Members): Members => {
  const parts = [...(allOf as Schema[]), own as Schema];
  return {
    ...Object.assign({}, ...parts),
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required = [] }) => required),
  };
};

/** Replaces references with their targets, and merges the parts of `allOf`. Drops a schema's references to itself. */
const resolve = (root: Members, value: unknown, known = new Map<string, unknown>()): unknown => {
  if (Array.isArray(value)) return value.map((each) => resolve(root, each, known));
  if (!isObject(value)) return value;
  const { $ref, ...own } = value;
  if (typeof $ref !== 'string') {
    const parts = Object.entries(value).map(([name, part]) => [name, resolve(root, part, known)]);
    const resolved = Object.fromEntries(parts);
    return 'allOf' in value ? merge(resolved) : resolved;
  }
  if (!known.has($ref)) {
    known.set($ref, {});
    const path = $ref.slice(2).split('/');
    const target = path.reduce<unknown>((part, name) => (isObject(part) ? part[name] : undefined), root);
    known.set($ref, resolve(root, target, known));
  }
  return { ...(known.get($ref) as Members), ...own };
};

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

const readContract = async (isControl: boolean, file: string): Promise<ContractDocument> => {
  const root: Members = await (await readFile(file)).json();
  // The casts are safe: the server checked the document when it started.
  const contract = resolve(root, { ...root, components: undefined }) as Omit<ContractDocument, 'operations'>;
  const { paths } = contract as unknown as { readonly paths: Readonly<Record<string, Members>> };
  const operations = Object.entries(paths).flatMap(([path, { parameters: shared = [], ...item }]) =>
    METHODS.filter((method) => method in item).map((method) => {
      const operation = item[method] as DocumentedOperation;
      const parameters = [...(shared as Parameter[]), ...(operation.parameters ?? [])];
      return { ...operation, method: method.toUpperCase(), path, parameters };
    }),
  );
  const base = new URL(isControl ? '.' : '..', BASE).href.replace(/\/$/, '');
  return { ...contract, operations, base, isControl };
};

/** Returns a function that calls `read` once and always returns its result. After a failure, it calls `read` again. */
export const once = <Value>(read: () => Promise<Value>): (() => Promise<Value>) => {
  let reading: Promise<Value> | undefined;
  return () => {
    reading ??= read().catch((error: Error) => {
      reading = undefined;
      throw error;
    });
    return reading;
  };
};

export const readControl = once(() => readContract(true, 'openapi.json'));

export const readApi = once(() => readContract(false, '../openapi.json'));

export const bodyOf = ({ requestBody }: DocumentedOperation) => {
  const [[type, media] = [undefined, {}]] = Object.entries(requestBody?.content ?? {});
  return { type, ...media };
};

/** The schema of the body of a call of the control plane. */
export const readBodySchema = async (operationId: string): Promise<Schema> => {
  const { operations } = await readControl();
  const operation = operations.find((each) => each.operationId === operationId);
  return (operation && bodyOf(operation).schema) ?? {};
};
