/** Walks schemas: resolves references, and merges the parts of a schema. */
import { follow, isJsonObject, type JsonObject, type OpenApiDocument } from './document.ts';
import type { Contract, ContractOperation } from './load.ts';
import type { OperationId } from './types.ts';

/** What a schema says about the members and items of a value. */
export interface Members {
  /** The schema itself, and all schemas in its `allOf`, `oneOf` and `anyOf`. References are resolved. */
  readonly forms: readonly JsonObject[];
  /** The JSON type, if the schema has one. */
  readonly type: unknown;
  /** Whether the contract explicitly allows an empty string, by `minLength: 0`. */
  readonly mayBeEmpty: boolean;
  /** The schemas of members by name, including the members of every alternative (`oneOf`, `anyOf`). */
  readonly properties: ReadonlyMap<string, JsonObject>;
  /** Whether the schema allows other members too, as `metadata` does. */
  readonly isOpen: boolean;
  readonly items: JsonObject | undefined;
}

const described = new WeakMap<JsonObject, Members>();

/** Describes a schema, and caches the result. @param schema a schema of `document` */
export const membersOf = (document: OpenApiDocument, schema: JsonObject): Members => {
  const known = described.get(schema);
  if (known) return known;
  const members = describe(document, schema);
  described.set(schema, members);
  return members;
};

const describe = (document: OpenApiDocument, schema: JsonObject): Members => {
  const target = follow(document, schema);
  if (target !== schema) return membersOf(document, target);
  const parts = [schema.allOf, schema.anyOf, schema.oneOf]
    .flatMap((list) => (Array.isArray(list) ? list : []))
    .filter(isJsonObject)
    .map((part) => membersOf(document, part));
  const own = isJsonObject(schema.properties) ? Object.entries(schema.properties) : [];
  const isUnsaid = !('type' in schema || 'properties' in schema || parts.length > 0);
  return {
    forms: [schema, ...parts.flatMap(({ forms }) => forms)],
    type: schema.type ?? parts.find(({ type }) => type !== undefined)?.type,
    mayBeEmpty: schema.minLength === 0,
    properties: new Map([
      ...parts.flatMap((part) => [...part.properties]),
      ...own.flatMap(([name, member]) => (isJsonObject(member) ? [[name, member] as const] : [])),
    ]),
    isOpen: isUnsaid || (schema.additionalProperties ?? false) !== false,
    items: isJsonObject(schema.items) ? schema.items : parts.find(({ items }) => items)?.items,
  };
};

/** The schema and media type of a request body; undefined for an operation without a body. */
export const bodyOf = (
  document: OpenApiDocument,
  { requestBody }: { readonly requestBody?: JsonObject | undefined },
) => {
  const { content, required } = follow(document, requestBody);
  for (const [kind, media] of Object.entries(isJsonObject(content) ? content : {}))
    if (isJsonObject(media) && isJsonObject(media.schema))
      return { kind, schema: media.schema, isRequired: required === true };
  return undefined;
};

/** A body, a query, or a member at any depth in one of them. */
export interface Place {
  /** The path of the member, such as `roles[].name`; "" for the whole body or query. */
  readonly path: string;
  readonly members: ReadonlyMap<string, Place>;
  /** The values that the contract lists (`enum`); empty if it lists none. */
  readonly values: ReadonlySet<unknown>;
}

/** What the contract lists for an operation: its statuses, and the names in its requests and replies. */
export interface Surface {
  readonly operationId: OperationId;
  readonly method: string;
  readonly path: string;
  /** The statuses that the contract lists by number. */
  readonly statuses: readonly number[];
  /** The whole query; its members are the parameters. */
  readonly query: Place;
  readonly body: Place;
  /** The paths of all members of the body, at any depth. */
  readonly members: readonly string[];
  /** The body of a reply; created on first use. */
  reply(status: number): Place;
}

export interface Surfaces {
  of(operationId: OperationId): Surface;
  all(): readonly Surface[];
}

export const createSurfaces = ({ document, operations, operation }: Contract): Surfaces => {
  const of = lazily((operationId: OperationId) => readSurface(document, operation(operationId)));
  return { of, all: () => operations.map(({ operationId }) => of(operationId)) };
};

/** Creates each value on first use, then caches it. */
const lazily = <Key, Value>(make: (key: Key) => Value): ((key: Key) => Value) => {
  const kept = new Map<Key, Value>();
  return (key) => {
    const value = kept.get(key) ?? make(key);
    kept.set(key, value);
    return value;
  };
};

const readSurface = (document: OpenApiDocument, operation: ContractOperation): Surface => {
  const { operationId, method, path, definition, parameters } = operation;
  const { responses } = definition;
  const body = placeOf(document, bodyOf(document, definition)?.schema, '', []);
  const own = parameters.filter((one) => one.in === 'query');
  const places = own.map(({ name, schema }) => [name, placeOf(document, schema, name, [])] as const);
  return {
    operationId,
    method: method.toUpperCase(),
    path,
    statuses: Object.keys(responses)
      .map(Number)
      .filter((status) => !Number.isNaN(status)),
    query: { ...NOTHING, members: new Map(places) },
    body,
    members: [...pathsIn(body)],
    reply: lazily((status: number) => {
      const response = responses[status] ?? responses.default;
      return placeOf(document, bodyOf(document, { requestBody: response })?.schema, '', []);
    }),
  };
};

const NOTHING: Place = { path: '', members: new Map(), values: new Set() };

/**
 * Finds the members that a schema describes; for a list, the members of its items. If a schema contains itself, the
 * inner occurrence gets no members, because the search would never end otherwise.
 */
const placeOf = (
  document: OpenApiDocument,
  schema: JsonObject | undefined,
  path: string,
  enclosing: readonly Members[],
): Place => {
  const described = schema && membersOf(document, schema);
  if (!described || enclosing.includes(described)) return { ...NOTHING, path };
  const inside = [...enclosing, described];
  const items = described.items ? placeOf(document, described.items, `${path}[]`, inside) : NOTHING;
  const members = new Map(items.members);
  for (const [name, member] of described.properties)
    members.set(name, placeOf(document, member, path === '' ? name : `${path}.${name}`, inside));
  const listed = described.forms.flatMap((form) => (Array.isArray(form.enum) ? form.enum : []));
  return { path, members, values: new Set([...listed, ...items.values]) };
};

function* pathsIn(place: Place): Generator<string> {
  for (const member of place.members.values()) {
    yield member.path;
    yield* pathsIn(member);
  }
}
