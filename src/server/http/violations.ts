/**
 * Turns errors of express-openapi-validator into sentences that say what to send (behaviour R1, R2). The errors
 * contain neither the wrong key nor the value, so both are read from the request. The allowed values are read from the
 * contract. A message never shows a regular expression or a credential.
 */

import { isJsonObject, type OpenApiDocument } from '../../contract/document.ts';
import type { Contract, ContractOperation } from '../../contract/load.ts';
import { bodyOf, type Members, membersOf } from '../../contract/members.ts';
import { allowedBy, nounOf, requirementOf } from '../../contract/words.ts';
import { type FieldViolation, MOST_VIOLATIONS } from '../../core/errors.ts';
import { valueAt } from '../../core/object.ts';
import { isSecretName, mentionsSecret } from '../../core/secrets.ts';
import { cut, didYouMean } from '../../core/text.ts';
import { unknownName } from './names.ts';

/** One error of the validator: its place as a JSON pointer such as `/body/roles/0`, and the keyword that was broken. */
export interface ValidatorError {
  readonly path: string;
  readonly message: string;
  readonly errorCode?: string;
}

/** Parameters and body of a call. */
export interface CheckedInput {
  readonly path: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** An error, and the parts of the request and of the contract that the error is about. */
interface Finding {
  readonly keyword: string;
  readonly message: string;
  readonly path: string;
  readonly steps: readonly string[];
  readonly field: string;
  readonly value: unknown;
  /** What the contract says about the value. */
  readonly described: Members | undefined;
}

/**
 * The problems of a request, at most about a hundred, each with field, constraint and a sentence.
 * @param input the input that the validator checked
 */
export const describeViolations = (
  { document }: Contract<string>,
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
    .map((error) => toFinding(document, operation, error, input));
  const partAt = indexParts(findings);
  const unique = new Map<string, FieldViolation>();
  for (const finding of findings) {
    if (unique.size > MOST_VIOLATIONS) break;
    for (const violation of toViolations(finding, partAt))
      unique.set(`${violation.field}\n${violation.description}`, violation);
  }
  return [...unique.values()];
};

/** The errors about members that the contract refuses: unknown ones, and those that exclude each other. */
const REFUSED_MEMBER_KEYWORDS = new Set(['additionalProperties', 'unevaluatedProperties', 'false schema']);

/** The length at which a reply cuts a field name. A client can send a name of a megabyte, which a reply would repeat. */
const LONGEST_FIELD = 200;

const toFinding = (
  document: OpenApiDocument,
  operation: ContractOperation<string>,
  { path, message, errorCode }: ValidatorError,
  { path: params, query, body }: CheckedInput,
): Finding => {
  const [, place = '', ...steps] = path
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
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
const fieldName = (steps: readonly string[]): string =>
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
    const { properties, items } = membersOf(document, schema);
    schema = properties.get(step) ?? items;
  }
  return schema && membersOf(document, schema);
};

/** A part of a request: a summary of the findings at a path and below this path. */
interface Part {
  readonly keywords: Set<string>;
  /** The names of members that the object at this path lacks. */
  readonly missing: string[];
  hasFindingsBelow: boolean;
}

/**
 * Indexes findings by path, so that a finding need not be compared with all others.
 * @returns a function that finds the part at a path
 */
const indexParts = (findings: readonly Finding[]): ((path: string) => Part) => {
  const parts = new Map<string, Part>();
  const at = (path: string): Part => {
    const part = parts.get(path) ?? { keywords: new Set(), missing: [], hasFindingsBelow: false };
    parts.set(path, part);
    return part;
  };
  for (const { path, keyword, field } of findings) {
    at(path).keywords.add(keyword);
    if (keyword === 'required') at(parentOf(path)).missing.push(field);
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
const SHAPES = new Set(['type', 'const']);

/**
 * Whether another finding says more about the same place. An error about the type says more than all others. But where
 * the contract offers alternatives (`anyOf`, `oneOf`), an error about the type or a `const` says least, because the
 * client probably meant another alternative.
 */
const isRedundant = (keyword: string, { keywords, hasFindingsBelow }: Part): boolean => {
  if (SUMMARIES.has(keyword)) return true;
  if (!keywords.has('anyOf') && !keywords.has('oneOf')) return keyword !== 'type' && keywords.has('type');
  const saysMore = (other: string): boolean => !SUMMARIES.has(other) && !SHAPES.has(other);
  return SHAPES.has(keyword) && (hasFindingsBelow || [...keywords].some(saysMore));
};

const toViolations = (finding: Finding, partAt: (path: string) => Part): FieldViolation[] => {
  const { keyword: constraint, path, field, value } = finding;
  const here = partAt(path);
  if (constraint === 'anyOf' && isChoice(here)) {
    const names = here.missing.join(', ');
    return [
      { field: names, constraint, description: `One of these is required: ${names}.`, advice: 'Add one.' },
    ];
  }
  if (constraint === 'required' && isChoice(partAt(parentOf(path)))) return [];
  if (isRedundant(constraint, here)) return [];
  if (isJsonObject(value) && NAME_KEYWORDS.has(constraint)) return violationsOfNames(finding, value);
  if (REFUSED_MEMBER_KEYWORDS.has(constraint)) return [refusedMember(finding)];
  if (constraint === 'required')
    return [{ field, constraint, description: `${field} is missing.`, advice: 'Add it.' }];
  const advice = adviceOn(finding);
  return [{ field, constraint, description: describe(finding), ...(advice !== '' && { advice }) }];
};

const NAME_KEYWORDS = new Set(['minLength', 'maxLength']);

/** Creates one violation for each member whose name is too short or too long (behaviour X1). */
const violationsOfNames = ({ field, keyword, message }: Finding, value: object): FieldViolation[] => {
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
    }));
};

const refusedMember = ({ field, steps, described }: Finding): FieldViolation => {
  const name = steps.at(-1) ?? '';
  const exclusions = (described?.forms ?? []).flatMap((form) => Object.entries(form.dependentSchemas ?? {}));
  const [rival] = exclusions.find(([, schema]) => valueAt(schema, 'properties', name) === false) ?? [];
  if (rival === undefined)
    return unknownName(fieldName(steps.slice(0, -1)), name, described?.properties.keys() ?? [], 'member');
  const description = `${field} cannot be combined with ${rival}.`;
  return { field, constraint: 'not', description, advice: `Leave out ${field} or ${rival}.` };
};

/** Advice on a value that is not allowed: the allowed value that the client probably meant. */
const adviceOn = ({ keyword, value, described }: Finding): string => {
  if (keyword !== 'enum' && keyword !== 'const') return '';
  const known = allowedBy(described?.forms ?? []);
  return known.includes(String(value))
    ? `Write ${String(value)} without quotes.`
    : didYouMean(String(value), known).trim();
};

const describe = (finding: Finding): string => {
  const { field, value, keyword, path } = finding;
  if (Array.isArray(value) && keyword === 'type' && path.startsWith('/query/'))
    return `${field} was sent ${value.length} times. Send it once.`;
  const is = shownValue(finding);
  return is === undefined
    ? `${field} ${requirement(finding)}.`
    : `${field} is ${is}, but ${requirement(finding)}.`;
};

/** The part of a sentence that says what the value must be. A `type` error can list several types. */
const requirement = ({ keyword, message, described }: Finding): string =>
  keyword === 'type'
    ? `must be ${nounOf(message.replace('must be ', '').split(','))}`
    : requirementOf(keyword, described?.forms ?? []);

/**
 * The value, shortened; undefined where a credential could appear. A string sent in place of an object is often that
 * object as JSON, so the string is not shown either.
 */
const shownValue = ({ keyword, message, steps, value }: Finding): string | undefined => {
  if (value === undefined || steps.some((step) => step === 'details' || isSecretName(step))) return undefined;
  if (typeof value === 'string' && mentionsSecret(value)) return 'a string';
  if (Array.isArray(value)) return 'a list';
  if (isJsonObject(value)) return 'an object';
  if (typeof value === 'string' && keyword === 'type' && /object|array/.test(message)) return 'a string';
  return cut(JSON.stringify(value));
};
