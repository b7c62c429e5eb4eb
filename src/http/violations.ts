/**
 * What express-openapi-validator found, in words that say what to send (behaviour R1, R2). Its errors name neither the
 * offending key nor the value, so both are read from the request, and what is allowed from the contract: a message shows
 * no regular expression and no credential.
 */
import { type FieldViolation, MOST_VIOLATIONS } from '../core/errors.ts';
import { didYouMean } from '../core/nearest.ts';
import { valueAt } from '../core/object.ts';
import { isSecretName, mentionsSecret } from '../core/secrets.ts';
import { cut } from '../core/text.ts';
import { isJsonObject, type OpenApiDocument } from '../openapi/document.ts';
import type { Contract, ContractOperation } from '../openapi/load.ts';
import { bodyOf, type Members, membersOf } from '../openapi/members.ts';
import { allowedBy, demandOf, nounOf } from '../openapi/words.ts';
import { unknownName } from './names.ts';

/** One error of the package: where, as a JSON pointer such as `/body/roles/0`, and by which keyword. */
export interface ValidatorError {
  readonly path: string;
  readonly message: string;
  readonly errorCode?: string;
}

/** An error with what it is about. */
interface Finding {
  readonly keyword: string;
  readonly message: string;
  readonly path: string;
  readonly steps: readonly string[];
  readonly field: string;
  readonly value: unknown;
  /** What the contract says of the place. */
  readonly described: Members | undefined;
}

/** Parameters and body of a call. */
export interface Input {
  readonly path: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/**
 * All problems of a request, each with field, constraint and a sentence; of a great many the first hundred or so.
 * @param input as the validator saw it
 */
export const describeViolations = <Id extends string>(
  { document }: Contract<Id>,
  operation: ContractOperation<Id>,
  errors: readonly ValidatorError[],
  input: Input,
): FieldViolation[] => {
  // The package tells a rule about the names of members again for each name, and all of them are found at once.
  const distinct = new Map(
    errors.map((error) => [`${error.path} ${error.errorCode} ${error.message}`, error]),
  );
  const findings = Array.from(distinct.values())
    .slice(0, 10 * MOST_VIOLATIONS)
    .map((error) => toFinding(document, operation, error, input));
  const choices = choicesAmong(findings);
  const around = aroundOf(findings);
  const unique = new Map<string, FieldViolation>();
  for (const finding of findings) {
    if (unique.size > MOST_VIOLATIONS) break;
    const choice = finding.keyword === 'anyOf' ? choices.get(finding.path) : undefined;
    const isOfChoice = finding.keyword === 'required' && choices.has(parentOf(finding));
    if (!choice && (isOfChoice || isSaidByOthers(finding, around))) continue;
    for (const violation of choice ? [missingChoice(choice)] : toViolations(finding))
      unique.set(`${violation.field}\n${violation.description}`, violation);
  }
  return [...unique.values()];
};

const toFinding = <Id extends string>(
  document: OpenApiDocument,
  operation: ContractOperation<Id>,
  { path, message, errorCode }: ValidatorError,
  input: Input,
): Finding => {
  const [, place = '', ...steps] = path.split('/').map(unescapePointer);
  const keyword = errorCode?.split('.')[0] ?? 'invalid';
  return {
    keyword,
    message,
    path,
    steps,
    field: cut(fieldName(place, steps), LONGEST_FIELD),
    value: valueAt(place === 'query' ? input.query : place === 'params' ? input.path : input.body, ...steps),
    // A sentence about an unknown member describes the object around it.
    described: membersAt(document, operation, place, UNKNOWN.has(keyword) ? steps.slice(0, -1) : steps),
  };
};

/** A name can be a megabyte long, and a reply repeats it a hundred times. */
const LONGEST_FIELD = 200;

const UNKNOWN = new Set(['additionalProperties', 'unevaluatedProperties']);

const unescapePointer = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~');

/** `/body/connected_account/scopes/0` is `connected_account.scopes[0]`; a parameter is its own name. */
const fieldName = (place: string, steps: readonly string[]): string =>
  steps.map((step, index) => (/^\d+$/.test(step) ? `[${step}]` : index === 0 ? step : `.${step}`)).join('') ||
  place;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const membersAt = (
  document: OpenApiDocument,
  operation: ContractOperation<string>,
  place: string,
  steps: readonly string[],
): Members | undefined => {
  const isBody = place === 'body';
  const parameter = operation.parameters.find(({ name }) => !isBody && name === steps[0]);
  let schema = isBody ? bodyOf(document, operation.definition)?.schema : parameter?.schema;
  for (const step of isBody ? steps : steps.slice(1)) {
    if (!schema) return undefined;
    const { properties, items } = membersOf(document, schema);
    schema = properties.get(step) ?? items;
  }
  return schema && membersOf(document, schema);
};

/** Keywords that only gather what others say in detail. */
const GATHERING = new Set(['propertyNames', 'allOf', 'if']);
const ALTERNATIVES = new Set(['anyOf', 'oneOf']);

/** The findings by path, so that each is looked up once instead of being compared with all others. */
interface Around {
  /** The keywords of the findings at a path. */
  readonly keywords: ReadonlyMap<string, readonly string[]>;
  /** Paths with a finding below them. */
  readonly holders: ReadonlySet<string>;
}

const aroundOf = (findings: readonly Finding[]): Around => {
  const keywords = new Map<string, string[]>();
  const holders = new Set<string>();
  for (const finding of findings) {
    keywords.set(finding.path, [...(keywords.get(finding.path) ?? []), finding.keyword]);
    for (let { path } = finding; path.includes('/'); path = path.slice(0, path.lastIndexOf('/')))
      if (path !== finding.path) holders.add(path);
  }
  return { keywords, holders };
};

/**
 * Keeps one of several errors at one place. A value of the wrong type breaks every rule of the right type too. If the
 * contract allows two forms, the client meant one: an error within that form says more than "it is not the other".
 */
const isSaidByOthers = ({ keyword, path }: Finding, { keywords, holders }: Around): boolean => {
  if (GATHERING.has(keyword)) return true;
  const here = keywords.get(path) ?? [];
  const isWithin = holders.has(path);
  const hasForms = here.some((other) => ALTERNATIVES.has(other));
  if (ALTERNATIVES.has(keyword)) return isWithin || here.some((other) => !ALTERNATIVES.has(other));
  if (hasForms) return SHAPE.has(keyword) && (isWithin || here.some((other) => !SHAPE.has(other)));
  return keyword !== 'type' && here.includes('type');
};

/** Members of which an object must have one, by its path: all alternatives of an `anyOf` ask for one in vain. */
const choicesAmong = (findings: readonly Finding[]): ReadonlyMap<string, readonly string[]> => {
  const choices = new Map<string, readonly string[]>();
  for (const { keyword, path } of findings) {
    if (keyword !== 'anyOf' || choices.has(path)) continue;
    const within = findings.filter((other) => other.path.startsWith(`${path}/`));
    if (
      within.length > 0 &&
      within.every((other) => other.keyword === 'required' && parentOf(other) === path)
    )
      choices.set(path, [...new Set(within.map(({ field }) => field))]);
  }
  return choices;
};

const parentOf = ({ path }: Finding): string => path.slice(0, path.lastIndexOf('/'));

const missingChoice = (fields: readonly string[]): FieldViolation => {
  const names = fields.join(', ');
  return {
    field: names,
    constraint: 'anyOf',
    description: `One of these is missing: ${names}.`,
    advice: 'Add one.',
  };
};

const SHAPE = new Set([...ALTERNATIVES, 'type', 'const']);

const NAME_KEYWORDS = new Set(['minLength', 'maxLength', 'pattern']);

const toViolations = (finding: Finding): FieldViolation[] => {
  const { keyword: constraint, field, value } = finding;
  if (isObject(value) && NAME_KEYWORDS.has(constraint)) return violationsOfNames(finding, value);
  if (UNKNOWN.has(constraint)) return [unknownMember(finding)];
  if (constraint === 'required')
    return [{ field, constraint, description: `${field} is missing.`, advice: 'Add it.' }];
  if (constraint === 'false schema')
    return [
      {
        field,
        constraint: 'not',
        description: `${field} contradicts another member.`,
        advice: 'Leave one of them out.',
      },
    ];
  const advice = adviceOn(finding);
  return [{ field, constraint, description: describe(finding), ...(advice !== '' && { advice }) }];
};

/** Behaviour X1: a rule about the names of members is about each name that breaks it. */
const violationsOfNames = ({ field, keyword, message }: Finding, value: object): FieldViolation[] => {
  const limit = Number(/\d+/.exec(message)?.[0]); // the schema of names is not among the forms
  const breaks = (name: string): boolean => {
    const length = [...name].length;
    return keyword === 'minLength' ? length < limit : keyword === 'maxLength' ? length > limit : true;
  };
  return Object.keys(value)
    .filter(breaks)
    .slice(0, MOST_VIOLATIONS + 1)
    .map((name) => ({
      field: `${field}.${cut(name)}`,
      constraint: keyword,
      description: `The key ${JSON.stringify(cut(name))} of ${field} ${demandOf(keyword, [{ [keyword]: limit }])}.`,
      advice: 'Rename it.',
    }));
};

const unknownMember = ({ steps, described }: Finding): FieldViolation =>
  unknownName(
    fieldName('', steps.slice(0, -1)),
    steps.at(-1) ?? '',
    described?.properties.keys() ?? [],
    'member',
  );

/** The value of a list that was meant. */
const adviceOn = ({ keyword, value, described }: Finding): string => {
  if (keyword !== 'enum' && keyword !== 'const') return '';
  const known = allowedBy(described?.forms ?? []);
  return known.includes(String(value))
    ? `Write ${String(value)} without quotes.`
    : didYouMean(String(value), known).trim();
};

const describe = (finding: Finding): string => {
  const { field, value, keyword } = finding;
  if (Array.isArray(value) && keyword === 'type' && finding.path.startsWith('/query/'))
    return `${field} was sent ${value.length} times. Send it once.`;
  const is = shown(finding);
  return is === undefined ? `${field} ${must(finding)}.` : `${field} is ${is}, but ${must(finding)}.`;
};

/** What the value must be: a keyword of types may have been put together from several forms. */
const must = ({ keyword, message, described }: Finding): string =>
  keyword === 'type'
    ? `must be ${nounOf(message.replace('must be ', '').split(','))}`
    : demandOf(keyword, described?.forms ?? []);

/**
 * The value, cut short; undefined where a credential may stand. A text in the place of an object is often that object,
 * written as a text, with all it holds, so it is not shown either.
 */
const shown = ({ keyword, message, steps, value }: Finding): string | undefined => {
  if (value === undefined || steps.some((step) => step === 'details' || isSecretName(step))) return undefined;
  if (typeof value === 'string' && mentionsSecret(value)) return 'a text';
  if (isObject(value)) return Array.isArray(value) ? 'a list' : 'an object';
  if (typeof value === 'string' && keyword === 'type' && /object|array/.test(message)) return 'a text';
  return cut(JSON.stringify(value));
};

/** An error of the package that holds what a request broke. */
export const isValidatorError = (
  error: unknown,
): error is { readonly status: number; readonly errors: readonly ValidatorError[] } =>
  isObject(error) && error.status === 400 && Array.isArray(error.errors) && isJsonObject(error.errors[0]);
