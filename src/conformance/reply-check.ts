/** Checks the replies of any server against the contract. The messages never quote values. */
import { Ajv, type ErrorObject } from 'ajv';
import { dereference, lookUpReference, type OpenApiDocument } from '../engine/contract/document.ts';
import type { Contract, ContractOperation } from '../engine/contract/load.ts';
import { FORMATS } from '../engine/contract/words.ts';
import { isJsonObject } from '../engine/core/object.ts';
import type { Reply } from './request.ts';
import type { CaseProblem, ReplyCheck } from './run.ts';

export const createReplyCheck = ({ document, operation }: Contract): ReplyCheck => {
  const ajv = new Ajv({ strict: false, allErrors: true, verbose: true, formats: { ...FORMATS, int64: true } });
  ajv.addSchema({ ...document, $id: 'contract' });
  return (operationId, { status, headers, body }) => {
    const response = responsePointer(document, operation(operationId), status);
    const missing = missingHeaders(document, response, headers);
    const validate = ajv.getSchema(`contract${response}/content/application~1json/schema`);
    if (!validate) return missing;
    if (body === undefined) return [{ text: 'the body is empty or not JSON', basis: 'promised' }];
    return validate(shortened(body)) ? missing : [...(validate.errors ?? []).map(toProblem), ...missing];
  };
};

/** The time of a check grows with the square of the mistakes, so only the first thousand items of a list are checked. */
const shortened = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body), (_name, value) => (Array.isArray(value) ? value.slice(0, 1_000) : value));

const toProblem = ({ instancePath, message, params, keyword, parentSchema }: ErrorObject): CaseProblem => {
  const place = instancePath.slice(1).replaceAll('/', '.') || 'the body';
  const values = keyword === 'enum' ? ` (${String(params.allowedValues)})` : '';
  // The API's description gives the type of every member, so a wrong type always breaks a promise.
  const isMarked = parentSchema !== undefined && 'x-inferred' in parentSchema && keyword !== 'type';
  // The API's description never says which members a reply must have, so a missing member is `inferred`.
  const basis = keyword === 'required' || isMarked ? 'inferred' : 'promised';
  return { text: `${place} ${message}${values}`, basis };
};

/** The JSON pointer to the response for a status, or to `default`, such as `#/paths/.../responses/200`. */
const responsePointer = (
  document: unknown,
  { path, method, definition }: ContractOperation<string>,
  status: number,
) => {
  const listed = String(status) in definition.responses ? String(status) : 'default';
  const place = encodeURI(path.replaceAll('~', '~0').replaceAll('/', '~1'));
  const pointer = `#/paths/${place}/${method}/responses/${listed}`;
  const response = lookUpReference(document, pointer);
  return isJsonObject(response) && typeof response.$ref === 'string' ? response.$ref : pointer;
};

const missingHeaders = (document: OpenApiDocument, response: string, sent: Reply['headers']): readonly CaseProblem[] =>
  Object.entries(Object(lookUpReference(document, `${response}/headers`))).flatMap(([name, given]): CaseProblem[] => {
    const header = dereference(document, given);
    const basis = 'x-inferred' in header ? 'inferred' : 'promised';
    const isMissing = header.required === true && !(name.toLowerCase() in sent);
    return isMissing ? [{ text: `the header ${name} is missing`, basis }] : [];
  });
