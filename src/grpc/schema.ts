/** What the contract's schemas say of the members that messages are held against. */
import { isJsonObject, type JsonObject, lookUpReference } from '../openapi/document.ts';

/** A schema with the document that its references lead into. */
export interface Place {
  readonly document: unknown;
  readonly schema: JsonObject;
}

/** A schema, and every one that it is composed of, with references followed. */
const partsOf = ({ document, schema }: Place): readonly JsonObject[] => {
  const { $ref } = schema;
  const target = typeof $ref === 'string' ? lookUpReference(document, $ref) : undefined;
  const composed = [schema.allOf, schema.anyOf, schema.oneOf].flat().filter(isJsonObject);
  const further = isJsonObject(target) ? [target, ...composed] : composed;
  return [schema, ...further.flatMap((part) => partsOf({ document, schema: part }))];
};

export const membersOf = (place: Place): ReadonlyMap<string, Place> =>
  new Map(
    partsOf(place)
      .flatMap(({ properties }) => Object.entries(isJsonObject(properties) ? properties : {}))
      .flatMap(([name, schema]) =>
        isJsonObject(schema) ? [[name, { document: place.document, schema }] as const] : [],
      ),
  );

/** Of a list that of its items; of anything else itself. */
export const itemOf = (place: Place): Place => {
  const items = partsOf(place).flatMap((part) => (isJsonObject(part.items) ? [part.items] : []))[0];
  return items ? { document: place.document, schema: items } : place;
};

/** The values that there are; undefined where any text is taken. */
export const valuesOf = (place: Place): readonly string[] | undefined => {
  const values = partsOf(place).flatMap((part) => (Array.isArray(part.enum) ? part.enum.map(String) : []));
  return values.length > 0 ? values : undefined;
};

export const isNumber = (place: Place): boolean =>
  partsOf(place).some(({ type }) => [type].flat().some((one) => one === 'integer' || one === 'number'));
