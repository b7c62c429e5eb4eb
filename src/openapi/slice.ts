/** The share of some operations in the contract: a document of its own with nothing that they do not refer to. */
import { node } from '../core/node-globals.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  lookUpReference,
  type OpenApiDocument,
  type OperationObject,
  type ParameterObject,
} from './document.ts';
import type { ContractOperation } from './load.ts';

/**
 * A deep copy, so that a library may write into it. Descriptions and examples are left out: they check nothing.
 * What GET has, HEAD has too (behaviour T6).
 */
export const sliceDocument = (
  document: OpenApiDocument,
  operations: readonly ContractOperation<string>[],
): OpenApiDocument => {
  const paths: Record<string, JsonObject> = {};
  for (const operation of operations) {
    const { path, method } = operation;
    const own = checkedPart(document, operation);
    paths[path] = { ...paths[path], [method]: own, ...(method === 'get' && { head: own }) };
  }
  const components = collectComponents(document, paths);
  const { openapi, info } = document;
  return node.structuredClone({ openapi, info, paths, components }) as unknown as OpenApiDocument;
};

const checkedPart = (
  document: OpenApiDocument,
  { definition, parameters }: ContractOperation<string>,
): JsonObject =>
  // Plain data, as it was read from YAML; the interfaces only name what of it we read.
  strip({
    ...definition,
    parameters: parameters.map(withReserved),
    responses: distinctResponses(document, definition.responses),
  } as unknown as Json) as JsonObject;

/** Behaviour T7: a query value may hold any character as it is. */
const withReserved = (parameter: ParameterObject): object =>
  parameter.in === 'query' ? { ...parameter, allowReserved: true } : parameter;

/**
 * The responses whose content is not that of `default`. Those left out fall back to it, so every status is still
 * checked, and a schema that a dozen error statuses share is compiled once.
 */
const distinctResponses = (
  document: OpenApiDocument,
  responses: OperationObject['responses'],
): JsonObject => {
  const usual = JSON.stringify(contentOf(document, responses.default));
  return Object.fromEntries(
    Object.entries(responses).filter(
      ([status, response]) => status === 'default' || JSON.stringify(contentOf(document, response)) !== usual,
    ),
  );
};

const contentOf = (document: OpenApiDocument, response: JsonObject | undefined): Json | undefined => {
  const target = typeof response?.$ref === 'string' ? lookUpReference(document, response.$ref) : response;
  return isJsonObject(target) && target.content !== undefined ? strip(target.content) : undefined;
};

type Components = Record<string, Record<string, Json>>;

/** Every component that a value refers to, directly or through others. */
const collectComponents = (document: OpenApiDocument, value: Json): Components => {
  const components: Components = { schemas: {} };
  const waiting = [...references(value)];
  for (let reference = waiting.pop(); reference !== undefined; reference = waiting.pop()) {
    const [, , section = '', name = ''] = reference.split('/');
    components[section] ??= {};
    const known = components[section];
    if (Object.hasOwn(known, name)) continue;
    const component = strip(lookUpReference(document, reference) as Json);
    known[name] = component;
    waiting.push(...references(component));
  }
  return components;
};

function* references(value: Json): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (name === '$ref' && typeof member === 'string') yield member;
    else yield* references(member);
  }
}

const UNCHECKED = new Set([
  'description',
  'summary',
  'example',
  'examples',
  'externalDocs',
  'links',
  'callbacks',
]);

/** A schema's `properties` may have members with these names; they are kept there. */
const strip = (value: Json, isNameMap = false): Json => {
  if (Array.isArray(value)) return value.map((item: Json) => strip(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => isNameMap || !(UNCHECKED.has(name) || name.startsWith('x-')))
      .map(([name, member]) => [name, strip(member, !isNameMap && NAME_MAPS.has(name))]),
  );
};

const NAME_MAPS = new Set(['properties', 'patternProperties', 'headers', 'responses', 'content']);
