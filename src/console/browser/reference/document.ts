/** Reads an OpenAPI document of this server for the reference: its operations, and the calls of their examples. */
import {
  dereference,
  HTTP_METHODS,
  type OpenApiDocument,
  type OperationObject,
  type ParameterObject,
} from '../../../engine/contract/document.ts';
import type { JsonObject } from '../../../engine/core/object.ts';
import { BASE, isObject, type MockSchemas, readFile, textOf } from '../live/api.ts';
import type { SampleCall } from '../parts/code.tsx';

/** An operation whose references are resolved. */
export interface DocumentedOperation extends OperationObject {
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly tags: readonly [string];
  readonly parameters: readonly ParameterObject[];
  readonly 'x-inferred'?: string;
}

interface Words {
  readonly info: { readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
}

export type ContractDocument = Awaited<ReturnType<typeof readContract>>;

/** @param file the address of the document for readers */
const readContract = async (isControl: boolean, file: string) => {
  const { info, tags, ...document }: OpenApiDocument & Words = await (await readFile(file)).json();
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    HTTP_METHODS.flatMap((method) => {
      if (!item[method]) return [];
      const parameters = [...(item.parameters ?? []), ...(item[method].parameters ?? [])];
      const operation = dereference(document, { ...item[method], parameters });
      // The cast is safe: `npm run lint:contract` checks the documents and their references.
      return { ...operation, method: method.toUpperCase(), path } as unknown as DocumentedOperation;
    }),
  );
  /** The base address of calls, without a trailing slash. */
  const base = new URL(isControl ? '.' : '..', BASE).href.replace(/\/$/, '');
  return { info, tags, operations, base, isControl, file };
};

export const readControl = () => readContract(true, 'openapi.json');

export const readApi = () => readContract(false, '../openapi.json');

type Examples = Readonly<Record<string, { readonly summary?: string; readonly value?: unknown }>>;

type Content = { readonly type: string; readonly schema?: JsonObject; readonly examples?: Examples };

/** The content of a request or a reply, in the first of its types. */
export const contentOf = (message: JsonObject | undefined): Content => {
  const [[type, media] = ['', {}]] = Object.entries(Object(message?.content));
  return { type, ...Object(media) };
};

/** The names of an operation's examples. Examples of the same name belong to the same call. */
export const exampleNames = ({ parameters, requestBody }: DocumentedOperation): readonly string[] => {
  const all = [contentOf(requestBody), ...parameters].flatMap(({ examples = {} }) => Object.keys(examples));
  return [...new Set(all)];
};

type Client = Pick<MockSchemas['Environment'], 'name' | 'client_id' | 'client_secret' | 'access_token'>;

/** The value of a parameter. An optional one is empty in a call without it: values of other examples might not fit. */
const valueIn = (
  example: string,
  { required, schema, examples, example: only }: ParameterObject,
): unknown => {
  const given = examples?.[example];
  if (given || !required) return given?.value;
  return examples ? Object.values(examples)[0]?.value : (only ?? [schema?.enum].flat()[0]);
};

/** The body of an example, with the environment's client. */
const bodyIn = (example: string, requestBody: JsonObject | undefined, client: Client) => {
  const { type, examples = {} } = contentOf(requestBody);
  const { value } = examples[example] ?? Object.values(examples)[0] ?? {};
  if (!isObject(value)) return;
  const { client_id, client_secret } = client;
  const filled = 'client_id' in value ? { ...value, client_id, client_secret } : value;
  const fields = Object.entries(filled).map(([name, each]) => [name, textOf(each)]);
  const isForm = type === 'application/x-www-form-urlencoded';
  return { type, body: isForm ? String(new URLSearchParams(fields)) : JSON.stringify(filled, undefined, 2) };
};

/** The Authorization header of a call; none if it needs no credentials or has them in its body. */
const authorize = (security: OperationObject['security'], body: string, client: Client) => {
  if (!security) return { Authorization: `Bearer ${client.access_token ?? 'TOKEN'}` };
  const isBasic = security.some((way) => 'clientBasic' in way) && !body.includes('client_id=');
  return isBasic && { Authorization: `Basic ${btoa(`${client.client_id}:${client.client_secret}`)}` };
};

export const toCall = (
  { base, isControl }: ContractDocument,
  { method, path, parameters, requestBody, security }: DocumentedOperation,
  client: Client,
  example: string,
): SampleCall => {
  const values = new Map(parameters.map((each) => [each.name, valueIn(example, each)]));
  values.set('env', client.name);
  const query = parameters
    .filter((each) => each.in === 'query')
    .flatMap(({ name }) => [values.get(name) ?? []].flat().map((value) => [name, textOf(value)]));
  const filled = path.replaceAll(
    /\{(\w+)\}/g,
    (whole, name) => encodeURIComponent(textOf(values.get(name))) || whole,
  );
  const { type, body = '' } = bodyIn(example, requestBody, client) ?? {};
  return {
    method,
    url: `${base}${filled}${query.length > 0 ? `?${new URLSearchParams(query)}` : ''}`,
    headers: {
      ...(!isControl && authorize(security, body, client)),
      ...(type !== undefined && { 'Content-Type': type }),
    },
    ...(body !== '' && { body }),
  };
};
