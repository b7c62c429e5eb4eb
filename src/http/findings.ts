/** Reads the errors of express-openapi-validator, and decides which of several errors at one place to report. */
import { MOST_VIOLATIONS } from '../core/errors.ts';
import { valueAt } from '../core/object.ts';
import { cut } from '../core/text.ts';
import { isJsonObject, type OpenApiDocument } from '../openapi/document.ts';
import type { Contract, ContractOperation } from '../openapi/load.ts';
import { bodyOf, type Members, membersOf } from '../openapi/members.ts';

/** One error of the package: its place as a JSON pointer such as `/body/roles/0`, and the keyword that was broken. */
export interface ValidatorError {
  readonly path: string;
  readonly message: string;
  readonly errorCode?: string;
}

/** An error, and the part of request and contract that it is about. */
export interface Finding {
  readonly keyword: string;
  readonly message: string;
  readonly path: string;
  readonly steps: readonly string[];
  readonly field: string;
  readonly value: unknown;
  /** What the contract says about the place. */
  readonly described: Members | undefined;
}

/** Parameters and body of a call. */
export interface Input {
  readonly path: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** Reads the errors of a request: each once, and at most the first thousand. @param input as the validator saw it */
export const readFindings = <Id extends string>(
  { document }: Contract<Id>,
  operation: ContractOperation<Id>,
  errors: readonly ValidatorError[],
  input: Input,
): readonly Finding[] => {
  // For a rule about the names of members, the package repeats one error for each name; `violationsOfNames` finds all
  // names at once.
  const distinct = new Map(
    errors.map((error) => [`${error.path} ${error.errorCode} ${error.message}`, error]),
  );
  return Array.from(distinct.values())
    .slice(0, 10 * MOST_VIOLATIONS)
    .map((error) => toFinding(document, operation, error, input));
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
    // the keyword for unknown members describes the object around the member
    described: membersAt(
      document,
      operation,
      place,
      UNKNOWN_NAME_KEYWORDS.has(keyword) ? steps.slice(0, -1) : steps,
    ),
  };
};

/** The longest field name in a reply: a name can be a megabyte long, and a reply repeats it up to a hundred times. */
const LONGEST_FIELD = 200;

export const UNKNOWN_NAME_KEYWORDS = new Set(['additionalProperties', 'unevaluatedProperties']);

const unescapePointer = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~');

/** `/body/connected_account/scopes/0` becomes `connected_account.scopes[0]`; a parameter keeps its name. */
export const fieldName = (place: string, steps: readonly string[]): string =>
  steps.map((step, index) => (/^\d+$/.test(step) ? `[${step}]` : index === 0 ? step : `.${step}`)).join('') ||
  place;

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
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

/** Keywords that only repeat errors of their sub-schemas, which are reported instead. */
const SUMMARIES = new Set(['propertyNames', 'allOf', 'if']);
const ALTERNATIVES = new Set(['anyOf', 'oneOf']);

/** The findings by path, so that `isRedundant` need not compare each finding with all others. */
export interface FindingsByPath {
  /** The keywords of the findings at a path. */
  readonly keywords: ReadonlyMap<string, readonly string[]>;
  /** Paths with a finding below them. */
  readonly holders: ReadonlySet<string>;
}

export const indexByPath = (findings: readonly Finding[]): FindingsByPath => {
  const keywords = new Map<string, string[]>();
  const holders = new Set<string>();
  for (const finding of findings) {
    const here = keywords.get(finding.path);
    if (here) here.push(finding.keyword);
    else keywords.set(finding.path, [finding.keyword]);
    for (let { path } = finding; path.includes('/'); path = path.slice(0, path.lastIndexOf('/')))
      if (path !== finding.path) holders.add(path);
  }
  return { keywords, holders };
};

/**
 * Whether another finding tells more about the same place. A value of the wrong type breaks every rule of the right
 * type too. If the contract allows two forms, the client meant one: an error within that form says more than "it is not
 * the other".
 */
export const isRedundant = ({ keyword, path }: Finding, { keywords, holders }: FindingsByPath): boolean => {
  if (SUMMARIES.has(keyword)) return true;
  const here = keywords.get(path) ?? [];
  const isWithin = holders.has(path);
  const hasForms = here.some((other) => ALTERNATIVES.has(other));
  if (ALTERNATIVES.has(keyword)) return isWithin || here.some((other) => !ALTERNATIVES.has(other));
  if (hasForms) return SHAPE.has(keyword) && (isWithin || here.some((other) => !SHAPE.has(other)));
  return keyword !== 'type' && here.includes('type');
};

/**
 * For the path of each object that must have at least one of several members: these members. Each alternative of the
 * object's `anyOf` requires one of them.
 */
export const choicesByPath = (findings: readonly Finding[]): ReadonlyMap<string, readonly string[]> => {
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

export const parentOf = ({ path }: Finding): string => path.slice(0, path.lastIndexOf('/'));

const SHAPE = new Set([...ALTERNATIVES, 'type', 'const']);

/** Whether an error is the package's list of what a request broke. */
export const isValidatorError = (
  error: unknown,
): error is { readonly status: number; readonly errors: readonly ValidatorError[] } =>
  isObject(error) && error.status === 400 && Array.isArray(error.errors) && isJsonObject(error.errors[0]);
