/** Checks replies of any server against the contract, and tells what it promises from what was inferred. */
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { isEmail } from '../core/addresses.ts';
import { isJsonObject, type Json, type JsonObject, lookUpReference } from './document.ts';
import type { Contract, ContractOperation } from './load.ts';
import type { OperationId } from './types.ts';

/** Promised: the API's description says so. Inferred: it is silent, and the contract says `x-inferred`. */
export type Basis = 'promised' | 'inferred';

export interface ReplyProblem {
  readonly text: string;
  readonly basis: Basis;
}

export interface CheckedReply {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON; undefined if the reply had no body. */
  readonly body: unknown;
}

/** What of a reply breaks the contract; empty if nothing does. Values are never quoted. */
export type ReplyCheck = (operationId: OperationId, reply: CheckedReply) => readonly ReplyProblem[];

/** Schemas are compiled when the first reply of their operation and status is checked. */
export const createReplyCheck = ({ document, operation }: Contract): ReplyCheck => {
  // Plain data, as it was read from YAML; the interfaces only name what of it we read.
  const written = document as unknown as JsonObject;
  const whole = createBodyCheck(written);
  const promised = createBodyCheck(promisedPart(written) as JsonObject); // an object stays one
  return (operationId, reply) => {
    const pointer = responsePointer(written, operation(operationId), reply.status);
    const broken = new Set(promised(pointer, reply.body));
    const all = whole(pointer, reply.body).map(
      (text): ReplyProblem => ({ text, basis: broken.has(text) ? 'promised' : 'inferred' }),
    );
    return [...all, ...headerProblems(written, pointer, reply.headers)];
  };
};

type BodyCheck = (responsePointer: string, body: unknown) => readonly string[];

const createBodyCheck = (document: JsonObject): BodyCheck => {
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv, { mode: 'full' });
  ajv.addFormat('email', isEmail);
  for (const format of UNCHECKED_FORMATS) ajv.addFormat(format, true);
  ajv.addSchema({ ...document, $id: 'contract' });
  const compiled = new Map<string, ValidateFunction>();
  return (pointer, body) => {
    const schema = `${pointer}/content/application~1json/schema`;
    if (!isJsonObject(lookUpReference(document, schema))) return [];
    if (body === undefined) return ['the body is empty or no JSON'];
    const validate = compiled.get(schema) ?? ajv.compile({ $ref: `contract${schema}` });
    compiled.set(schema, validate);
    return validate(body) ? [] : [...new Set((validate.errors ?? []).map(sentence))];
  };
};

/** Formats that say how a number or a text is used, not how it is written. */
const UNCHECKED_FORMATS = ['int32', 'int64', 'password'];

const sentence = ({ instancePath, message = 'is wrong', params, keyword }: ErrorObject): string => {
  const place = instancePath.slice(1).replaceAll('/', '.') || 'the body';
  const values = keyword === 'enum' ? ` (${String(params.allowedValues)})` : '';
  return `${place} ${message}${values}`;
};

/** `#/paths/.../responses/200`, or where that refers to; `default` for a status that is not listed. */
const responsePointer = (
  document: JsonObject,
  { path, method, definition }: ContractOperation,
  status: number,
): string => {
  const listed = String(status) in definition.responses ? String(status) : 'default';
  const place = path
    .replaceAll('~', '~0')
    .replaceAll('/', '~1')
    .replaceAll('{', '%7B')
    .replaceAll('}', '%7D');
  const pointer = `#/paths/${place}/${method}/responses/${listed}`;
  const response = lookUpReference(document, pointer);
  return isJsonObject(response) && typeof response.$ref === 'string' ? response.$ref : pointer;
};

const headerProblems = (
  document: JsonObject,
  pointer: string,
  sent: CheckedReply['headers'],
): readonly ReplyProblem[] => {
  const headers = lookUpReference(document, `${pointer}/headers`);
  return Object.entries(isJsonObject(headers) ? headers : {}).flatMap(([name, given]) => {
    const header = follow(document, given);
    const text = headerProblem(header, name, sent[name.toLowerCase()]);
    return text === undefined ? [] : [{ text, basis: 'x-inferred' in header ? 'inferred' : 'promised' }];
  });
};

/** What is wrong with one header, if anything is. */
const headerProblem = (header: JsonObject, name: string, value: string | undefined): string | undefined => {
  if (value === undefined) return header.required === true ? `the header ${name} is missing` : undefined;
  const pattern = isJsonObject(header.schema) ? header.schema.pattern : undefined;
  const fits = typeof pattern !== 'string' || new RegExp(pattern).test(value);
  return fits ? undefined : `the header ${name} does not match ${pattern}`;
};

const follow = (document: JsonObject, given: unknown): JsonObject => {
  const found =
    isJsonObject(given) && typeof given.$ref === 'string' ? lookUpReference(document, given.$ref) : given;
  return isJsonObject(found) ? found : {};
};

/** Keywords that say what a value is made of; they stay where the rest of a schema was inferred. */
const STRUCTURE = new Set([
  '$ref',
  'type',
  'properties',
  'items',
  'allOf',
  'additionalProperties',
  'x-inferred',
]);

/** The document without what was inferred: which members are always there, and every limit marked `x-inferred`. */
const promisedPart = (value: Json, isName = false): Json => {
  if (Array.isArray(value)) return value.map((item) => promisedPart(item));
  if (!isJsonObject(value)) return value;
  const isInferredSchema = !isName && 'x-inferred' in value && ('type' in value || 'properties' in value);
  const kept = Object.entries(value).filter(
    ([name, member]) =>
      isName ||
      !((name === 'required' && Array.isArray(member)) || (isInferredSchema && !STRUCTURE.has(name))),
  );
  return Object.fromEntries(
    kept.map(([name, member]) => [name, promisedPart(member, !isName && name === 'properties')]),
  );
};
