/** The parts of the contract that express-openapi-validator needs to check one operation. */
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
 * A document with one operation and the components that it refers to, since the validator compiles the whole document.
 * It is a copy, which the validator may change, without descriptions and examples. HEAD gets the same checks as GET
 * (behaviour T6).
 */
export const toCheckedDocument = (
  document: OpenApiDocument,
  { path, method, parameters, definition }: ContractOperation<string>,
): OpenApiDocument => {
  const responses = distinctResponses(document, definition.responses);
  const checked = { ...definition, parameters: parameters.map(withReserved), responses };
  const own = strip(checked as unknown as Json); // documents are plain data, read from YAML
  const slice = {
    openapi: document.openapi,
    info: { ...document.info },
    paths: { [path]: { [method]: own, ...(method === 'get' && { head: own }) } },
    components: componentsOf(document, own),
  };
  return slice as unknown as OpenApiDocument;
};

/** All components that a part of a document needs, directly or through other components. */
const componentsOf = (document: OpenApiDocument, part: Json): object => {
  const components: Record<string, Record<string, Json>> = {};
  const add = (value: Json): void => {
    for (const [, reference = ''] of JSON.stringify(value).matchAll(/"\$ref":"([^"]+)"/g)) {
      const [section = '', name = ''] = reference.split('/').slice(2);
      components[section] ??= {};
      const kept = components[section];
      if (name in kept) continue;
      kept[name] = strip(document.components[section]?.[name] ?? {});
      add(kept[name]);
    }
  };
  add(part);
  return components;
};

/** Allows any character in a query value (behaviour T7). */
const withReserved = (parameter: ParameterObject): object =>
  parameter.in === 'query' ? { ...parameter, allowReserved: true } : parameter;

/**
 * The responses whose content differs from `default`; `default` checks the others. So a schema that a dozen error
 * statuses share is compiled once.
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

const UNCHECKED = new Set([
  'description',
  'summary',
  'example',
  'examples',
  'externalDocs',
  'links',
  'callbacks',
]);

/** Removes descriptions and examples, except members of `properties` that happen to have these names. */
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
