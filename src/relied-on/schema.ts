/** Finds one member in a schema, and lists its types, members and values. Handles OpenAPI 3.0 and 3.1. */
import { isJsonObject, type JsonObject, lookUpReference, type OpenApiDocument } from '../openapi/document.ts';
import type { Contract, ContractOperation } from '../openapi/load.ts';
import { membersOf } from '../openapi/members.ts';

export interface Place {
  readonly document: OpenApiDocument;
  readonly schema: JsonObject;
  /** Whether a value always has this member. */
  readonly isRequired: boolean;
}

/** The schema of a reply's JSON. Undefined if the contract does not describe one. */
export const replyPlace = (
  { document }: Contract<string>,
  { definition: { responses } }: ContractOperation<string>,
  status: string,
): Place | undefined => {
  const given = responses[status] ?? responses[`${status[0]}XX`] ?? responses.default;
  const response = given && follow(document, given);
  const content = isJsonObject(response?.content) ? Object.entries(response.content) : [];
  const media = content.find(([kind]) => /json|\*\/\*/.test(kind))?.[1];
  const schema = isJsonObject(media) && isJsonObject(media.schema) ? media.schema : undefined;
  return schema && { document, schema, isRequired: true };
};

/** The steps of a path: member names, and `[]` for an item of a list. */
export const stepsOf = (path: string): readonly string[] =>
  path.split(/\.|(?=\[\])/).filter((step) => step !== '');

/** @param path such as `connections[].key_id` @returns undefined if the schema does not have this member */
export const placeAt = (start: Place, path: string): Place | undefined =>
  stepsOf(path).reduce<Place | undefined>((place, step) => place && stepInto(place, step), start);

const stepInto = ({ document, schema, isRequired }: Place, step: string): Place | undefined => {
  const { items, properties } = membersOf(document, schema);
  if (step === '[]') return items && { document, schema: items, isRequired };
  const member = properties.get(step);
  return member && { document, schema: member, isRequired: isRequired && requires(document, schema, step) };
};

/** Whether a schema requires a member. With alternatives (`oneOf`, `anyOf`), all of them must require it. */
const requires = (document: OpenApiDocument, given: unknown, name: string): boolean => {
  const schema = follow(document, given);
  const { required, allOf, oneOf, anyOf } = schema;
  const inPart = (part: unknown): boolean => requires(document, part, name);
  return (
    (Array.isArray(required) && required.includes(name)) ||
    (Array.isArray(allOf) && allOf.some(inPart)) ||
    [oneOf, anyOf].some((parts) => Array.isArray(parts) && parts.length > 0 && parts.every(inPart))
  );
};

/** An object of the document, or the object that it refers to. */
export const follow = (document: OpenApiDocument, given: unknown): JsonObject => {
  const target =
    isJsonObject(given) && typeof given.$ref === 'string' ? lookUpReference(document, given.$ref) : given;
  return isJsonObject(target) ? target : {};
};

/** The members that a schema names at its top level. */
export const memberNames = ({ document, schema }: Place): readonly string[] => [
  ...membersOf(document, schema).properties.keys(),
];

export const requiredNames = (place: Place): readonly string[] =>
  memberNames(place).filter((name) => requires(place.document, place.schema, name));

export const itemsOf = (place: Place): Place | undefined => stepInto(place, '[]');

/** The JSON types that a value may have, without null. Empty if the value may have any type. */
export const typesOf = ({ document, schema }: Place): readonly string[] => {
  const { forms } = membersOf(document, schema);
  const types = forms.flatMap(({ type }) => (Array.isArray(type) ? type : [type ?? []].flat())).map(String);
  return [...new Set(types)].filter((type) => type !== 'null');
};

export const isNullable = ({ document, schema }: Place): boolean =>
  membersOf(document, schema).forms.some(
    ({ nullable, type }) => nullable === true || (Array.isArray(type) && type.includes('null')),
  );

/** The values that the schema lists. Undefined if it allows any value. */
export const valuesOf = ({ document, schema }: Place): readonly unknown[] | undefined => {
  const lists = membersOf(document, schema).forms.flatMap((form) =>
    Array.isArray(form.enum) ? [form.enum] : [],
  );
  return lists.length > 0 ? lists.flat() : undefined;
};

/** Whether a value of this type is allowed. An empty list of types allows every type. */
export const accepts = (types: readonly string[], type: string): boolean =>
  types.length === 0 || types.includes(type) || (type === 'integer' && types.includes('number'));
