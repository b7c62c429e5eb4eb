/**
 * Turns errors of express-openapi-validator into sentences that say what to send (behaviour R1, R2). The errors
 * contain neither the wrong key nor the value, so both are read from the request. The allowed values are read from the
 * contract. A message never shows a regular expression or a credential.
 */

import { isJsonObject } from '../contract/document.ts';
import { lazily, type Place, type Surface } from '../contract/members.ts';
import { adviceOn, describeWrong, nameMeant, requirementOf, type WrongValue } from '../contract/words.ts';
import { type FieldViolation, MOST_VIOLATIONS } from '../core/errors.ts';
import { stepsOfPointer, valueAt } from '../core/object.ts';
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

interface BrokenRule {
  readonly keyword: string;
  readonly message: string;
  readonly path: string;
  readonly steps: readonly string[];
  readonly field: string;
  readonly value: unknown;
  readonly described: Place | undefined;
}

/** The errors about members that the contract refuses: unknown ones, and those that exclude each other. */
const REFUSED_MEMBER_KEYWORDS = new Set(['additionalProperties', 'unevaluatedProperties', 'false schema']);

/** The length at which a reply cuts a field name. A client can send a name of a megabyte, which a reply would repeat. */
const LONGEST_FIELD = 200;

const toBrokenRule = (
  surface: Surface,
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
    described: placeAt(surface, place, owner),
  };
};

/** `connected_account`, `scopes`, `0` become `connected_account.scopes[0]`. */
const fieldName = (steps: readonly string[]): string =>
  steps.map((step, index) => (/^\d+$/.test(step) ? `[${step}]` : index === 0 ? step : `.${step}`)).join('');

const placeAt = (
  { body, query, params }: Surface,
  where: string,
  steps: readonly string[],
): Place | undefined => {
  let place: Place | undefined = where === 'body' ? body : where === 'query' ? query : params;
  for (const step of steps) place = place?.members.get(step) ?? place?.items ?? place?.others;
  return place;
};

/**
 * The problems of a request, at most about a hundred, each with field, constraint and a sentence.
 * @param input the input that the validator checked
 */
export const describeViolations = (
  surface: Surface,
  errors: readonly ValidatorError[],
  input: CheckedInput,
): FieldViolation[] => {
  // Removes duplicates: if names of members break a rule, the validator reports the same error for each name.
  const distinct = new Map(
    errors.map((error) => [`${error.path} ${error.errorCode} ${error.message}`, error]),
  );
  const findings = Array.from(distinct.values())
    .slice(0, 10 * MOST_VIOLATIONS)
    .map((error) => toBrokenRule(surface, error, input));
  const partAt = indexParts(findings);
  const unique = new Map<string, FieldViolation>();
  for (const finding of findings) {
    if (unique.size > MOST_VIOLATIONS) break;
    for (const violation of toViolations(finding, partAt))
      unique.set(`${violation.field}\n${violation.description}`, violation);
  }
  return [...unique.values()];
};

/** A part of a request: a summary of the findings at a path and below this path. */
interface Part {
  readonly keywords: Set<string>;
  readonly findings: BrokenRule[];
  /** The names of members that the object at this path lacks. */
  readonly missing: string[];
  hasFindingsBelow: boolean;
  hasRefusedMember: boolean;
}

/**
 * Indexes findings by path, so that a finding need not be compared with all others.
 * @returns a function that finds the part at a path
 */
const indexParts = (findings: readonly BrokenRule[]): ((path: string) => Part) => {
  const at = lazily(
    (_path: string): Part => ({
      keywords: new Set(),
      findings: [],
      missing: [],
      hasFindingsBelow: false,
      hasRefusedMember: false,
    }),
  );
  for (const finding of findings) {
    const { path, keyword, field } = finding;
    at(path).keywords.add(keyword);
    at(path).findings.push(finding);
    if (keyword === 'required') at(parentOf(path)).missing.push(field);
    if (REFUSED_MEMBER_KEYWORDS.has(keyword)) at(parentOf(path)).hasRefusedMember = true;
    for (let above = parentOf(path); above !== ''; above = parentOf(above)) at(above).hasFindingsBelow = true;
  }
  return at;
};

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));

/** Whether at least one of several members is required at this place, and all of them are missing. */
const isChoice = ({ keywords, missing }: Part): boolean => keywords.has('anyOf') && missing.length > 0;

/** Keywords whose errors are left out, since the errors of their sub-schemas say more. */
const SUMMARIES = new Set(['propertyNames', 'allOf', 'if', 'anyOf', 'oneOf']);
/** A value that breaks one of these keywords in one alternative (`oneOf`) is probably meant for another alternative. */
const SHAPES = new Set(['type', 'x-eov-type', 'const', 'enum']); // `x-eov-type`: the validator's name for the type of a time

/**
 * Whether another finding says more about the same place. An error about the type says more than all others. But where
 * the contract offers alternatives (`anyOf`, `oneOf`), an error about the type or a listed value says least, because
 * the client probably meant another alternative.
 */
const isRedundant = (keyword: string, { keywords, hasFindingsBelow }: Part): boolean => {
  if (SUMMARIES.has(keyword)) return true;
  if (!keywords.has('anyOf') && !keywords.has('oneOf')) return keyword !== 'type' && keywords.has('type');
  const saysMore = (other: string): boolean => !SUMMARIES.has(other) && !SHAPES.has(other);
  return SHAPES.has(keyword) && (hasFindingsBelow || [...keywords].some(saysMore));
};

const toViolations = (finding: BrokenRule, partAt: (path: string) => Part): FieldViolation[] => {
  const { keyword: constraint, path, field, value } = finding;
  const here = partAt(path);
  if (constraint === 'anyOf' && isChoice(here)) {
    if (here.hasRefusedMember) return []; // it was probably meant to be one of these (behaviour N1)
    const names = here.missing.join(', ');
    return [
      { field: names, constraint, description: `One of these is required: ${names}.`, advice: 'Add one.' },
    ];
  }
  if (constraint === 'required' && isChoice(partAt(parentOf(path)))) return [];
  if (isRedundant(constraint, here)) return [];
  if (isJsonObject(value) && NAME_KEYWORDS.has(constraint)) return violationsOfNames(finding, value);
  if (REFUSED_MEMBER_KEYWORDS.has(constraint)) return [refusedMember(finding, partAt(parentOf(path)))];
  if (constraint === 'required')
    return [{ field, constraint, description: `${field} is missing.`, advice: 'Add it.' }];
  const alternatives = isUnion(here) ? here.findings.filter((one) => isAlternative(one, here)) : [finding];
  if (alternatives[0] !== finding) return []; // the first of them speaks for all (behaviour N5)
  const advice = alternatives.map((one) => adviceOn(toWrongValue(one))).find((one) => one !== '');
  const description = describe(finding, alternatives);
  return [{ field, constraint, description, ...ruleOf(finding), ...(advice && { advice }) }];
};

/** Keywords of limits. That a value has another shape is not a rule of its own (behaviour R1). */
const LIMITS = new Set(
  'minLength maxLength minimum maximum minItems maxItems maxProperties pattern'.split(' '),
);

/** The rule that sets a limit, as the contract names it (`x-rule`). */
const ruleOf = ({ keyword, described }: BrokenRule): { readonly rule?: string } => {
  const rule = LIMITS.has(keyword) && described?.forms.find((form) => 'x-rule' in form)?.['x-rule'];
  return typeof rule === 'string' ? { rule } : {};
};

const isUnion = ({ keywords }: Part): boolean => keywords.has('anyOf') || keywords.has('oneOf');

/** Whether a finding is about the whole value, so that it can stand in one sentence with others of its kind. */
const isAlternative = ({ keyword, value }: BrokenRule, here: Part): boolean =>
  !isRedundant(keyword, here) &&
  keyword !== 'required' &&
  !REFUSED_MEMBER_KEYWORDS.has(keyword) &&
  !(isJsonObject(value) && NAME_KEYWORDS.has(keyword));

const NAME_KEYWORDS = new Set(['minLength', 'maxLength']);

/** Creates one violation for each member whose name is too short or too long (behaviour X1). */
const violationsOfNames = (finding: BrokenRule, value: object): FieldViolation[] => {
  const { field, keyword, message } = finding;
  const limit = Number(/\d+/.exec(message)?.[0]); // `described.forms` does not contain this limit
  const breaks = (name: string): boolean =>
    keyword === 'minLength' ? [...name].length < limit : [...name].length > limit;
  return Object.keys(value)
    .filter(breaks)
    .slice(0, MOST_VIOLATIONS + 1)
    .map((name) => ({
      field: `${field}.${cut(name)}`,
      constraint: keyword,
      description: `The key ${JSON.stringify(cut(name))} of ${field} ${requirementOf(keyword, [{ [keyword]: limit }])}.`,
      advice: 'Rename it.',
      ...ruleOf(finding),
    }));
};

const refusedMember = ({ field, steps, described }: BrokenRule, around: Part): FieldViolation => {
  const name = steps.at(-1) ?? '';
  const exclusions = (described?.forms ?? []).flatMap((form) => Object.entries(form.dependentSchemas ?? {}));
  const [rival] = exclusions.find(([, schema]) => valueAt(schema, 'properties', name) === false) ?? [];
  if (rival === undefined) {
    const known = [...(described?.members.keys() ?? [])];
    const unknown = unknownName(fieldName(steps.slice(0, -1)), name, known, 'member');
    const isOfChoice = isChoice(around) && nameMeant(name, known) === undefined;
    return isOfChoice ? { ...unknown, advice: `Use one of these: ${around.missing.join(', ')}.` } : unknown;
  }
  const description = `${field} cannot be combined with ${rival}.`;
  return { field, constraint: 'not', description, advice: `Leave out ${field} or ${rival}.` };
};

/** @param alternatives the findings that the sentence names, of which the first is `finding` */
const describe = (finding: BrokenRule, alternatives: readonly BrokenRule[]): string => {
  const { field, value, keyword, path } = finding;
  if (Array.isArray(value) && keyword === 'type' && path.startsWith('/query/'))
    return `${field} was sent ${value.length} times. Send it once.`;
  const [wrong, ...others] = alternatives.map(toWrongValue);
  return `${field} ${wrong ? describeWrong(wrong, others) : ''}.`;
};

/** A `type` error can list several types. */
const toWrongValue = ({ keyword, value, steps, described, message }: BrokenRule): WrongValue => ({
  ...{ keyword, value, path: steps, forms: described?.forms ?? [] },
  types: keyword === 'type' ? message.replace('must be ', '').split(',') : [],
});
