/** Holds calls against the control plane's document. What an operation needs is compiled when it is first called. */
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { parseTimestamp } from '../core/clock.ts';
import { isSecondsLong, parseDuration } from '../core/duration.ts';
import { isJsonObject, type OpenApiDocument } from '../openapi/document.ts';
import type { ControlOperation } from './document.ts';
import { ControlError } from './errors.ts';
import { describeProblems } from './problems.ts';

/** Path, query and body as they were sent. */
export interface RawInput {
  /** In path and query numbers are still text when they come from a request line. */
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** Undefined if there was none. */
  readonly body: unknown;
}

/** The input with its numbers as numbers, and `{}` for a body that may be left out. @throws ControlError 400 with everything that is wrong */
export type Check = (operation: ControlOperation, input: RawInput) => RawInput;

export const createCheck = (document: OpenApiDocument): Check => {
  const compile = createCompiler(document);
  const compiled = new Map<ControlOperation, ValidateFunction>();
  return (operation, { path, query, body }) => {
    const validate = compiled.get(operation) ?? compile(operation);
    compiled.set(operation, validate);
    const input = {
      path: withNumbers(operation, 'path', path),
      query: withNumbers(operation, 'query', query),
      body: body === undefined ? {} : body,
    };
    if (!validate(input)) throw refusal(operation, validate.errors ?? []);
    if (body === undefined && needsBody(operation)) throw bodyless(operation);
    return input;
  };
};

/** Texts that are numbers in the document, and are written as such: `1e1` and `0x5` stay texts, and are refused. */
const withNumbers = (
  { parameters }: ControlOperation,
  place: string,
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> => {
  const read = { ...values };
  for (const { name, in: stands, schema } of parameters) {
    const value = read[name];
    if (stands !== place || typeof value !== 'string' || !isJsonObject(schema)) continue;
    if (NUMBERS.has(String(schema.type)) && /^-?\d+(?:\.\d+)?$/.test(value)) read[name] = Number(value);
  }
  return read;
};

const NUMBERS = new Set(['integer', 'number']);

/** Whether nothing at all means less than `{}`: no body may be a slip, and `{}` would replace a whole state. */
const needsBody = ({ requestBody }: ControlOperation): boolean =>
  isJsonObject(requestBody) && requestBody.required === true;

const bodyless = (operation: ControlOperation): ControlError =>
  new ControlError('INVALID_ARGUMENT', 'The body is missing.', hereIs(operation));

const hereIs = ({ method, path }: ControlOperation): string =>
  `${method} ${path} in /_mock/openapi.json says what can be sent.`;

const refusal = (operation: ControlOperation, errors: readonly ErrorObject[]): ControlError => {
  const { message, hint } = describeProblems(errors);
  return new ControlError('INVALID_ARGUMENT', message, hint ?? hereIs(operation));
};

type Compile = (operation: ControlOperation) => ValidateFunction;

const createCompiler = (document: OpenApiDocument): Compile => {
  // References are made absolute, so that any part of the document can be compiled on its own.
  const text = JSON.stringify(document).replaceAll('"$ref":"#/', '"$ref":"control#/');
  const ajv = createAjv(JSON.parse(text));
  return (operation) => ajv.compile(absolute(inputSchema(operation)));
};

const absolute = (schema: object): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"control#/'));

const createAjv = (document: object): Ajv => {
  const ajv = new Ajv({
    allErrors: true,
    verbose: true,
    strict: false,
    // A number too large to hold is read as Infinity, which is no number of JSON.
    strictNumbers: true,
    validateSchema: false,
    meta: false,
    logger: false,
  });
  ajv.addFormat('date-time', (value) => parseTimestamp(value) !== undefined);
  ajv.addFormat('duration-or-short', (value) => parseDuration(value) !== undefined);
  ajv.addFormat('duration-of-a-second', isSecondsLong);
  ajv.addFormat('uri', fullFormats.uri);
  return ajv.addSchema(document, 'control');
};

const inputSchema = (operation: ControlOperation): object => {
  const within = (place: string) => {
    const own = operation.parameters.filter((parameter) => parameter.in === place);
    return {
      type: 'object',
      additionalProperties: false,
      required: own.filter(({ required }) => required).map(({ name }) => name),
      properties: Object.fromEntries(own.map(({ name, schema = {} }) => [name, schema])),
    };
  };
  return {
    type: 'object',
    properties: { path: within('path'), query: within('query'), body: bodySchema(operation) },
  };
};

/** An operation without a body takes `{}`, which is what no body reads as. */
const bodySchema = ({ requestBody }: ControlOperation): unknown => {
  if (!isJsonObject(requestBody)) return { type: 'object', additionalProperties: false };
  const { content } = requestBody;
  const media = isJsonObject(content) ? content['application/json'] : undefined;
  return isJsonObject(media) ? media.schema : {};
};
