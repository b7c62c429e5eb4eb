/** Strict mode (behaviour T2): members and parameters that the contract does not know are refused, by name. */

import { cut } from '../core/cut.ts';
import { type FieldViolation, MOST_VIOLATIONS } from '../core/errors.ts';
import { nearest } from '../core/nearest.ts';
import { isJsonObject, type JsonObject, lookUpReference, type OpenApiDocument } from '../openapi/document.ts';
import type { ContractOperation } from '../openapi/load.ts';

/** What strict mode finds in a query and a body. */
export type StrictCheck = (query: Readonly<Record<string, unknown>>, body: unknown) => FieldViolation[];

export const createStrictCheck = (document: OpenApiDocument, operation: ContractOperation): StrictCheck => {
  const parameters = operation.parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name }) => name);
  const schemas = bodySchemas(operation);
  const answered = answeredMembers(document, operation);
  return (query, body) => [
    ...unknownNames(Object.keys(query), parameters, '', 'query parameter'),
    ...schemas.flatMap((schema) => unknownMembers({ document, answered }, schema, body, '')),
  ];
};

/** What the walk through a body is held against, beside the schema at each place. */
interface Known {
  readonly document: OpenApiDocument;
  readonly answered: ReadonlySet<string>;
}

/** Names that the operation's own answers hold: a client may send back what it was given (behaviour A5, P2). */
const answeredMembers = (
  document: OpenApiDocument,
  { definition }: ContractOperation,
): ReadonlySet<string> => {
  const names = new Set<string>();
  const gather = (schema: unknown): void => {
    if (!isJsonObject(schema)) return;
    const { properties, items } = describe(document, schema);
    gather(items);
    for (const [name, member] of Object.entries(properties)) {
      if (names.has(name)) continue;
      names.add(name);
      gather(member);
    }
  };
  for (const status of ['200', '201']) mediaSchemas(definition.responses[status]?.content).forEach(gather);
  return names;
};

const bodySchemas = ({ definition }: ContractOperation): JsonObject[] =>
  mediaSchemas(definition.requestBody?.content);

const mediaSchemas = (content: unknown): JsonObject[] =>
  (isJsonObject(content) ? Object.values(content) : []).flatMap((type) =>
    isJsonObject(type) && isJsonObject(type.schema) ? [type.schema] : [],
  );

/** Walks body and schema side by side; what a schema leaves open (`additionalProperties`) may hold anything. */
const unknownMembers = (
  known: Known,
  schema: JsonObject,
  value: unknown,
  prefix: string,
): FieldViolation[] => {
  const { properties, isOpen, items } = describe(known.document, schema);
  if (Array.isArray(value)) {
    return items
      ? value.flatMap((item, index) => unknownMembers(known, items, item, `${prefix}[${index}]`))
      : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  const names = isOpen ? [] : Object.keys(value).filter((name) => !known.answered.has(name));
  const found = unknownNames(names, Object.keys(properties), prefix, 'member');
  return found.concat(
    Object.entries(value).flatMap(([name, member]) => {
      const inner = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return inner ? unknownMembers(known, inner, member, join(prefix, name)) : [];
    }),
  );
};

interface Description {
  readonly properties: Readonly<Record<string, JsonObject>>;
  /** Whether members beyond `properties` are part of the schema. */
  readonly isOpen: boolean;
  readonly items: JsonObject | undefined;
}

/** A schema with its references and `allOf` parts gathered; alternatives all count as known. */
const describe = (document: OpenApiDocument, schema: JsonObject): Description => {
  if (typeof schema.$ref === 'string') {
    const target = lookUpReference(document, schema.$ref);
    return isJsonObject(target) ? describe(document, target) : OPEN;
  }
  const parts = [schema.allOf, schema.anyOf, schema.oneOf]
    .flatMap((list) => (Array.isArray(list) ? list : []))
    .filter(isJsonObject)
    .map((part) => describe(document, part));
  const own = isJsonObject(schema.properties) ? (schema.properties as Record<string, JsonObject>) : {};
  const properties = Object.assign({}, ...parts.map((part) => part.properties), own);
  return {
    properties,
    isOpen: !('type' in schema || 'properties' in schema || parts.length > 0) || isFree(schema),
    items: isJsonObject(schema.items) ? schema.items : undefined,
  };
};

/** An object whose members are the caller's own, such as `api_config` and `metadata`. */
const isFree = ({ additionalProperties }: JsonObject): boolean =>
  additionalProperties !== undefined && additionalProperties !== false;

const OPEN: Description = { properties: {}, isOpen: true, items: undefined };

const unknownNames = (
  names: readonly string[],
  known: readonly string[],
  prefix: string,
  kind: string,
): FieldViolation[] =>
  names
    .filter((name) => !known.includes(name))
    .slice(0, MOST_VIOLATIONS + 1)
    .map((name) => {
      const close = nearest(name, known);
      const advice = close ? `Did you mean ${join(prefix, close)}?` : 'Leave it out.';
      const field = join(prefix, cut(name));
      return {
        field,
        constraint: 'unknown',
        description: `${field} is no ${kind} of this operation (strict mode). ${advice}`,
      };
    });

const join = (prefix: string, name: string): string => (prefix === '' ? name : `${prefix}.${name}`);
