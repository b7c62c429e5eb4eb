/** How a version of the contract describes a call: its data as places, its media types, headers and security. */
import { follow, isJsonObject, type Json, type JsonObject } from '../../contract/document.ts';
import type { Contract, ContractOperation } from '../../contract/load.ts';
import { bodyOf, type Place, placeOf } from '../../contract/members.ts';
import { valueAt } from '../../core/object.ts';

export type Described = ContractOperation<string>;

export interface Version {
  readonly contract: Contract<string>;
  readonly operation: Described;
}

/** The data of a call: the query parameters and the members of the body. */
export const sentPlace = ({ contract: { document }, operation }: Version): Place => {
  const query = operation.parameters.filter((one) => one.in === 'query');
  const parameters = {
    properties: Object.fromEntries(query.map((one) => [one.name, schemaOf({ ...one } as JsonObject)])),
    required: query.filter(({ required }) => required).map(({ name }) => name),
  };
  const body = bodyOf(document, operation.definition)?.schema ?? {};
  return placeOf(document, { allOf: [parameters, body] });
};

/** The schema of a parameter, which may be the schema of its only media type. */
const schemaOf = ({ deprecated, ...given }: JsonObject): JsonObject =>
  deprecated === true ? { allOf: [describedIn(given)], deprecated } : describedIn(given);

const describedIn = ({ schema, content }: JsonObject): JsonObject => {
  const found = schema ?? valueAt(Object.values(Object(content)), 0, 'schema');
  return isJsonObject(found) ? found : {};
};

export interface CallParameter {
  /** Such as `header X-Tenant`, or `{id}` for a part of the path. */
  readonly label: string;
  readonly place: Place;
  /** How the value is written, for comparison. */
  readonly form: string;
}

const IGNORED = new Set(['accept', 'content-type', 'authorization']); // OpenAPI says so for parameters with these names

/** The parameters of a place, by what identifies them in every version: in a path, the position instead of the name. */
export const parametersIn = (
  { contract: { document }, operation: { parameters, path } }: Version,
  where: 'path' | 'query' | 'header' | 'cookie',
): ReadonlyMap<string, CallParameter> => {
  const inPath = Array.from(path.matchAll(/\{([^{}]+)\}/g), ([, name]) => name);
  const own = parameters.filter((one) => one.in === where && typeof one.name === 'string');
  return new Map(
    own.flatMap(({ name, required = false, ...given }) => {
      const described = given as unknown as JsonObject; // the cast is safe: the document is JSON
      const key = { path: String(inPath.indexOf(name)), header: name.toLowerCase() }[String(where)] ?? name;
      if (where === 'header' && IGNORED.has(key)) return [];
      const usual = /^(?:path|header)$/.test(where) ? 'simple' : 'form';
      const { style = usual, explode = style === 'form', content } = described;
      const form = [style, explode, ...Object.keys(isJsonObject(content) ? content : {})].join(' ');
      const label = { path: `{${name}}`, query: name }[String(where)] ?? `${where} ${name}`;
      return [[key, { label, place: placeOf(document, schemaOf(described), '', required), form }] as const];
    }),
  );
};

/** The media types of the request body. Undefined if the operation takes none. */
export const sentTypes = ({ contract: { document }, operation }: Version): readonly string[] | undefined => {
  const { content } = follow(document, operation.definition.requestBody);
  return isJsonObject(content) ? Object.keys(content) : undefined;
};

/** Whether a body of this media type may be sent. */
export const takesType = (types: readonly string[], type: string): boolean => {
  const bare = (one: string): string => one.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return types.map(bare).some((one) => [bare(type), `${bare(type).split('/', 1)[0]}/*`, '*/*'].includes(one));
};

/** The response for a status; `default` stands for all errors that are not listed. Undefined if the contract has none. */
export const responseFor = ({ contract: { document }, operation }: Version, status: string) => {
  const { responses } = operation.definition;
  const fallback = status.startsWith('2') ? undefined : responses.default;
  const given = responses[status] ?? responses[`${status[0]}XX`] ?? fallback;
  return given && follow(document, given);
};

/** The JSON in a response. Undefined if the contract describes none. */
export const replyPlace = (version: Version, status: string): Place | undefined => {
  const content = responseFor(version, status)?.content;
  const kinds = Object.entries(isJsonObject(content) ? content : {});
  const schema = valueAt(
    kinds.find(([kind]) => /json|\*\/\*/.test(kind)),
    1,
    'schema',
  );
  return isJsonObject(schema) ? placeOf(version.contract.document, schema) : undefined;
};

/** What authorizes a call: of several alternatives, each with its kinds of credentials and their scopes. */
export const securityOf = ({ contract: { document }, operation }: Version) => {
  const given: unknown = operation.definition.security ?? document.security;
  const schemes = document.components?.securitySchemes;
  const alternatives = Array.isArray(given) && given.length > 0 ? given : [{}];
  return alternatives.map((one) =>
    Object.entries(Object(one)).map(([name, scopes]) => ({
      kind: kindOf(follow(document, schemes?.[name])),
      scopes: [scopes ?? []].flat().map(String),
    })),
  );
};

/** The kind of credentials, as the application sends them: OAuth and OpenID Connect send a bearer token too. */
const kindOf = ({ type, scheme, name, in: where }: JsonObject): string => {
  if (type === 'apiKey') return `the ${textOf(where)} ${textOf(name).toLowerCase()}`;
  if (type === 'http' && textOf(scheme).toLowerCase() !== 'bearer') return `HTTP ${textOf(scheme)}`;
  return type === 'mutualTLS' ? 'a client certificate' : 'a bearer token';
};

const textOf = (value: Json | undefined): string => String(value ?? '');
