/** Finds one member in a schema, and lists its types, members and values. Handles OpenAPI 3.0 and 3.1. */
import { follow, isJsonObject, type JsonObject, type OpenApiDocument } from '../../contract/document.ts';
import type { Contract, ContractOperation } from '../../contract/load.ts';
import { bodyOf, membersOf } from '../../contract/members.ts';

export interface Place {
  readonly document: OpenApiDocument;
  readonly schema: JsonObject;
  /** Whether the member with this schema is always present. */
  readonly isRequired: boolean;
}

/** The schema of the data in a call: the query parameters and the members of the body. */
export const sentPlace = ({ document }: Contract<string>, operation: ContractOperation<string>): Place => {
  const query = operation.parameters.filter((one) => one.in === 'query');
  const parameters = {
    properties: Object.fromEntries(query.map(({ name, schema = {} }) => [name, schema])),
    required: query.filter(({ required }) => required).map(({ name }) => name),
  };
  const body = bodyOf(document, operation.definition)?.schema ?? {};
  return { document, schema: { allOf: [parameters, body] }, isRequired: true };
};

/** The schema of a reply's JSON. Undefined if the contract describes no JSON for this reply. */
export const replyPlace = (
  { document }: Contract<string>,
  { definition: { responses } }: ContractOperation<string>,
  status: string,
): Place | undefined => {
  const given = responses[status] ?? responses[`${status[0]}XX`] ?? responses.default;
  const { content } = follow(document, given);
  const media = Object.entries(isJsonObject(content) ? content : {}).find(([kind]) =>
    /json|\*\/\*/.test(kind),
  )?.[1];
  const schema = isJsonObject(media) && isJsonObject(media.schema) ? media.schema : undefined;
  return schema && { document, schema, isRequired: true };
};

/** In a path, the step from a list to an item of the list. */
export const ITEMS = '[]';

/** The steps of a path: member names, and `[]` for an item of a list. */
export const stepsOf = (path: string): readonly string[] =>
  path.split(/\.|(?=\[\])/).filter((step) => step !== '');

/** The member at a path such as `connections[].key_id`. Undefined if the schema does not have this member. */
export const placeAt = (start: Place, path: string): Place | undefined =>
  stepsOf(path).reduce<Place | undefined>((place, step) => place && membersAt(place).get(step), start);

/** For an object, the schema of each member, by name. For a list, the schema of the items, with the name `[]`. */
export const membersAt = ({ document, schema, isRequired }: Place): ReadonlyMap<string, Place> => {
  const { items, properties } = membersOf(document, schema);
  const members = new Map<string, Place>();
  if (items) members.set(ITEMS, { document, schema: items, isRequired });
  for (const [name, member] of properties)
    members.set(name, {
      document,
      schema: member,
      isRequired: isRequired && requires(document, schema, name),
    });
  return members;
};

/** Whether a schema requires a member. If it has a `oneOf` or `anyOf`, every alternative must require the member. */
const requires = (document: OpenApiDocument, given: unknown, name: string): boolean => {
  const { required, allOf, oneOf, anyOf } = follow(document, given);
  const inPart = (part: unknown): boolean => requires(document, part, name);
  return (
    (Array.isArray(required) && required.includes(name)) ||
    (Array.isArray(allOf) && allOf.some(inPart)) ||
    [oneOf, anyOf].some((parts) => Array.isArray(parts) && parts.length > 0 && parts.every(inPart))
  );
};

/** The schema itself, and all schemas in its `allOf`, `oneOf` and `anyOf`. */
const formsOf = ({ document, schema }: Place): readonly JsonObject[] => membersOf(document, schema).forms;

/** The JSON types that a value may have, without null. Empty if the value may have any type. */
export const typesOf = (place: Place): readonly string[] => {
  const types = formsOf(place).flatMap(({ type }) => [type ?? []].flat().map(String));
  return [...new Set(types)].filter((type) => type !== 'null');
};

export const isNullable = (place: Place): boolean =>
  formsOf(place).some(({ nullable, type }) => nullable === true || [type].flat().includes('null'));

/** The values that the schema's `enum` allows. Undefined if there is no `enum`. */
export const valuesOf = (place: Place): readonly unknown[] | undefined => {
  const lists = formsOf(place).flatMap((form) => (Array.isArray(form.enum) ? [form.enum] : []));
  return lists.length > 0 ? lists.flat() : undefined;
};

/** Whether a value of this type is allowed. An empty list of types allows every type. */
export const accepts = (types: readonly string[], type: string): boolean =>
  types.length === 0 || types.includes(type) || (type === 'integer' && types.includes('number'));
