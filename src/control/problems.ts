/** What a validator found, in words: which member, with which value, and what it should have been. */
import type { ErrorObject } from 'ajv';
import { cut } from '../core/cut.ts';
import { DURATION_HINT, SECONDS_HINT } from '../core/duration.ts';
import { didYouMean } from '../core/nearest.ts';
import { NOUNS } from '../core/nouns.ts';
import { isJsonObject } from '../openapi/document.ts';

export interface Problems {
  /** A sentence for each. */
  readonly message: string;
  /** The nearest known names, where somebody seems to have meant one. */
  readonly hint: string | undefined;
}

/** A large body can break a rule a million times. */
const MOST_TOLD = 100;

/** Keywords that only gather what others say in detail. */
const GATHERING = new Set(['anyOf', 'oneOf', 'if']);

export const describeProblems = (errors: readonly ErrorObject[]): Problems => {
  const found = errors.filter(({ keyword }) => !GATHERING.has(keyword)).slice(0, MOST_TOLD);
  const telling = found.filter((error) => !isOtherForm(error, found));
  const hints = telling.map(hintOf).filter((hint) => hint !== '');
  return {
    message: [...new Set(telling.map(describe))].join(' '),
    hint: hints.length > 0 ? [...new Set(hints)].join(' ') : undefined,
  };
};

/** Where a value may have two forms, one was meant: what is wrong within it says more than that it is not the other. */
const isOtherForm = ({ keyword, instancePath }: ErrorObject, found: readonly ErrorObject[]): boolean =>
  keyword === 'type' &&
  found.some(
    (other) =>
      other.instancePath.startsWith(`${instancePath}/`) ||
      (other.instancePath === instancePath && other.keyword !== 'type'),
  );

const describe = (error: ErrorObject): string => {
  const { keyword, instancePath } = error;
  const field = fieldName(instancePath);
  const { missingProperty, additionalProperty, allowedValues } = paramsOf(error);
  if (keyword === 'required') return `${memberName(field, missingProperty)} is missing.`;
  if (keyword === 'additionalProperties')
    return `${JSON.stringify(cut(String(additionalProperty)))} is no ${kindOf(instancePath)} of this call.`;
  if (keyword === 'enum' && Array.isArray(allowedValues))
    return `${field} is ${shown(error.data)}, but must be one of ${allowedValues.join(', ')}.`;
  return `${field} is ${isWrittenOut(error) ? 'a text' : shown(error.data)}, but ${expected(error)}.`;
};

/** A text in the place of an object or a list is often that very thing, with all the credentials in it. */
const isWrittenOut = (error: ErrorObject): boolean =>
  typeof error.data === 'string' && /^(object|array)$/.test(String(paramsOf(error).type));

const FORMATS: Readonly<Record<string, string>> = {
  'duration-or-short': DURATION_HINT,
  'duration-of-a-second': SECONDS_HINT,
  'date-time': 'a time such as 2026-03-01T12:00:00Z',
  uri: 'an absolute URL with http or https',
};

const expected = (error: ErrorObject): string => {
  const { type } = paramsOf(error);
  if (error.keyword === 'type')
    return `must be ${[type]
      .flat()
      .map((name) => NOUNS[String(name)])
      .join(' or ')}`;
  const form = expectedForm(error);
  return form === undefined ? (error.message ?? 'must be another value') : `must be ${form}`;
};

/** What a format or a pattern stands for: a pattern's schema says it in `x-expected`, unless its format does. */
const expectedForm = ({ keyword, parentSchema = {} }: ErrorObject): string | undefined => {
  if (keyword === 'format' || keyword === 'pattern') {
    const said: unknown = keyword === 'pattern' ? parentSchema['x-expected'] : undefined;
    return typeof said === 'string' ? said : FORMATS[String(parentSchema.format)];
  }
  return undefined;
};

const hintOf = (error: ErrorObject): string => {
  const { additionalProperty, allowedValues } = paramsOf(error);
  if (error.keyword === 'additionalProperties') {
    const known = isJsonObject(error.parentSchema?.properties)
      ? Object.keys(error.parentSchema.properties)
      : [];
    return didYouMean(String(additionalProperty), known).trim();
  }
  if (error.keyword !== 'enum' || !Array.isArray(allowedValues)) return '';
  const known = allowedValues.map(String);
  return known.includes(String(error.data))
    ? `Write ${String(error.data)} without quotes.`
    : didYouMean(String(error.data), known).trim();
};

/** Which members it has depends on the keyword. */
const paramsOf = (error: ErrorObject): Readonly<Record<string, unknown>> => error.params;

/** `/body/settings/rate_limit` is `settings.rate_limit`, `/query/min` is `min`, `/body` is `the body`. */
const fieldName = (pointer: string): string => {
  const steps = pointer.split('/').slice(2);
  return steps.length === 0 ? 'the body' : steps.join('.');
};

const memberName = (field: string, member: unknown): string =>
  field === 'the body' ? String(member) : `${field}.${String(member)}`;

const kindOf = (pointer: string): string =>
  pointer.startsWith('/query') ? 'query parameter' : 'member of the body';

const shown = (value: unknown): string => {
  if (typeof value === 'bigint') return `${value}n`;
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' && value !== null ? 'an object' : cut(JSON.stringify(value) ?? 'missing');
};
