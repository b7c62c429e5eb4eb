/**
 * Walks schemas: resolves references, and merges the parts of a schema. A place is a query, a body, or a member at any
 * depth in one of them.
 */
import { valueAt } from '../core/object.ts';
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

export interface Place {
  readonly document: OpenApiDocument;
  readonly schema: JsonObject;
  /** The path of the member, such as `roles[].name`; "" for the whole body or query. */
  readonly path: string;
  /** Whether the object around the member must have it. */
  readonly isRequired: boolean;
  readonly members: ReadonlyMap<string, Place>;
  readonly items: Place | undefined;
  /** The values that the contract lists (`enum`); empty if it lists none. */
  readonly values: ReadonlySet<unknown>;
}

/** The place with this schema. Its members and items are made on first use, since a schema can contain itself. */
export const placeOf = (
  document: OpenApiDocument,
  schema: JsonObject = {},
  path = '',
  isRequired = true,
): Place => {
  const { properties, forms } = membersOf(document, schema);
  const inside = (name: string, find: (form: JsonObject) => unknown, isNeeded: boolean) => {
    const part = partAt(document, schema, find);
    return part && placeOf(document, part, name, isNeeded);
  };
  const itemsOnce = lazily(() => inside(path + ITEMS, ({ items }) => items, true));
  const membersOnce = lazily(() => {
    const places = [...properties.keys()].flatMap((name) => {
      const find = (form: JsonObject): unknown => valueAt(form, 'properties', name);
      const place = inside(joined(path, name), find, requires(document, schema, name));
      return place ? [[name, place] as const] : [];
    });
    return new Map(places);
  });
  return {
    ...{ document, schema, path, isRequired },
    values: new Set(forms.flatMap((form) => (Array.isArray(form.enum) ? form.enum : []))),
    get members() {
      return membersOnce(undefined);
    },
    get items() {
      return itemsOnce(undefined);
    },
  };
};

/** In a path, the step from a list to an item of the list. */
export const ITEMS = '[]';

/** The path to a step from the place at a path. */
const joined = (path: string, step: string): string =>
  step === ITEMS || path === '' ? path + step : `${path}.${step}`;

/** The paths of all members inside a place. A schema that contains itself is not entered again. */
export function* pathsIn(
  { document, schema, members, items }: Place,
  around: readonly unknown[] = [],
): Generator<string> {
  const described = membersOf(document, schema);
  if (around.includes(described)) return;
  const inside = [...around, described];
  if (items) yield* pathsIn(items, inside);
  for (const member of members.values()) {
    yield member.path;
    yield* pathsIn(member, inside);
  }
}

/** A schema inside another one. If several parts (`allOf`, `oneOf`, `anyOf`) have it, they are combined as the parts are. */
export const partAt = (
  document: OpenApiDocument,
  given: unknown,
  find: (form: JsonObject) => unknown,
): JsonObject | undefined => {
  const schema = follow(document, given);
  if (typeof schema.$ref === 'string') return partAt(document, schema, find);
  const inParts = (list: unknown): readonly JsonObject[] =>
    Array.isArray(list) ? list.map((part) => partAt(document, part, find)).filter(isJsonObject) : [];
  const either = [schema.oneOf, schema.anyOf].map(inParts).filter(({ length }) => length > 0);
  const own = find(schema);
  const all = [
    ...(isJsonObject(own) ? [own] : []),
    ...inParts(schema.allOf),
    ...either.map((anyOf): JsonObject => (anyOf.length > 1 ? { anyOf } : (anyOf[0] ?? {}))),
  ];
  return all.length > 1 ? { allOf: all } : all[0];
};

/** Whether a schema requires a member. If it has a `oneOf` or `anyOf`, every alternative must require the member. */
const requires = (document: OpenApiDocument, given: unknown, name: string): boolean => {
  const { required, allOf, oneOf, anyOf, $ref } = follow(document, given);
  const inPart = (part: unknown): boolean => requires(document, part, name);
  return (
    (typeof $ref === 'string' && inPart({ $ref })) ||
    (Array.isArray(required) && required.includes(name)) ||
    (Array.isArray(allOf) && allOf.some(inPart)) ||
    [oneOf, anyOf].some((parts) => Array.isArray(parts) && parts.length > 0 && parts.every(inPart))
  );
};

/** Creates each value on first use, then caches it. */
export const lazily = <Key, Value>(make: (key: Key) => Value): ((key: Key) => Value) => {
  const kept = new Map<Key, Value>();
  return (key) => {
    const known = kept.get(key);
    if (known !== undefined || kept.has(key)) return known as Value; // the cast is safe: `kept` has the key
    const made = make(key);
    kept.set(key, made);
    return made;
  };
};
