/**
 * Turns errors of express-openapi-validator into sentences that say what to send (behaviour R1, R2). The errors name
 * neither the wrong key nor the value, so both are read from the request, and the allowed values from the contract. A
 * message never shows a regular expression or a credential.
 */
import { type FieldViolation, MOST_VIOLATIONS } from '../core/errors.ts';
import { didYouMean } from '../core/nearest.ts';
import { isSecretName, mentionsSecret } from '../core/secrets.ts';
import { cut } from '../core/text.ts';
import type { Contract, ContractOperation } from '../openapi/load.ts';
import { allowedBy, nounOf, requirementOf } from '../openapi/words.ts';
import {
  choicesByPath,
  type Finding,
  fieldName,
  type Input,
  indexByPath,
  isObject,
  isRedundant,
  parentOf,
  readFindings,
  UNKNOWN_NAME_KEYWORDS,
  type ValidatorError,
} from './findings.ts';
import { unknownName } from './names.ts';

/**
 * All problems of a request, each with field, constraint and a sentence; at most about a hundred.
 * @param input as the validator saw it
 */
export const describeViolations = <Id extends string>(
  contract: Contract<Id>,
  operation: ContractOperation<Id>,
  errors: readonly ValidatorError[],
  input: Input,
): FieldViolation[] => {
  const findings = readFindings(contract, operation, errors, input);
  const choices = choicesByPath(findings);
  const byPath = indexByPath(findings);
  const unique = new Map<string, FieldViolation>();
  for (const finding of findings) {
    if (unique.size > MOST_VIOLATIONS) break;
    const choice = finding.keyword === 'anyOf' ? choices.get(finding.path) : undefined;
    const isOfChoice = finding.keyword === 'required' && choices.has(parentOf(finding));
    if (!choice && (isOfChoice || isRedundant(finding, byPath))) continue;
    for (const violation of choice ? [missingChoice(choice)] : toViolations(finding))
      unique.set(`${violation.field}\n${violation.description}`, violation);
  }
  return [...unique.values()];
};

const missingChoice = (fields: readonly string[]): FieldViolation => {
  const names = fields.join(', ');
  return {
    field: names,
    constraint: 'anyOf',
    description: `One of these is missing: ${names}.`,
    advice: 'Add one.',
  };
};

const NAME_KEYWORDS = new Set(['minLength', 'maxLength', 'pattern']);

const toViolations = (finding: Finding): FieldViolation[] => {
  const { keyword: constraint, field, value } = finding;
  if (isObject(value) && NAME_KEYWORDS.has(constraint)) return violationsOfNames(finding, value);
  if (UNKNOWN_NAME_KEYWORDS.has(constraint)) return [unknownMember(finding)];
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

/** A rule about the names of members makes one violation for each name that breaks it (behaviour X1). */
const violationsOfNames = ({ field, keyword, message }: Finding, value: object): FieldViolation[] => {
  const limit = Number(/\d+/.exec(message)?.[0]); // read from the message, since `described.forms` does not include the schema in `propertyNames`
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
      description: `The key ${JSON.stringify(cut(name))} of ${field} ${requirementOf(keyword, [{ [keyword]: limit }])}.`,
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

/** The listed value that the client probably meant. */
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
  const is = shownValue(finding);
  return is === undefined
    ? `${field} ${requirement(finding)}.`
    : `${field} is ${is}, but ${requirement(finding)}.`;
};

/** The part of a sentence that says what the value must be. A `type` error may list types of several forms. */
const requirement = ({ keyword, message, described }: Finding): string =>
  keyword === 'type'
    ? `must be ${nounOf(message.replace('must be ', '').split(','))}`
    : requirementOf(keyword, described?.forms ?? []);

/**
 * The value, cut short; undefined where a credential may stand. A text sent instead of an object is often that object
 * as JSON, so it is not shown either.
 */
const shownValue = ({ keyword, message, steps, value }: Finding): string | undefined => {
  if (value === undefined || steps.some((step) => step === 'details' || isSecretName(step))) return undefined;
  if (typeof value === 'string' && mentionsSecret(value)) return 'a text';
  if (isObject(value)) return Array.isArray(value) ? 'a list' : 'an object';
  if (typeof value === 'string' && keyword === 'type' && /object|array/.test(message)) return 'a text';
  return cut(JSON.stringify(value));
};
