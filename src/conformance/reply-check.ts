/** Checks the replies of any server against the contract. The messages never quote values. */
import { Ajv, type ErrorObject } from 'ajv';
import { follow, isJsonObject, lookUpReference, type OpenApiDocument } from '../engine/contract/document.ts';
import type { Contract, ContractOperation } from '../engine/contract/load.ts';
import { FORMATS } from '../engine/contract/words.ts';
import { valueAt } from '../engine/core/object.ts';
import type { Reply } from './request.ts';
import type { CaseProblem, ReplyCheck } from './run.ts';

export const createReplyCheck = ({ document, operation }: Contract): ReplyCheck => {
  const formats = { ...FORMATS, int64: true } as const;
  const ajv = new Ajv({ strict: false, allErrors: true, verbose: true, formats });
  ajv.addSchema({ ...document, $id: 'contract' });
  return (operationId, { status, headers, body }) => {
    const response = responsePointer(document, operation(operationId), status);
    const missing = [
      ...missingHeaders(document, response, headers),
      ...(status >= 400 && operationId !== 'issueToken' ? missingCode(body) : []),
    ];
    const validate = ajv.getSchema(`contract${response}/content/application~1json/schema`);
    if (!validate) return missing;
    if (body === undefined) return [{ text: 'the body is empty or not JSON', basis: 'promised' }];
    return validate(shortened(body)) ? missing : [...(validate.errors ?? []).map(toProblem), ...missing];
  };
};

/** More items of a list are not checked: the time of a check grows with the square of the mistakes. */
const MOST_ITEMS = 1_000;
const DEEPEST = 50;

const shortened = (value: unknown, depth = 0): unknown => {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return value;
  if (Array.isArray(value)) return value.slice(0, MOST_ITEMS).map((item) => shortened(item, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shortened(member, depth + 1)]));
};

const toProblem = ({ instancePath, message, params, keyword, parentSchema }: ErrorObject): CaseProblem => {
  const place = instancePath.slice(1).replaceAll('/', '.') || 'the body';
  const values = keyword === 'enum' ? ` (${String(params.allowedValues)})` : '';
  // The API's description gives the type of every member, so a wrong type always breaks a promise.
  const isMarked = parentSchema !== undefined && 'x-inferred' in parentSchema && keyword !== 'type';
  // The API's description never says which members a reply must have, so a missing member is `inferred`.
  const basis = keyword === 'required' || isMarked ? 'inferred' : 'promised';
  return { text: `${place} ${message ?? 'is wrong'}${values}`, basis };
};

/** The JSON pointer to the response for a status, or to `default`, such as `#/paths/.../responses/200`. */
const responsePointer = (
  document: unknown,
  { path, method, definition }: ContractOperation<string>,
  status: number,
): string => {
  const listed = String(status) in definition.responses ? String(status) : 'default';
  const place = encodeURI(path.replaceAll('~', '~0').replaceAll('/', '~1'));
  const pointer = `#/paths/${place}/${method}/responses/${listed}`;
  const response = lookUpReference(document, pointer);
  return isJsonObject(response) && typeof response.$ref === 'string' ? response.$ref : pointer;
};

/** The API's description promises an `error_code` in the details of every error; identity errors may have it at the top. */
const missingCode = (body: unknown): readonly CaseProblem[] => {
  const details = valueAt(body, 'details');
  const holders = [body, ...(Array.isArray(details) ? details : [])];
  const isThere = holders.some((each) => /./.test(String(valueAt(each, 'error_code') ?? '')));
  return isThere ? [] : [{ text: 'neither the details nor the body has an error_code', basis: 'promised' }];
};

const missingHeaders = (
  document: OpenApiDocument,
  response: string,
  sent: Reply['headers'],
): readonly CaseProblem[] => {
  const headers = lookUpReference(document, `${response}/headers`);
  return Object.entries(isJsonObject(headers) ? headers : {}).flatMap(([name, given]): CaseProblem[] => {
    const header = follow(document, given);
    const basis = 'x-inferred' in header ? 'inferred' : 'promised';
    const isMissing = header.required === true && !(name.toLowerCase() in sent);
    return isMissing ? [{ text: `the header ${name} is missing`, basis }] : [];
  });
};
