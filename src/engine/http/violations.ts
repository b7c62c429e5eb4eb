/**
 * Turns errors of express-openapi-validator into sentences that say what to send (behaviour R1, R2). The errors
 * contain neither the wrong key nor the value, so both are read from the request. The allowed values are read from the
 * contract. A message never shows a regular expression or a credential.
 */
import type { ContractOperation } from '../contract/load.ts';
import type { Place } from '../contract/members.ts';
import { adviceOn, describeWrong, requirementOf, type WrongValue } from '../contract/words.ts';
import { type FieldViolation, MOST_VIOLATIONS } from '../core/errors.ts';
import { isJsonObject, lazily, stepsOfPointer, valueAt } from '../core/object.ts';
import { cut } from '../core/text.ts';
import { unknownName } from './spelling.ts';

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

interface Finding extends WrongValue {
  readonly pointer: string;
  readonly message: string;
  readonly field: string;
  /** What the contract says of the value or, if it refuses the member, of the object around it. */
  readonly place: Place | undefined;
}

/**
 * The problems of a request, at most about a hundred, each with field, constraint and a sentence.
 * @param input the input that the validator checked
 */
export const describeViolations = (
  operation: ContractOperation<string>,
  errors: readonly ValidatorError[],
  input: CheckedInput,
): FieldViolation[] => {
  // Removes duplicates: if names of members break a rule, the validator reports the same error for each name.
  const distinct = new Map(
    errors.map((error) => [`${error.path} ${error.errorCode} ${error.message}`, error]),
  );
  const findings = Array.from(distinct.values())
    .slice(0, 10 * MOST_VIOLATIONS)
    .map((error) => toFinding(operation, error, input));
  const partAt = partsOf(findings);
  const unique = new Map<string, FieldViolation>();
  for (const finding of findings) {
    if (unique.size > MOST_VIOLATIONS) break;
    for (const violation of toViolations(finding, partAt(finding.pointer)))
      unique.set(`${violation.field}\n${violation.description}`, violation);
  }
  return [...unique.values()];
};

const toFinding = (
  operation: ContractOperation<string>,
  { path: pointer, message, errorCode }: ValidatorError,
  { path: params, query, body }: CheckedInput,
): Finding => {
  const [where = '', ...path] = stepsOfPointer(pointer);
  const keyword = errorCode?.split('.')[0] ?? 'invalid';
  let place: Place | undefined = operation[where === 'body' || where === 'query' ? where : 'params'];
  for (const step of keyword === UNKNOWN_MEMBER ? path.slice(0, -1) : path)
    place = place?.members.get(step) ?? place?.items ?? place?.others;
  return {
    pointer,
    path,
    keyword,
    message,
    place,
    forms: place?.forms ?? [],
    field: cut(fieldName(path) || where, 200), // a client can send a name of a megabyte
    value: valueAt({ params, query, body }, where, ...path),
    types: keyword === 'type' ? message.replace('must be ', '').split(',') : [],
  };
};

/** `connected_account`, `scopes`, `0` become `connected_account.scopes[0]`. */
const fieldName = (steps: WrongValue['path']): string =>
  steps
    .map((step, index) => (/^\d+$/.test(String(step)) ? `[${step}]` : index === 0 ? step : `.${step}`))
    .join('');

/** What was found at a place of a request. */
type Part = ReturnType<ReturnType<typeof partsOf>>;

const partsOf = (findings: readonly Finding[]) =>
  lazily((place: string) => {
    const here = findings.filter(({ pointer }) => pointer === place);
    const breaks = (keyword: string): boolean => here.some((one) => one.keyword === keyword);
    return {
      here,
      hasWrongType: breaks('type'),
      isUnion: breaks('anyOf') || breaks('oneOf'),
      hasFindingsBelow: findings.some(({ pointer }) => pointer.startsWith(`${place}/`)),
    };
  });

/** Keywords whose errors are left out, since the errors of their sub-schemas say more. */
const SUMMARIES = new Set(['propertyNames', 'allOf', 'if', 'anyOf', 'oneOf']);
/** A value that breaks one of these keywords in one alternative (`oneOf`) is probably meant for another alternative. */
const SHAPES = new Set(['type', 'x-eov-type', 'const', 'enum']); // `x-eov-type`: the validator's name for the type of a time

/**
 * Whether another finding says more about the same place. An error about the type says more than all others. But where
 * the contract offers alternatives (`anyOf`, `oneOf`), an error about the type or a listed value says least, because
 * the client probably meant another alternative.
 */
const isRedundant = (
  { keyword }: Finding,
  { here, isUnion, hasWrongType, hasFindingsBelow }: Part,
): boolean => {
  if (SUMMARIES.has(keyword)) return true;
  if (!isUnion) return keyword !== 'type' && hasWrongType;
  const saysMore = (other: Finding): boolean => !SUMMARIES.has(other.keyword) && !SHAPES.has(other.keyword);
  return SHAPES.has(keyword) && (hasFindingsBelow || here.some(saysMore));
};

const toViolations = (finding: Finding, here: Part): FieldViolation[] => {
  const { keyword: constraint, field, path, place } = finding;
  if (isRedundant(finding, here)) return [];
  if (isAboutNames(finding)) return violationsOfNames(finding);
  if (constraint === UNKNOWN_MEMBER) {
    const known = place?.members.keys() ?? [];
    return [unknownName(fieldName(path.slice(0, -1)), String(path.at(-1)), known, 'member')];
  }
  if (constraint === 'required')
    return [{ field, constraint, description: `${field} is missing.`, advice: 'Add it.' }];
  const alternatives = here.isUnion ? here.here.filter((one) => !isRedundant(one, here)) : [finding];
  if (alternatives[0] !== finding) return []; // the first of them speaks for all (behaviour N5)
  const advice = alternatives.map(adviceOn).find((one) => one !== '');
  const description = describe(finding, alternatives.slice(1));
  return [{ field, constraint, description, ...ruleOf(finding), ...(advice && { advice }) }];
};

/** The keyword of members that the contract does not know. */
const UNKNOWN_MEMBER = 'additionalProperties';

/** Whether names of members are too short or too long. */
const isAboutNames = ({ keyword, value }: Finding): boolean =>
  isJsonObject(value) && (keyword === 'minLength' || keyword === 'maxLength');

/** Keywords of limits. That a value has another shape is not a rule of its own (behaviour R1). */
const LIMITS = /^(?:min|max)(?:Length|imum|Items)$|^(?:maxProperties|pattern)$/;

/** The rule that sets a limit, as the contract names it (`x-rule`). */
const ruleOf = ({ keyword, forms }: Finding): { readonly rule?: string } => {
  const rule = LIMITS.test(keyword) && forms.find((form) => 'x-rule' in form)?.['x-rule'];
  return typeof rule === 'string' ? { rule } : {};
};

/** Creates one violation for each member whose name is too short or too long (behaviour X1). */
const violationsOfNames = (finding: Finding): FieldViolation[] => {
  const { field, keyword: constraint, message, value } = finding;
  const limit = Number(/\d+/.exec(message)?.[0]); // `forms` does not contain this limit
  const must = requirementOf(constraint, [{ [constraint]: limit }]);
  const isWrong = ({ length }: readonly string[]): boolean =>
    constraint === 'minLength' ? length < limit : length > limit;
  return Object.keys(Object(value))
    .filter((name) => isWrong([...name]))
    .slice(0, MOST_VIOLATIONS + 1)
    .map((name) => ({
      field: `${field}.${cut(name)}`,
      constraint,
      advice: 'Rename it.',
      ...ruleOf(finding),
      description: `The key ${JSON.stringify(cut(name))} of ${field} ${must}.`,
    }));
};

/** @param others findings for which the sentence speaks too */
const describe = (finding: Finding, others: readonly Finding[]): string => {
  const { field, value, keyword, pointer } = finding;
  return Array.isArray(value) && keyword === 'type' && pointer.startsWith('/query/')
    ? `${field} was sent ${value.length} times. Send it once.`
    : `${field} ${describeWrong(finding, others)}.`;
};
