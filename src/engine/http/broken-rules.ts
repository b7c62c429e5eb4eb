/** The validator's errors, with the parts of the request and of the contract that they are about. */
import { isJsonObject, type OpenApiDocument } from '../contract/document.ts';
import type { ContractOperation } from '../contract/load.ts';
import { bodyOf, type Members, membersOf } from '../contract/members.ts';
import { stepsOfPointer, valueAt } from '../core/object.ts';
import { cut } from '../core/text.ts';

/** One error of the validator: its place as a JSON pointer such as `/body/roles/0`, and the keyword that was broken. */
export interface ValidatorError {
  readonly path: string;
  readonly message: string;
  readonly errorCode?: string;
}

export interface CheckedInput {
  readonly path: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

export interface BrokenRule {
  readonly keyword: string;
  readonly message: string;
  readonly path: string;
  readonly steps: readonly string[];
  readonly field: string;
  readonly value: unknown;
  readonly described: Members | undefined;
}

/** The errors about members that the contract refuses: unknown ones, and those that exclude each other. */
export const REFUSED_MEMBER_KEYWORDS = new Set([
  'additionalProperties',
  'unevaluatedProperties',
  'false schema',
]);

/** The length at which a reply cuts a field name. A client can send a name of a megabyte, which a reply would repeat. */
const LONGEST_FIELD = 200;

export const toBrokenRule = (
  document: OpenApiDocument,
  operation: ContractOperation<string>,
  { path, message, errorCode }: ValidatorError,
  { path: params, query, body }: CheckedInput,
): BrokenRule => {
  const [place = '', ...steps] = stepsOfPointer(path);
  const keyword = errorCode?.split('.')[0] ?? 'invalid';
  // The contract has no schema for a member that it refuses, so `described` is about the object around the member.
  const owner = REFUSED_MEMBER_KEYWORDS.has(keyword) ? steps.slice(0, -1) : steps;
  return {
    keyword,
    message,
    path,
    steps,
    field: cut(fieldName(steps) || place, LONGEST_FIELD),
    value: valueAt({ params, query, body }, place, ...steps),
    described: membersAt(document, operation, [place, ...owner]),
  };
};

/** `connected_account`, `scopes`, `0` become `connected_account.scopes[0]`. */
export const fieldName = (steps: readonly string[]): string =>
  steps.map((step, index) => (/^\d+$/.test(step) ? `[${step}]` : index === 0 ? step : `.${step}`)).join('');

const membersAt = (
  document: OpenApiDocument,
  { parameters, definition }: ContractOperation<string>,
  [place, ...steps]: readonly string[],
): Members | undefined => {
  const named = parameters.map(({ name, schema = {} }) => [name, schema]);
  let schema =
    place === 'body' ? bodyOf(document, definition)?.schema : { properties: Object.fromEntries(named) };
  for (const step of steps) {
    if (!schema) return undefined;
    const { properties, items, forms } = membersOf(document, schema);
    // The value of any name, such as one of `metadata`.
    const others = forms.map(({ additionalProperties }) => additionalProperties).find(isJsonObject);
    schema = properties.get(step) ?? items ?? others;
  }
  return schema && membersOf(document, schema);
};
