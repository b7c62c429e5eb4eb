/** The one walk over schemas: what a schema names, with its references followed and its parts put together. */
import { isJsonObject, type JsonObject, lookUpReference, type OpenApiDocument } from './document.ts';

/** What a schema says about a value's members and items. */
export interface Members {
  /** The schema and the parts that it is put together from, their references followed. */
  readonly forms: readonly JsonObject[];
  /** The JSON type, where there is one. */
  readonly type: unknown;
  /** A text that may be empty: the contract says `minLength: 0`. */
  readonly mayBeEmpty: boolean;
  /** By name, from every alternative (`oneOf`, `anyOf`) too. */
  readonly properties: ReadonlyMap<string, JsonObject>;
  /** Whether the schema allows any other members too, as `metadata` does. */
  readonly isOpen: boolean;
  readonly items: JsonObject | undefined;
}

const described = new WeakMap<JsonObject, Members>();

/** @param schema of `document`; each is looked at once */
export const membersOf = (document: OpenApiDocument, schema: JsonObject): Members => {
  const known = described.get(schema);
  if (known) return known;
  const members = describe(document, schema);
  described.set(schema, members);
  return members;
};

const describe = (document: OpenApiDocument, schema: JsonObject): Members => {
  if (typeof schema.$ref === 'string') {
    const target = lookUpReference(document, schema.$ref);
    return isJsonObject(target) ? membersOf(document, target) : ANYTHING;
  }
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

const ANYTHING: Members = {
  forms: [],
  type: undefined,
  mayBeEmpty: true,
  properties: new Map(),
  isOpen: true,
  items: undefined,
};

/** What an operation takes as its body. */
export interface BodyDescription {
  /** The media type. */
  readonly kind: string;
  readonly schema: JsonObject;
  readonly isRequired: boolean;
}

/** The schema of a request body, and the media type that it is sent in; undefined for an operation without one. */
export const bodyOf = (
  document: OpenApiDocument,
  { requestBody }: { readonly requestBody?: JsonObject },
): BodyDescription | undefined => {
  const body =
    typeof requestBody?.$ref === 'string' ? lookUpReference(document, requestBody.$ref) : requestBody;
  const content = isJsonObject(body) && isJsonObject(body.content) ? Object.entries(body.content) : [];
  for (const [kind, media] of content)
    if (isJsonObject(media) && isJsonObject(media.schema))
      return { kind, schema: media.schema, isRequired: isJsonObject(body) && body.required === true };
  return undefined;
};
