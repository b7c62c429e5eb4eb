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
): boolean => {
  const check = checksOf(contract)(operationId);
  const isRefused = part !== undefined && !check(withoutAbsent(part));
  return isRefused && check.errors?.some(({ schemaPath }) => !OPEN_ENDED.test(schemaPath)) === true;
};

const checksOf = lazily(({ operation }: Contract) => {
  const ajv = new Ajv({ strict: false, logger: false, formats: FORMATS, allErrors: true });
  return lazily(
    (id: string): ValidateFunction =>
      ajv.compile(mediaOf(operation(id).definition.requestBody)?.schema ?? {}),
  );
});

/** What further members can still meet; of alternatives, any may be meant. */
const OPEN_ENDED = /\/(?:required|minItems|minProperties|contains|not|if|anyOf|oneOf|dependent\w+)(?:\/|$)/;

/** Without members that count as absent (behaviour T5), which decide nothing. */
const withoutAbsent = (part: object): unknown =>
  JSON.parse(JSON.stringify(part), (_name, value) => {
    if (Array.isArray(value)) return value.filter(() => true); // without holes
    return value === null || value === '' ? undefined : value;
  });
