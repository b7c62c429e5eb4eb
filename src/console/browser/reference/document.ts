/** Reads an OpenAPI document of this server for the reference: its operations, the calls of their examples, schemas for forms. */
import { BASE, isObject, type MockSchemas, readFile, textOf } from '../live/api.ts';
import type { SampleCall } from '../parts/code.tsx';

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

interface Parameter extends Note {
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
  /** The address of the document for readers. */
  readonly file: string;
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
  if (typeof $ref !== 'string') {
    const parts = Object.entries(value).map(([name, part]) => [name, resolve(root, part, known)]);
    const resolved = Object.fromEntries(parts);
    return 'allOf' in value ? merge(resolved) : resolved;
  }
  if (!known.has($ref)) {
    known.set($ref, {});
    const target = $ref
      .split('/')
      .slice(1)
      .reduce<unknown>((part, name) => Object(part)[name], root);
    known.set($ref, resolve(root, target, known));
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
  return { ...contract, operations, base, isControl, file };
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

/** The names of an operation's examples. Examples of the same name belong to the same call. */
export const exampleNames = ({ parameters, requestBody }: DocumentedOperation): readonly string[] => {
  const all = [contentOf(requestBody), ...parameters].flatMap(({ examples = {} }) => Object.keys(examples));
  return [...new Set(all)];
};

interface CallProps {
  readonly contract: ContractDocument;
  readonly operation: DocumentedOperation;
  readonly environment: MockSchemas['Environment'];
}

/** The Authorization header of a call; none if the call needs no credentials or has them in its body. */
const authorize = ({ contract, operation, environment }: CallProps, sent: string) => {
  const { client_id, client_secret, access_token = 'TOKEN' } = environment;
  if (contract.isControl) return {};
  if (!operation.security) return { Authorization: `Bearer ${access_token}` };
  const isByForm = sent.includes('client_id=') || !operation.security.some((way) => 'clientBasic' in way);
  return isByForm ? {} : { Authorization: `Basic ${btoa(`${client_id}:${client_secret}`)}` };
};

/** The body of an example, with the environment's client. */
const fillIn = ({ operation, environment }: CallProps, example: string) => {
  const { type, examples = {} } = contentOf(operation.requestBody);
  const { value } = examples[example] ?? Object.values(examples)[0] ?? {};
  if (!isObject(value)) return;
  const { client_id, client_secret } = environment;
  const filled = 'client_id' in value ? { ...value, client_id, client_secret } : value;
  const fields = Object.entries(filled).map(([name, each]) => [name, textOf(each)]);
  const isForm = type === 'application/x-www-form-urlencoded';
  return { type, text: isForm ? String(new URLSearchParams(fields)) : JSON.stringify(filled, undefined, 2) };
};

/** The call of an example, with the credentials of the environment. */
export const toCall = (props: CallProps, example: string): SampleCall => {
  const { contract, operation, environment } = props;
  const { method, parameters } = operation;
  const pick = ({ name, required, schema, examples, example: only }: Parameter): unknown => {
    if (name === 'env' || name === 'environments') return environment.name;
    const given = examples?.[example];
    // An optional parameter that is not in the chosen example stays empty: values from other examples might not fit.
    if (given || !required) return given?.value;
    return examples ? Object.values(examples)[0]?.value : (only ?? schema.enum?.[0]);
  };
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (whole, name) => {
    const parameter = parameters.find((each) => each.name === name);
    return encodeURIComponent(textOf(parameter && pick(parameter))) || whole;
  });
  const query = parameters
    .filter((parameter) => parameter.in === 'query')
    .flatMap((each) => [pick(each) ?? []].flat().map((value) => [each.name, textOf(value)]));
  const body = fillIn(props, example);
  return {
    method,
    url: `${contract.base}${path}${query.length > 0 ? `?${new URLSearchParams(query)}` : ''}`,
    headers: { ...authorize(props, body?.text ?? ''), ...(body && { 'Content-Type': body.type }) },
    ...(body && { body: body.text }),
  };
};
