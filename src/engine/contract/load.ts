/** Reads OpenAPI documents, and lists their operations. */
import { parse } from 'yaml';
import { type JsonObject, lazily } from '../core/object.ts';
import {
  dereference,
  HTTP_METHODS,
  type HttpMethod,
  type OpenApiDocument,
  type OperationObject,
  type ParameterObject,
} from './document.ts';
import { mediaOf, Place, pathsIn } from './members.ts';
import { builtValue } from './package-root.ts';

/** What is read of each operation at the start. */
interface ListedOperation<Id extends string> {
  readonly operationId: Id;
  readonly method: HttpMethod;
  /** The path as the contract writes it: `/api/v1/custom-providers/{identifier}`. */
  readonly path: string;
  /** Matches the raw path of each call of the operation, without the query. */
  readonly pattern: RegExp;
  /** The schemes of which a call needs one; no call needs one if the list is empty. */
  readonly security: readonly JsonObject[];
}

/** What a document says of an operation, with its references resolved. */
export type ContractOperation<Id extends string = string> = ListedOperation<Id> & Described;

const describe = (document: Pick<OpenApiDocument, 'paths'>, path: string, written: OperationObject) => {
  // The casts are safe: `npm run lint:contract` checks the documents, and that every reference has a target.
  const definition = dereference(document, written) as unknown as OperationObject;
  const all = [...(document.paths[path]?.parameters ?? []), ...(written.parameters ?? [])];
  const parameters = all.map((one) => dereference(document, one) as unknown as ParameterObject);
  const { responses, requestBody } = definition;
  const media = mediaOf(requestBody);
  const body = new Place([media?.schema]);
  return {
    definition,
    /** The parameters of the operation and of its path. */
    parameters,
    /** The statuses that the contract lists by number. */
    statuses: Object.keys(responses).map(Number).filter(Number.isInteger),
    /** The media type of the request body; undefined for an operation without one. */
    kind: media?.kind,
    needsBody: media?.isRequired === true,
    params: placeOf(parameters, 'path'),
    query: placeOf(parameters, 'query'),
    body,
    /** The paths of all members of the body, at any depth. */
    members: pathsIn(body),
    /** The body of the reply with each status. */
    reply: lazily((status: number) => new Place([mediaOf(responses[status] ?? responses.default)?.schema])),
  };
};

const placeOf = (parameters: readonly ParameterObject[], where: ParameterObject['in']): Place => {
  const found = parameters.filter((one) => one.in === where);
  return new Place([
    { properties: Object.fromEntries(found.map(({ name, schema = {} }) => [name, schema])) },
  ]);
};

type Described = ReturnType<typeof describe>;

/** The names of these members, as an operation without any has them too. */
const DESCRIBED = Object.keys(
  describe({ paths: {} }, '', { operationId: '', responses: {} }),
) as (keyof Described)[];

/** Resolves references on first use, since a start would take longer by a tenth. */
const toOperation = (
  document: OpenApiDocument,
  path: string,
  method: HttpMethod,
  written: OperationObject,
) => {
  const { operationId, security = document.security ?? [] } = written;
  const raw = path.replaceAll(/[.*+?^$()[\]\\|]/g, '\\$&').replaceAll(/\{[^{}]*\}/g, '[^/]+');
  const listed = { operationId, method, path, security, pattern: new RegExp(`^${raw}$`) };
  const get = (name: keyof Described) => {
    const described = describe(document, path, written);
    Object.defineProperties(listed, Object.getOwnPropertyDescriptors(described)); // in place of the getters
    return described[name];
  };
  for (const name of DESCRIBED)
    Object.defineProperty(listed, name, { configurable: true, enumerable: true, get: () => get(name) });
  return listed as ContractOperation; // the cast is safe: each member has a getter
};

export interface Contract<Id extends string = string> {
  /** The whole document. Never change it: clone it for a library that may write into it. */
  readonly document: OpenApiDocument;
  readonly operations: readonly ContractOperation<Id>[];
  /** The operation with this id. @throws Error if the contract does not have it */
  operation(id: Id): ContractOperation<Id>;
}

/** Parses the YAML text of one of the package's documents. */
export const readDocument = (text: string): OpenApiDocument =>
  (builtValue(text) ?? parse(text, { schema: 'core', logLevel: 'silent' })) as OpenApiDocument; // the cast is safe: a test checks that the package's documents are valid

/** @param document the document from which `Id` was generated */
export const toContract = <Id extends string = string>(document: OpenApiDocument): Contract<Id> => {
  const listed = Object.entries(document.paths).flatMap(([path, item]) =>
    HTTP_METHODS.flatMap((method) => {
      const written = item[method];
      return written ? toOperation(document, path, method, written) : [];
    }),
  );
  const operations = listed as ContractOperation<Id>[]; // the cast is safe: the types come from the same document
  const byId = new Map(operations.map((operation) => [operation.operationId, operation]));
  const operation = (id: Id): ContractOperation<Id> => {
    const found = byId.get(id);
    if (!found) throw new Error(`The contract has no operation ${id}.`);
    return found;
  };
  return { document, operations, operation };
};

/** The operations of each method. @param path of a request, raw, without the query */
export const operationsAt = <Id extends string>({ operations }: Contract<Id>, path: string) =>
  operations.filter(({ pattern }) => pattern.test(path));

/** The methods for an `Allow` header; every operation with GET also answers HEAD. */
export const methodsOf = (operations: readonly ContractOperation<string>[]): string[] =>
  operations.flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]));
