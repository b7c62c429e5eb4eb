/**
 * Holds calls from within the process against the control plane's document. They answer at once, as
 * express-openapi-validator cannot: so the schemas are compiled here once more, by the same Ajv with the same formats.
 */
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { invalidArgument } from '../core/errors.ts';
import { describeViolations, type ValidatorError } from '../http/violations.ts';
import { FORMATS } from '../openapi/formats.ts';
import { bodyOf } from '../openapi/members.ts';
import { type ControlOperation, loadControlContract } from './document.ts';

/** Path, query and body of a call. */
export interface RawControlInput {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** Undefined if there is none. */
  readonly body: unknown;
}

/** The input, with `{}` for a body that may be left out. @throws Refusal 400 with everything that is wrong */
export const requireInput = (
  operation: ControlOperation,
  { path, query, body }: RawControlInput,
): RawControlInput => {
  const input = { path, query, ...(body !== undefined && { body }) };
  const validate = validatorOf(operation);
  if (validate(input)) return { path, query, body: body ?? {} };
  const errors = (validate.errors ?? []).map(toValidatorError);
  throw invalidArgument(
    describeViolations(loadControlContract(), operation, errors, { query, params: path, body }),
  );
};

const compiled = new WeakMap<ControlOperation, ValidateFunction>();

const validatorOf = (operation: ControlOperation): ValidateFunction => {
  const known = compiled.get(operation);
  if (known) return known;
  const validate = compiler().compile(withDocument(inputSchema(operation)));
  compiled.set(operation, validate);
  return validate;
};

let made: Ajv | undefined;

const compiler = (): Ajv => {
  if (!made) {
    made = new Ajv({ allErrors: true, strict: false, strictNumbers: true, formats: FORMATS, logger: false });
    made.addSchema(withDocument(loadControlContract().document), 'control');
  }
  return made;
};

/** References made absolute, so that any part of the document can be compiled by itself. */
const withDocument = (schema: object): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"control#/'));

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
  const { document } = loadControlContract();
  const described = bodyOf(document, operation.definition);
  const body = described?.schema ?? { additionalProperties: false };
  // No body at all may be a slip, and `{}` would replace a whole state.
  const required = described?.isRequired ? ['body'] : [];
  return { required, properties: { path: within('path'), query: within('query'), body } };
};

const toValidatorError = ({
  instancePath,
  keyword,
  message = 'is wrong',
  params,
}: ErrorObject): ValidatorError => {
  const name: unknown = params.missingProperty ?? params.additionalProperty;
  const path = name === undefined ? instancePath : `${instancePath}/${String(name)}`;
  return { path: path.replace('/path', '/params'), message, errorCode: keyword };
};
