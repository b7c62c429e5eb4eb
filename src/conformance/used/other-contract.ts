/** Reads another version of the contract from a file or an address: OpenAPI 3.0 or 3.1, as YAML or JSON. */
import { parse } from 'yaml';
import {
  follow,
  HTTP_METHODS,
  isJsonObject,
  type JsonObject,
  lookUpReference,
  type OpenApiDocument,
} from '../../contract/document.ts';
import { type Contract, loadContract, toContract } from '../../contract/load.ts';
import { Unusable } from '../../core/errors.ts';
import { parseJson } from '../../core/object.ts';
import { whyUnreachable } from '../../core/unreachable.ts';
import { LARGEST, readText } from './used.ts';

/** Milliseconds. */
const LONGEST_WAIT = 30_000;
const NAME_IT = 'Use the file or the address of an OpenAPI document.';

/** Reads a contract from a file or an address. @throws Unusable if the source is not an OpenAPI document */
export const readContract = async (source: string): Promise<Contract<string>> => {
  const text = /^https?:\/\//i.test(source) ? await fetchText(source) : readText(source, NAME_IT);
  const document = parseText(source, text);
  if (!isJsonObject(document) || !isJsonObject(document.paths) || !/^3\.[01]\./.test(`${document.openapi}.`))
    throw new Unusable(`${source} is not an OpenAPI document of version 3.0 or 3.1.`);
  checkReferences(source, document, document);
  for (const schema of Object.values(Object(document.components).schemas ?? {}))
    requireFinite(source, document, schema);
  return toContract<string>(resolved(document, document.paths));
};

/** The document without references of path items, under the paths that clients call: a server's address can have one. */
const resolved = (document: JsonObject, paths: JsonObject): OpenApiDocument => {
  const known = new Set(loadContract().operations.map(({ path }) => formOf(path)));
  const items = Object.entries(paths).map(([path, given]) => {
    const item = follow(document, given);
    const operations = HTTP_METHODS.flatMap((method) => {
      if (item[method] === undefined) return [];
      const operation = follow(document, item[method]);
      const responses = isJsonObject(operation.responses) ? operation.responses : {};
      return [[method, { ...operation, responses, parameters: listIn(operation.parameters) }] as const];
    });
    const own = follow(document, item[operations[0]?.[0] ?? '']).servers;
    const servers = [own, item.servers, document.servers].find((each) => listIn(each).length > 0);
    const full = listIn(servers).map((server) => pathIn(Object(server)) + path);
    const address = full.find((one) => known.has(formOf(one))) ?? full[0] ?? path;
    return [address, { parameters: listIn(item.parameters), ...Object.fromEntries(operations) }] as const;
  });
  const { components = {} } = document;
  return { ...document, components, paths: Object.fromEntries(items) } as unknown as OpenApiDocument; // the cast is safe: what toContract reads was checked above
};

const listIn = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

const formOf = (path: string): string => path.replaceAll(/\{[^{}]*\}/g, '{}');

/** The path in the address of a server, without a slash at the end. */
const pathIn = ({ url, variables }: JsonObject): string => {
  const filled = String(url ?? '/').replaceAll(/\{([^{}]*)\}/g, (_, name: string) =>
    String(follow(undefined, Object(variables)[name]).default ?? ''),
  );
  return URL.canParse(filled, 'http://host')
    ? new URL(filled, 'http://host').pathname.replace(/\/+$/, '')
    : '';
};

const fetchText = async (url: string): Promise<string> => {
  const shown = URL.canParse(url) ? new URL(url).origin + new URL(url).pathname : 'The address'; // without a password
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(LONGEST_WAIT) });
    if (!response.ok)
      throw new Unusable(`${shown} returned ${response.status} instead of an OpenAPI document.`);
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response.body ?? []) {
      size += chunk.byteLength;
      if (size > LARGEST * 2 ** 20) throw new Unusable(`${shown} is larger than ${LARGEST} MiB. ${NAME_IT}`);
      chunks.push(chunk);
    }
    return new TextDecoder().decode(Buffer.concat(chunks));
  } catch (error) {
    if (error instanceof Unusable) throw error;
    const isLate = Object(error).name === 'TimeoutError';
    const { why, advice = '' } = isLate
      ? { why: `no whole answer within ${LONGEST_WAIT / 1000} s` }
      : whyUnreachable(error);
    throw new Unusable(`${shown} cannot be reached: ${why}. ${advice}`.trimEnd());
  }
};

const parseText = (source: string, text: string): unknown => {
  try {
    // The YAML parser takes seconds for a large document, so try JSON first.
    return parseJson(text) ?? parse(text, { schema: 'core', logLevel: 'error' });
  } catch {
    throw new Unusable(`${source} is neither YAML nor JSON.`);
  }
};

const checkReferences = (source: string, document: unknown, value: unknown, depth = 0): void => {
  if (typeof value !== 'object' || value === null) return;
  if (depth > DEEPEST) throw new Unusable(`${source} is nested deeper than ${DEEPEST} levels.`);
  for (const [name, member] of Object.entries(value)) {
    if (name !== '$ref' || typeof member !== 'string') checkReferences(source, document, member, depth + 1);
    else if (!member.startsWith('#/'))
      throw new Unusable(`${source} refers to another file, ${member}. Bundle both files into one first.`);
    else if (lookUpReference(document, member) === undefined)
      throw new Unusable(`${source} refers to ${member}, but does not contain it.`);
  }
};

const DEEPEST = 200;

/** A schema may contain itself as a member, but not be composed of itself. */
const requireFinite = (
  source: string,
  document: unknown,
  schema: unknown,
  around: readonly unknown[] = [],
): void => {
  if (!isJsonObject(schema)) return;
  if (around.includes(schema)) throw new Unusable(`${source} has a schema that is composed of itself.`);
  const { $ref, allOf, oneOf, anyOf } = schema;
  const parts = [allOf, oneOf, anyOf].flatMap(listIn);
  const target = typeof $ref === 'string' ? [lookUpReference(document, $ref)] : [];
  for (const part of [...parts, ...target]) requireFinite(source, document, part, [...around, schema]);
};
