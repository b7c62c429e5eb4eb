/** What of a contract is checked, as express-openapi-validator wants it. */
import {
  HTTP_METHODS,
  isJsonObject,
  type Json,
  type JsonObject,
  lookUpReference,
  type OpenApiDocument,
  type OperationObject,
  type ParameterObject,
  type PathItem,
} from './document.ts';
import { parametersOf } from './load.ts';

/**
 * A copy, so that a library may write into it. Descriptions and examples are left out: they check nothing.
 * What GET has, HEAD has too (behaviour T6).
 */
export const toCheckedDocument = (document: OpenApiDocument): OpenApiDocument => {
  const { openapi, info, components } = document;
  const paths = Object.entries(document.paths).map(([path, item]) => [path, checkedItem(document, item)]);
  // Plain data, as it was read from YAML; the interfaces only name what of it we read.
  const checked = {
    openapi,
    info: { ...info },
    paths: Object.fromEntries(paths),
    components: strip(components),
  };
  return checked as unknown as OpenApiDocument;
};

const checkedItem = (document: OpenApiDocument, item: PathItem): object => {
  const own = HTTP_METHODS.flatMap((method) => {
    const definition = item[method];
    if (!definition) return [];
    const parameters = parametersOf(document, item, definition).map(withReserved);
    const responses = distinctResponses(document, definition.responses);
    return [[method, strip({ ...definition, parameters, responses } as unknown as Json)]];
  });
  const operations = Object.fromEntries(own);
  return { ...operations, ...(operations.get && { head: operations.get }) };
};

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
