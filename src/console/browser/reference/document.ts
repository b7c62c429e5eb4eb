/** Reads an OpenAPI document of this server for the reference, and schemas for forms. */
import { dereference } from '../../../engine/contract/document.ts';
import { BASE, isObject, readFile } from '../live/api.ts';

type Members = Readonly<Record<string, unknown>>;
type Named<Value> = Readonly<Record<string, Value>>;

/** A JSON schema whose references are resolved. */
export interface Schema {
  readonly description?: string;
  /** Why the contract states something that the service's description leaves open. */
  readonly 'x-inferred'?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Named<Schema>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly readOnly?: boolean;
}

type Examples = Named<{ readonly summary?: string; readonly value: unknown }>;
type Note = Pick<Schema, 'description' | 'x-inferred'>;

export interface Parameter extends Note {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required?: boolean;
  readonly schema: Schema;
  readonly example?: unknown;
  readonly examples?: Examples;
}

/** A request or a reply. */
interface Message extends Note {
  readonly content?: Named<{ readonly schema?: Schema; readonly examples?: Examples }>;
}

export interface DocumentedOperation extends Note {
  readonly operationId: string;
  readonly tags: readonly [string];
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: Message;
  readonly responses: Named<Message>;
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
  const properties = Object.assign({}, ...parts.map((part) => part.properties));
  return {
    ...Object.assign({}, ...parts),
    properties,
    required: parts.flatMap(({ required = [] }) => required),
  };
};

/** Replaces references with their targets, and merges the parts of `allOf`. Drops a schema's references to itself. */
const resolve = (root: Members, value: unknown, known = new Map<unknown, unknown>()): unknown => {
  if (Array.isArray(value)) return value.map((each) => resolve(root, each, known));
  if (!isObject(value)) return value;
  const { $ref, ...own } = value;
  if ($ref === undefined) {
    const parts = Object.entries(value).map(([name, part]) => [name, resolve(root, part, known)]);
    const resolved = Object.fromEntries(parts);
    return 'allOf' in value ? merge(resolved) : resolved;
  }
  if (!known.has($ref)) {
    known.set($ref, {});
    known.set($ref, resolve(root, dereference(root, value), known));
  }
  return { ...(known.get($ref) as Members), ...own };
};

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

const readContract = async (isControl: boolean, file: string): Promise<ContractDocument> => {
  const root: Members = await (await readFile(file)).json();
  // The cast is safe: the server checked the document when it started.
  const contract = resolve(root, { ...root, components: {} }) as ContractDocument & { paths: Named<Members> };
  const operations = Object.entries(contract.paths).flatMap(([path, { parameters: shared = [], ...item }]) =>
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

/** The content of a request or a reply, in the first of its types. */
export const contentOf = (message: Message | undefined) => {
  const [[type, media] = ['', {}]] = Object.entries(message?.content ?? {});
  return { type, ...media };
};

/** The schema of the body of a call of the control plane. */
export const readBodySchema = async (operationId: string): Promise<Schema> => {
  const { operations } = await readControl();
  return contentOf(operations.find((each) => each.operationId === operationId)?.requestBody).schema ?? {};
};
