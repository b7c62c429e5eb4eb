/** Whether the contract refuses each body that has certain members, as a stub for an operation must (behaviour X6). */
import { Ajv, type ValidateFunction } from 'ajv';
import { lazily } from '../core/object.ts';
import type { Contract, ContractOperation } from './load.ts';
import { mediaOf } from './members.ts';
import { FORMATS } from './words.ts';

/** @param part members that each of the bodies has */
export const refusesBody = (
  contract: Contract,
  { operationId }: ContractOperation,
  part: object | undefined,
): boolean => part !== undefined && !checksOf(contract)(operationId)(withoutAbsent(part));

const checksOf = lazily(({ operation }: Contract) => {
  const ajv = new Ajv({ strict: false, logger: false, formats: FORMATS });
  return lazily((operationId: string): ValidateFunction => {
    const schema = mediaOf(operation(operationId).definition.requestBody)?.schema ?? {};
    return ajv.compile(Object(openEnded(schema)));
  });
});

/** Keywords that further members can still meet. */
const OPEN_ENDED = /^(?:required|minItems|minProperties|contains|not|if|dependent\w+)$/;

/** A schema that refuses a value only for the members that it has. */
const openEnded = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(openEnded);
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(([keyword]) => !OPEN_ENDED.test(keyword));
  // A part can fit several alternatives.
  return Object.fromEntries(
    kept.map(([keyword, part]) => [keyword === 'oneOf' ? 'anyOf' : keyword, openEnded(part)]),
  );
};

/** Without members that count as absent (behaviour T5), which decide nothing. */
const withoutAbsent = (part: object): unknown =>
  JSON.parse(JSON.stringify(part), (_name, value) => {
    if (Array.isArray(value)) return value.filter(() => true); // without holes
    return value === null || value === '' ? undefined : value;
  });
