/**
 * What the validator found, told so that a caller can mend it (behaviour R1, R2): EOV's violations name neither the
 * offending key nor its value, so both are read from the request. Values of credentials are never shown.
 */
import { cut } from '../core/cut.ts';
import { type FieldViolation, MOST_VIOLATIONS } from '../core/errors.ts';
import { isSecretName } from '../environments/masking.ts';
import type { Sent, Violation } from './validator.ts';

/**
 * All violations of a request, each with field, constraint and a sentence; of a great many, about those that are told.
 * The validator says what is wrong with names once for each, and each time all of them are looked at: tens of thousands
 * squared, but for the end of this loop.
 */
export const readViolations = (errors: readonly Violation[], sent: Sent): FieldViolation[] => {
  const unique = new Map<string, FieldViolation>();
  for (const error of errors) {
    if (unique.size > MOST_VIOLATIONS) break;
    for (const violation of toViolations(error, sent))
      unique.set(`${violation.field}\n${violation.description}`, violation);
  }
  return [...unique.values()];
};

/** Keywords that only gather what others say in detail. */
const GATHERING = new Set(['propertyNames', 'anyOf', 'oneOf', 'allOf', 'if']);

const toViolations = ({ path, message, errorCode }: Violation, sent: Sent): FieldViolation[] => {
  const constraint = (errorCode ?? 'invalid').split('.')[0] ?? 'invalid';
  const [, place = '', ...steps] = path.split('/').map(unescapePointer);
  const field = fieldName(place, steps);
  if (GATHERING.has(constraint))
    return constraint === 'anyOf' || constraint === 'oneOf' ? [whole(field, constraint, message)] : [];
  const value = valueAt(sent, place, steps);
  if (constraint === 'required') return [missing(field)];
  const isAboutNames = isObject(value) && NAME_KEYWORDS.has(constraint);
  if (isAboutNames) return namesAt(field, value, constraint, message);
  return [
    {
      field,
      constraint,
      description: `${field} ${message}${shown(message, steps, value)}. Change it and call again.`,
    },
  ];
};

const NAME_KEYWORDS = new Set(['minLength', 'maxLength', 'pattern']);

const whole = (field: string, constraint: string, message: string): FieldViolation => ({
  field,
  constraint,
  description: `${field} ${message}.`,
});

const missing = (field: string): FieldViolation => ({
  field,
  constraint: 'required',
  description: `${field} is missing. Add it and call again.`,
});

/** Behaviour X1: a rule about the names of members is about each name that breaks it. */
const namesAt = (field: string, value: object, constraint: string, message: string): FieldViolation[] => {
  const limit = Number(/\d+/.exec(message)?.[0]);
  const breaks = (name: string): boolean => {
    const length = [...name].length;
    return constraint === 'minLength' ? length < limit : constraint === 'maxLength' ? length > limit : true;
  };
  return Object.keys(value)
    .filter(breaks)
    .slice(0, MOST_VIOLATIONS + 1)
    .map((name) => ({
      field: `${field}.${cut(name)}`,
      constraint,
      description: `The key ${JSON.stringify(cut(name))} of ${field} ${message}. Rename it and call again.`,
    }));
};

/** `/body/connected_account/scopes/0` is `connected_account.scopes[0]`; a parameter is its own name. */
const fieldName = (place: string, steps: readonly string[]): string => {
  if (steps.length === 0) return place === 'body' ? 'body' : place;
  return steps
    .map((step, index) => (/^\d+$/.test(step) ? `[${step}]` : index === 0 ? step : `.${step}`))
    .join('');
};

const unescapePointer = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~');

const valueAt = (sent: Sent, place: string, steps: readonly string[]): unknown => {
  let value: unknown = place === 'query' ? sent.query : place === 'params' ? sent.params : sent.body;
  for (const step of steps) {
    if (!isObject(value) || !Object.hasOwn(value, step)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[step];
  }
  return value;
};

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/**
 * The value, cut short; nothing at all where a credential may stand. A text in the place of an object is often that
 * object, written as a text, with all it holds, so it is not told either.
 */
const shown = (message: string, steps: readonly string[], value: unknown): string => {
  if (value === undefined || steps.some((step) => step === 'details' || isSecretName(step))) return '';
  if (isObject(value)) return Array.isArray(value) ? ', but was an array' : ', but was an object';
  if (typeof value === 'string' && /^must be (object|array)/.test(message)) return ', but was a string';
  return `, but was ${cut(JSON.stringify(value))}`;
};
