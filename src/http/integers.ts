/**
 * Integers in a query are written in decimal digits. The validator reads texts as JavaScript does, and would take
 * `1e1`, `0x5` and `1.0` for integers too.
 */

import type { FieldViolation } from '../core/errors.ts';
import { isJsonObject } from '../openapi/document.ts';
import type { ContractOperation } from '../openapi/load.ts';

/** What is wrong with the integers of a query. */
export type IntegerCheck = (query: Readonly<Record<string, unknown>>) => FieldViolation[];

export const createIntegerCheck = ({ parameters }: ContractOperation): IntegerCheck => {
  const names = parameters
    .filter((one) => one.in === 'query' && isJsonObject(one.schema) && one.schema.type === 'integer')
    .map(({ name }) => name);
  return (query) => names.flatMap((name) => checkInteger(name, query[name]));
};

/** A name that was sent twice is a list, which the validator refuses. */
const checkInteger = (field: string, value: unknown): FieldViolation[] =>
  typeof value !== 'string' || /^-?\d+$/.test(value) ? [] : [notAnInteger(field, value)];

const notAnInteger = (field: string, value: string): FieldViolation => ({
  field,
  constraint: 'type',
  description: `${field} must be integer, but was ${JSON.stringify(value.slice(0, 100))}. Write it in digits and call again.`,
});
