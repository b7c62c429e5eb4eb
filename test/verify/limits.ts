/** Every place of a request that the contract limits, and what a request held there. */

import {
  isJsonObject,
  type JsonObject,
  lookUpReference,
  type OpenApiDocument,
} from '../../src/openapi/document.ts';
import type { ContractOperation } from '../../src/openapi/load.ts';
import type { Exchange } from '../../src/verify/session.ts';

/** Something that can be measured, and the edge of what is allowed. */
export interface Limit {
  /** Such as `body.metadata.* length <= 256`. */
  readonly name: string;
  readonly place: readonly string[];
  readonly measure: (value: unknown) => unknown;
  readonly edge: unknown;
  /** Absent for a value of an enum, which has no beyond. */
  readonly past?: number;
}

/** All limits of what an operation takes. */
export const limitsOf = (document: OpenApiDocument, operation: ContractOperation): readonly Limit[] => {
  const parameters = operation.parameters.flatMap(({ in: where, name, schema }) =>
    isJsonObject(schema) ? [...limitsIn(document, schema, [where, name])] : [],
  );
  const content = operation.definition.requestBody?.content;
  const bodies = (isJsonObject(content) ? Object.values(content) : []).flatMap((media) =>
    isJsonObject(media) && isJsonObject(media.schema) ? [...limitsIn(document, media.schema, ['body'])] : [],
  );
  return [...parameters, ...bodies];
};

const characters = (value: unknown): unknown => (typeof value === 'string' ? [...value].length : undefined);
const count = (value: unknown): unknown =>
  Array.isArray(value) ? value.length : isJsonObject(value) ? Object.keys(value).length : undefined;
const number = (value: unknown): unknown => (value === '' ? undefined : Number(value));
const itself = (value: unknown): unknown => value;

const MEASURES = [
  ['minLength', characters, -1],
  ['maxLength', characters, 1],
  ['minimum', number, -1],
  ['maximum', number, 1],
  ['minItems', count, -1],
  ['maxItems', count, 1],
  ['maxProperties', count, 1],
] as const;

function* limitsIn(document: OpenApiDocument, given: JsonObject, place: readonly string[]): Generator<Limit> {
  const schema = follow(document, given);
  const where = place.join('.');
  for (const [keyword, measure, beyond] of MEASURES) {
    const edge = schema[keyword];
    if (typeof edge === 'number')
      yield { name: `${where} ${keyword} ${edge}`, place, measure, edge, past: edge + beyond };
  }
  if (typeof schema.pattern === 'string') yield* patternLimits(schema.pattern, where, place);
  for (const edge of valuesOf(schema))
    yield { name: `${where} = ${String(edge)}`, place, measure: itself, edge };
  yield* limitsInside(document, schema, place);
}

function* limitsInside(
  document: OpenApiDocument,
  schema: JsonObject,
  place: readonly string[],
): Generator<Limit> {
  const parts = Array.isArray(schema.allOf) ? schema.allOf.filter(isJsonObject) : [];
  for (const part of parts) yield* limitsIn(document, part, place);
  if (isJsonObject(schema.items)) yield* limitsIn(document, schema.items, [...place, '[]']);
  if (isJsonObject(schema.propertyNames)) yield* limitsIn(document, schema.propertyNames, [...place, 'KEYS']);
  if (isJsonObject(schema.additionalProperties))
    yield* limitsIn(document, schema.additionalProperties, [...place, 'VALUES']);
  for (const [name, member] of Object.entries(isJsonObject(schema.properties) ? schema.properties : {}))
    if (isJsonObject(member)) yield* limitsIn(document, member, [...place, name]);
}

/** The values of an enum; a parameter that is true or false has two. */
const valuesOf = ({ enum: values, type }: JsonObject): readonly unknown[] =>
  Array.isArray(values) ? values : type === 'boolean' ? [true, false] : [];

/** A pattern such as `^org_[a-z]{1,28}$` limits the length, counted with the prefix. */
function* patternLimits(pattern: string, where: string, place: readonly string[]): Generator<Limit> {
  const [, prefix = '', least, most] = /^\^(\w*)\[[^\]]+\]\{(\d+),(\d+)\}\$$/.exec(pattern) ?? [];
  if (least === undefined || most === undefined) return;
  for (const [word, edge, beyond] of [
    ['from', Number(least), -1],
    ['to', Number(most), 1],
  ] as const) {
    const length = prefix.length + edge;
    yield {
      name: `${where} ${word} ${length} characters`,
      place,
      measure: characters,
      edge: length,
      past: length + beyond,
    };
  }
}

const follow = (document: OpenApiDocument, schema: JsonObject): JsonObject => {
  if (typeof schema.$ref !== 'string') return schema;
  const target = lookUpReference(document, schema.$ref);
  return isJsonObject(target) ? follow(document, target) : {};
};

/** What a request held at a place. */
export const valuesAt = ({ call }: Exchange, place: readonly string[]): readonly unknown[] => {
  const query = Object.fromEntries(Object.entries(call.query ?? {}));
  const holder = { path: call.path ?? {}, query, body: call.body ?? call.form };
  return place.reduce<readonly unknown[]>(
    (held, name) => held.flatMap((value) => step(value, name)),
    [holder],
  );
};

const step = (value: unknown, name: string): readonly unknown[] => {
  if (name === '[]') return [value].flat();
  if (!isJsonObject(value)) return [];
  if (name === 'KEYS') return Object.keys(value);
  if (name === 'VALUES') return Object.values(value);
  return Object.hasOwn(value, name) ? [value[name]] : [];
};
