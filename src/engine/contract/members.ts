/**
 * Walks schemas. A place is a query, a body, or a member at any depth in one of them; the surface of an operation is all
 * places of its calls and replies.
 */
import { valueAt } from '../core/object.ts';
import { dereference, isJsonObject, type JsonObject, type OpenApiDocument } from './document.ts';
import type { Contract } from './load.ts';

/** What the contract says of a place. What is inside is made on first use, since a schema can contain itself. */
export class Place {
  /** The path of the member, such as `roles[].name`; "" for the whole body or query. */
  readonly path: string;
  /** Whether the object around the member must have it. */
  readonly isRequired: boolean;
  /** The schemas of the place, and all schemas in their `allOf`, `anyOf` and `oneOf`. References are resolved. */
  readonly forms: readonly JsonObject[];
  /** The JSON type, if the contract states one. */
  readonly type: unknown;
  /** The values that the contract lists (`enum`); empty if it lists none. */
  readonly values: ReadonlySet<unknown>;
  /** Whether the contract explicitly allows an empty string, by `minLength: 0`. */
  readonly mayBeEmpty: boolean;
  /** Whether an object can also have members that the contract does not name, as `metadata` can. */
  readonly isOpen: boolean;
  readonly #document: OpenApiDocument;
  readonly #schemas: readonly unknown[];
  readonly #inner = lazily((keyword: 'items' | 'additionalProperties') =>
    this.#inside((form) => form[keyword], keyword === 'items' ? this.path + ITEMS : this.path),
  );
  #members: ReadonlyMap<string, Place> | undefined;

  /** @param schemas if there are several, the value at the place may follow any of them */
  constructor(document: OpenApiDocument, schemas: readonly unknown[], path = '', isRequired = true) {
    this.#document = document;
    this.#schemas = schemas;
    this.path = path;
    this.isRequired = isRequired;
    this.forms = [...new Set(schemas.flatMap((schema) => formsOf(document, schema)))];
    this.type = this.forms.find(({ type }) => type !== undefined)?.type;
    this.values = new Set(this.forms.flatMap((form) => (Array.isArray(form.enum) ? form.enum : [])));
    this.mayBeEmpty = this.forms.some(({ minLength }) => minLength === 0);
    this.isOpen =
      this.forms.every(saysNothing) ||
      this.forms.some(({ additionalProperties = false }) => additionalProperties !== false);
  }

  /** The members that the contract names, in whichever alternative (`anyOf`, `oneOf`). */
  get members(): ReadonlyMap<string, Place> {
    if (this.#members) return this.#members;
    const names = new Set(this.forms.flatMap(({ properties }) => Object.keys(Object(properties))));
    const members = new Map<string, Place>();
    for (const name of names) {
      const isRequired = this.#schemas.some((schema) => requires(this.#document, schema, name));
      const path = this.path === '' ? name : `${this.path}.${name}`;
      const member = this.#inside(({ properties }) => valueAt(properties, name), path, isRequired);
      if (member) members.set(name, member);
    }
    this.#members = members;
    return members;
  }

  /** Each member that the contract does not name, if it says what those are. */
  get others(): Place | undefined {
    return this.#inner('additionalProperties');
  }

  get items(): Place | undefined {
    return this.#inner('items');
  }

  #inside(find: (form: JsonObject) => unknown, path: string, isRequired = true): Place | undefined {
    const found = this.forms.map(find).filter(isJsonObject);
    return found.length > 0 ? new Place(this.#document, found, path, isRequired) : undefined;
  }
}

/** In a path, the step from a list to an item of the list. */
export const ITEMS = '[]';

const PARTS = ['allOf', 'anyOf', 'oneOf'] as const;

const formsOf = (document: OpenApiDocument, given: unknown): readonly JsonObject[] => {
  const schema = dereference(document, given);
  if (typeof schema.$ref === 'string') return formsOf(document, schema);
  const parts = PARTS.flatMap((keyword) => schema[keyword] ?? []);
  return [schema, ...parts.flatMap((part) => formsOf(document, part))];
};

const saysNothing = (form: JsonObject): boolean =>
  !['type', 'properties', ...PARTS].some((keyword) => keyword in form);

/** Whether a schema requires a member. If it has a `oneOf` or `anyOf`, every alternative must require the member. */
const requires = (document: OpenApiDocument, given: unknown, name: string): boolean => {
  const { required, allOf, oneOf, anyOf, $ref } = dereference(document, given);
  const inPart = (part: unknown): boolean => requires(document, part, name);
  return (
    (typeof $ref === 'string' && inPart({ $ref })) ||
    (Array.isArray(required) && required.includes(name)) ||
    (Array.isArray(allOf) && allOf.some(inPart)) ||
    [oneOf, anyOf].some((parts) => Array.isArray(parts) && parts.length > 0 && parts.every(inPart))
  );
};

/** The paths of all members inside a place. A schema that contains itself is not entered again. */
function* pathsIn({ forms, members, items }: Place, around: readonly unknown[] = []): Generator<string> {
  if (around.includes(forms[0])) return;
  const inside = [...around, forms[0]];
  if (items) yield* pathsIn(items, inside);
  for (const member of members.values()) {
    yield member.path;
    yield* pathsIn(member, inside);
  }
}

/** The schema and media type of a request body or response; undefined if it has no body. */
export const mediaOf = (document: OpenApiDocument, described: JsonObject | undefined) => {
  const { content, required } = dereference(document, described);
  for (const [kind, media] of Object.entries(isJsonObject(content) ? content : {}))
    if (isJsonObject(media) && isJsonObject(media.schema))
      return { kind, schema: media.schema, isRequired: required === true };
  return undefined;
};

/** What the contract describes of an operation. */
export class Surface {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  /** The statuses that the contract lists by number. */
  readonly statuses: readonly number[];
  /** The media type of the request body; undefined for an operation without one. */
  readonly kind: string | undefined;
  /** The parameters in the path, and those in the query. */
  readonly params: Place;
  readonly query: Place;
  readonly body: Place;
  /** The body of the reply with each status; created on first use. */
  readonly reply: (status: number) => Place;
  readonly #paths = lazily(() => [...pathsIn(this.body)]);

  constructor({ document, operation }: Contract, operationId: string) {
    const { method, path, definition, parameters } = operation(operationId);
    const { responses, requestBody } = definition;
    const at = (described: JsonObject | undefined): Place =>
      new Place(document, [mediaOf(document, described)?.schema]);
    const parametersIn = (where: string): Place => {
      const found = parameters.filter((one) => one.in === where);
      const properties = Object.fromEntries(found.map(({ name, schema = {} }) => [name, schema]));
      return new Place(document, [{ properties }]);
    };
    this.operationId = operationId;
    this.method = method.toUpperCase();
    this.path = path;
    this.statuses = Object.keys(responses).map(Number).filter(Number.isInteger);
    this.kind = mediaOf(document, requestBody)?.kind;
    this.params = parametersIn('path');
    this.query = parametersIn('query');
    this.body = at(requestBody);
    this.reply = lazily((status: number) => at(responses[status] ?? responses.default));
  }

  /** The paths of all members of the body, at any depth. */
  get members(): readonly string[] {
    return this.#paths('');
  }
}

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

/** The surfaces of a contract by operation; made on first use, and kept for all mocks of the process. */
export const surfacesOf = lazily((contract: Contract<string>) =>
  lazily((operationId: string) => new Surface(contract, operationId)),
);
