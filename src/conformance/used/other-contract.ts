/** Reads another version of the contract from a file or an address: OpenAPI 3.0 or 3.1, as YAML or JSON. */
import { parse } from 'yaml';
import { isJsonObject, lookUpReference, type OpenApiDocument } from '../../contract/document.ts';
import { type Contract, toContract } from '../../contract/load.ts';
import { Unusable } from '../../core/errors.ts';
import { parseJson } from '../../core/object.ts';
import { readText } from './used.ts';

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
  return toContract<string>(document as unknown as OpenApiDocument); // the cast is safe: `paths` is an object, and the code that reads other members accepts any value
};

const fetchText = async (url: string): Promise<string> => {
  const response = await fetch(url, { signal: AbortSignal.timeout(LONGEST_WAIT) }).catch((error: unknown) => {
    const { message, cause } = error as Error & { cause?: { code?: string } }; // the cast is safe: `fetch` throws errors, and their `cause` can have a `code`
    throw new Unusable(`${url} cannot be reached: ${cause?.code ?? message}.`);
  });
  if (!response.ok) throw new Unusable(`${url} returned ${response.status} instead of an OpenAPI document.`);
  return response.text();
};

const parseText = (source: string, text: string): unknown => {
  try {
    // The YAML parser takes seconds for a large document, so try JSON first.
    return parseJson(text) ?? parse(text, { schema: 'core', logLevel: 'error' });
  } catch {
    throw new Unusable(`${source} is neither YAML nor JSON.`);
  }
};

const checkReferences = (source: string, document: unknown, value: unknown): void => {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (name !== '$ref' || typeof member !== 'string') checkReferences(source, document, member);
    else if (!member.startsWith('#/'))
      throw new Unusable(`${source} refers to another file, ${member}. Bundle both files into one first.`);
    else if (lookUpReference(document, member) === undefined)
      throw new Unusable(`${source} refers to ${member}, but does not contain it.`);
  }
};
