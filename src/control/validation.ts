/** Holds calls against the control plane's document. What an operation needs is compiled when it is first called. */
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { isJsonObject, type OpenApiDocument } from '../contract/document.ts';
import { parseTimestamp } from '../core/clock.ts';
import { parseDuration } from '../core/duration.ts';
import type { ControlOperation } from './document.ts';
import { ControlError } from './errors.ts';
import { describeProblems } from './problems.ts';

/** Path, query and body as they were sent. */
export interface RawInput {
  readonly path: Readonly<Record<string, string>>;
  /** Numbers are still text; checking turns them into numbers. */
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** @throws ControlError 400 with everything that is wrong */
export type Check = (operation: ControlOperation, input: RawInput) => void;

export const createCheck = (document: OpenApiDocument): Check => {
  const compile = createCompiler(document);
  const compiled = new Map<ControlOperation, readonly ValidateFunction[]>();
  return (operation, { path, query, body }) => {
    const validators = compiled.get(operation) ?? compile(operation);
    compiled.set(operation, validators);
    const errors: ErrorObject[] = [];
    for (const [index, value] of [{ path, query }, { body }].entries()) {
      const validate = validators[index];
      if (validate && !validate(value)) errors.push(...(validate.errors ?? []));
    }
    if (errors.length > 0) throw refusal(operation, errors);
  };
};

const refusal = (operation: ControlOperation, errors: readonly ErrorObject[]): ControlError => {
  const { message, hint } = describeProblems(errors);
  const here = `${operation.method} ${operation.path} in /_mock/openapi.json says what can be sent.`;
  return new ControlError('INVALID_ARGUMENT', message, hint ?? here);
};

type Compile = (operation: ControlOperation) => readonly ValidateFunction[];

const createCompiler = (document: OpenApiDocument): Compile => {
  // References are made absolute, so that any part of the document can be compiled on its own.
  const text = JSON.stringify(document).replaceAll('"$ref":"#/', '"$ref":"control#/');
  const parameters = createAjv(JSON.parse(text), true);
  const bodies = createAjv(JSON.parse(text), false);
  return (operation) => [
    parameters.compile(absolute(parameterSchema(operation))),
    bodies.compile(absolute({ type: 'object', properties: { body: bodySchema(operation) } })),
  ];
};

const absolute = (schema: object): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"control#/'));

const createAjv = (document: object, coerceTypes: boolean): Ajv => {
  const ajv = new Ajv({
    allErrors: true,
    verbose: true,
    strict: false,
    validateSchema: false,
    meta: false,
    logger: false,
    coerceTypes,
  });
  ajv.addFormat('date-time', (value) => parseTimestamp(value) !== undefined);
  ajv.addFormat('duration-or-short', (value) => parseDuration(value) !== undefined);
  ajv.addFormat('uri', fullFormats.uri);
  return ajv.addSchema(document, 'control');
};

const parameterSchema = ({ parameters }: ControlOperation): object => {
  const within = (place: string) => {
    const own = parameters.filter((parameter) => parameter.in === place);
    return {
      type: 'object',
      additionalProperties: false,
      properties: Object.fromEntries(own.map(({ name, schema = {} }) => [name, schema])),
    };
  };
  return { type: 'object', properties: { path: within('path'), query: within('query') } };
};

/** An operation without a body takes `{}`, which is what no body reads as. */
const bodySchema = ({ requestBody }: ControlOperation): unknown => {
  if (!isJsonObject(requestBody)) return { type: 'object', additionalProperties: false };
  // Its reference, if it is one, is followed by the validator: a media type is found under the same names in both.
  if (typeof requestBody.$ref === 'string')
    return { $ref: `${requestBody.$ref}/content/application~1json/schema` };
  const { content } = requestBody;
  const media = isJsonObject(content) ? content['application/json'] : undefined;
  return isJsonObject(media) ? media.schema : {};
};
