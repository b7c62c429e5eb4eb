/**
 * Explains a broken schema rule: what the schema expects, what the scenario holds, and what the user probably meant.
 */
import type { ErrorObject } from 'ajv';
import { valueAt } from '../core/object.ts';
import { cut, didYouMean } from '../core/text.ts';
import { nounOf, requirementOf } from '../openapi/words.ts';
import { FORMATS } from './formats.ts';
import type { Path } from './problem.ts';
import { ALL_SECTIONS, SECTIONS } from './sections/index.ts';

type Say = (params: Readonly<Record<string, unknown>>, error: ErrorObject) => string;

const KEYWORDS: Readonly<Record<string, Say>> = {
  additionalProperties: (params, { parentSchema }) => {
    const known = Object.keys((parentSchema?.properties as object | undefined) ?? {}); // a schema's `properties` is an object
    const name = String(params.additionalProperty);
    if (known.includes('environments') && OF_ENVIRONMENTS.has(name))
      return `${name} belongs below an environment: write it under environments.development`;
    return `there is no member "${name}" here.${didYouMean(name, known) || ` Known are ${known.join(', ')}.`}`;
  },
  required: (params) => `needs a member ${String(params.missingProperty)}`,
  enum: (params, { data }) => {
    const allowed = [params.allowedValues].flat().map(String);
    return `must be one of ${allowed.join(', ')}.${typeof data === 'string' ? didYouMean(data, allowed) : ''}`;
  },
  type: (params, { data, parentSchema }) => {
    const types = [params.type].flat().map(String);
    const isUnquoted = types.includes('string') && (typeof data === 'number' || typeof data === 'boolean');
    const format = FORMATS[String(parentSchema?.format)]?.expected;
    if (isUnquoted && format !== undefined) return `must be ${format}`;
    const isNumber = valueAt(data, 'n') === null; // YAML reads {n} without quotes as an object
    const advice = isNumber ? '; write {n} in quotes' : isUnquoted ? '; write it in quotes' : '';
    return `must be ${nounOf(types)}${advice}`;
  },
};

const OF_ENVIRONMENTS: ReadonlySet<string> = new Set([
  ...SECTIONS.map(({ name }) => name),
  'clients',
  'access_tokens',
  'settings',
]);

const EXAMPLES = new Map(ALL_SECTIONS.map(({ name, example }) => [String(name), example]));

/** Members that hold credentials. Messages never show their values (behaviour R2). */
const SECRET = new Set([
  'client_secret',
  'access_tokens',
  'authorization_details',
  'token',
  'auth_request_id',
]);

/** Writes the message for a broken rule. @param path the place of the value */
export const describeProblem = (error: ErrorObject, path: Path): string => {
  const say = KEYWORDS[error.keyword];
  const problem = say
    ? say(error.params, error)
    : requirementOf(error.keyword, [error.parentSchema ?? {}], FORMATS);
  const [list, index] = path.slice(-2);
  const example = EXAMPLES.get(String(list));
  if (error.keyword === 'type' && typeof index === 'number' && example)
    return `must be a row such as ${example}`;
  if (error.propertyName !== undefined) return `the name "${error.propertyName}" ${problem}`;
  const { data } = error;
  const isShown = error.keyword !== 'required' && ['string', 'number', 'boolean'].includes(typeof data);
  if (!isShown || isWrittenOut(error) || path.some((part) => SECRET.has(String(part)))) return problem;
  return `${cut(JSON.stringify(data))} ${problem}`;
};

/**
 * Whether a text stands where the schema expects an object or list. Such a text is often that object as a string, with
 * credentials in it, so messages never show it.
 */
const isWrittenOut = ({ keyword, params, data }: ErrorObject): boolean =>
  keyword === 'type' && typeof data === 'string' && /^(object|array)$/.test(String(params.type));
