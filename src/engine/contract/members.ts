/** Walks schemas, whose references are resolved. A place is a query, a body, or a member at any depth in one of them. */
import { isJsonObject, type JsonObject, keep, valueAt } from '../core/object.ts';

/** What the contract says of a place. The places inside are made on first use. */
export class Place {
  /** The path of the member, such as `roles[].name`; "" for the whole body or query. */
  readonly path: string;
  /** Whether the object around the member must have it. */
  readonly isRequired: boolean;
  /** The schemas of the place, and all schemas in their `allOf`, `anyOf` and `oneOf`. */
  readonly forms: readonly JsonObject[];
  /** The JSON type, if the contract states one. */
  readonly type: unknown;
  /** The values that the contract lists (`enum`); empty if it lists none. */
  readonly values: ReadonlySet<unknown>;
  /** Whether the contract explicitly allows an empty string, by `minLength: 0`. */
  readonly mayBeEmpty: boolean;
  /** Whether an object can also have members that the contract does not name, as `metadata` can. */
  readonly isOpen: boolean;
  readonly #schemas: readonly unknown[];

  /** @param schemas if there are several, the value at the place may follow any of them */
  constructor(schemas: readonly unknown[], path = '', isRequired = true) {
    this.#schemas = schemas;
    this.path = path;
    this.isRequired = isRequired;
    this.forms = [...new Set(schemas.flatMap(formsOf))];
    this.type = this.forms.find(({ type }) => type !== undefined)?.type;
    this.values = new Set(this.forms.flatMap((form) => (Array.isArray(form.enum) ? form.enum : [])));
    this.mayBeEmpty = this.forms.some(({ minLength }) => minLength === 0);
    this.isOpen =
      this.forms.every(saysNothing) ||
      this.forms.some(({ additionalProperties = false }) => additionalProperties !== false);
  }

  /** The members that the contract names, in whichever alternative (`anyOf`, `oneOf`). */
  get members(): ReadonlyMap<string, Place> {
    const names = new Set(this.forms.flatMap(({ properties }) => Object.keys(Object(properties))));
    const members = new Map<string, Place>();
    for (const name of names) {
      const isRequired = this.#schemas.some((schema) => requires(schema, name));
      const path = this.path === '' ? name : `${this.path}.${name}`;
      const member = this.#inside(({ properties }) => valueAt(properties, name), path, isRequired);
      if (member) members.set(name, member);
    }
    return keep(this, 'members', members);
  }

  /** Each member that the contract does not name, if it says what those are. */
  get others(): Place | undefined {
    const others = this.#inside((form) => form.additionalProperties, this.path);
    return keep(this, 'others', others);
  }

  get items(): Place | undefined {
    const items = this.#inside((form) => form.items, this.path + ITEMS);
    return keep(this, 'items', items);
  }

  #inside(find: (form: JsonObject) => unknown, path: string, isRequired = true): Place | undefined {
    const found = this.forms.map(find).filter(isJsonObject);
    return found.length > 0 ? new Place(found, path, isRequired) : undefined;
  }
}

/** In a path, the step from a list to an item of the list. */
export const ITEMS = '[]';

const PARTS = ['allOf', 'anyOf', 'oneOf'] as const;

const formsOf = (schema: unknown): readonly JsonObject[] =>
  isJsonObject(schema)
    ? [schema, ...PARTS.flatMap((keyword) => [schema[keyword] ?? []].flat().flatMap(formsOf))]
    : [];

const saysNothing = (form: JsonObject): boolean =>
  !['type', 'properties', ...PARTS].some((keyword) => keyword in form);

/** Whether a schema requires a member. If it has a `oneOf` or `anyOf`, every alternative must require the member. */
const requires = (schema: unknown, name: string): boolean => {
  const { required = [], allOf = [], oneOf = [], anyOf = [] } = Object(schema);
  const inPart = (part: unknown): boolean => requires(part, name);
  return (
    required.includes(name) ||
    allOf.some(inPart) ||
    [oneOf, anyOf].some((parts) => parts.length > 0 && parts.every(inPart))
  );
};

/** The paths of all members inside a place. */
export const pathsIn = ({ members, items }: Place): string[] => [
  ...(items ? pathsIn(items) : []),
  ...Array.from(members.values()).flatMap((member) => [member.path, ...pathsIn(member)]),
];

/** The schema and media type of a request body or response; undefined if it has no body. */
export const mediaOf = (described: JsonObject | undefined) => {
  for (const [kind, media] of Object.entries(Object(described?.content)))
    if (isJsonObject(media) && isJsonObject(media.schema))
      return { kind, schema: media.schema, isRequired: described?.required === true };
  return undefined;
};
