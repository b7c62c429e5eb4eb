/** Walks schemas: resolves references, and merges the parts of a schema. */
import { follow, isJsonObject, type JsonObject, type OpenApiDocument } from './document.ts';

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
