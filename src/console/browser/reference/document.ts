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
export type DocumentedOperation = OperationObject &
  Readonly<{ method: string; path: string; summary: string; tags: readonly [string] }> &
  Readonly<{ parameters: readonly ParameterObject[]; 'x-inferred'?: string }>;

type Words = Readonly<{ info: { description: string }; tags: Record<'name' | 'description', string>[] }>;

export type ContractDocument = Awaited<ReturnType<typeof readContract>>;

/** @param file the address of the document for readers */
const readContract = async (isControl: boolean, file: string) => {
  const { info, tags, ...document }: OpenApiDocument & Words = await (await readFile(file)).json();
  const all = Object.entries(document.paths).flatMap(([path, item]) =>
    HTTP_METHODS.flatMap((method) => {
      if (!item[method]) return [];
      const parameters = [...(item.parameters ?? []), ...(item[method].parameters ?? [])];
      const operation = dereference(document, { ...item[method], parameters });
      // The cast is safe: `npm run lint:contract` checks the documents and their references.
      return { ...operation, method: method.toUpperCase(), path } as unknown as DocumentedOperation;
    }),
  );
  const operations = tags.flatMap(({ name }) => all.filter((each) => each.tags[0] === name));
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

/** The parameters of an operation as the schema of an object; undefined if it has none. */
export const parametersOf = ({ parameters }: DocumentedOperation): JsonObject | undefined => {
  const properties = parameters.map(({ name, schema, ...note }) => [name, { ...schema, ...note }]);
  const required = parameters.flatMap((each) => (each.required ? each.name : []));
  return parameters.length > 0 ? { properties: Object.fromEntries(properties), required } : undefined;
};

/** The names of an operation's examples. Examples of the same name belong to the same call. */
export const exampleNames = ({ parameters, requestBody }: DocumentedOperation): readonly string[] => {
  const all = [contentOf(requestBody), ...parameters].flatMap(({ examples = {} }) => Object.keys(examples));
  return [...new Set(all)];
};

/** The value of an example, or else of the first one. */
const sampleOf = (examples: Examples = {}, name: string): unknown =>
  (examples[name] ?? Object.values(examples)[0])?.value;

type Client = Pick<MockSchemas['Environment'], 'name' | 'client_id' | 'client_secret' | 'access_token'>;

/** The body of an example, with the environment's client. */
const bodyIn = (value: unknown, type: string, { client_id, client_secret }: Client): string => {
  if (!isObject(value)) return '';
  const filled = 'client_id' in value ? { ...value, client_id, client_secret } : value;
  const fields = Object.entries(filled).map(([name, each]) => [name, textOf(each)]);
  const isForm = type === 'application/x-www-form-urlencoded';
  return isForm ? String(new URLSearchParams(fields)) : JSON.stringify(filled, undefined, 2);
};

/** The Authorization header of a call; none if it needs no credentials or has them in its body. */
const authorize = (security: OperationObject['security'], body: string, client: Client) => {
  if (!security) return { Authorization: `Bearer ${client.access_token ?? 'TOKEN'}` };
  const isBasic = security.some((way) => 'clientBasic' in way) && !body.includes('client_id=');
  return isBasic && { Authorization: `Basic ${btoa(`${client.client_id}:${client.client_secret}`)}` };
};

/** The call of an example. An optional parameter needs a value of this example: values of others might not fit. */
export const toCall = (
  { base, isControl }: ContractDocument,
  { method, path, parameters, requestBody, security }: DocumentedOperation,
  client: Client,
  name: string,
): SampleCall => {
  const valueIn = ({ required, schema, examples, example }: ParameterObject): unknown =>
    required ? (sampleOf(examples, name) ?? example ?? [schema?.enum].flat()[0]) : examples?.[name]?.value;
  const values = new Map(parameters.map((each) => [each.name, valueIn(each)]));
  values.set('env', client.name);
  const query = parameters
    .filter((each) => each.in === 'query')
    .flatMap((each) => [values.get(each.name) ?? []].flat().map((value) => [each.name, textOf(value)]));
  const fill = (whole: string, part: string) => encodeURIComponent(textOf(values.get(part))) || whole;
  const { type, examples } = contentOf(requestBody);
  const body = bodyIn(sampleOf(examples, name), type, client);
  return {
    method,
    url: `${base}${path.replaceAll(/\{(\w+)\}/g, fill)}${query.length > 0 ? `?${new URLSearchParams(query)}` : ''}`,
    headers: { ...(!isControl && authorize(security, body, client)), ...(body && { 'Content-Type': type }) },
    ...(body && { body }),
  };
};
