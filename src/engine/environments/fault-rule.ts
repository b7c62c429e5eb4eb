/** Checks faults and other conditions on calls, whether a control call or a scenario has them (behaviour N2, X7). */
import { type Contract, operationsAt } from '../contract/load.ts';
import { invalidField, Refusal } from '../core/errors.ts';
import { headersProblem } from '../core/headers.ts';
import { cut, didYouMean } from '../core/text.ts';
import type { FaultForm } from './faults.ts';

/** A fault as people write it. */
export type WrittenFault = Omit<FaultForm, 'operation'> & Partial<Pick<FaultForm, 'operation'>>;

/**
 * Reads the rule of a fault.
 * @throws Refusal 400 for an unknown operation, a `match.body` that no call can have, or a header that cannot be set
 */
export const readFault = (contract: Contract, { operation = '*', ...rest }: WrittenFault): FaultForm => {
  requireEffect(rest);
  requireHeaders(rest.headers ?? {});
  if (operation === '*') return { ...rest, operation };
  const known = requireOperation(contract, operation);
  if (rest.match?.body) requireBodyOf(contract, known, 'match.body');
  return { ...rest, operation: known };
};

const requireHeaders = (headers: Readonly<Record<string, string>>): void => {
  const found = headersProblem(headers);
  if (!found) return;
  const field = `headers.${found.name}`;
  throw invalidField(field, 'header', `${field} ${found.words}.`, found.hint);
};

const ANSWER = ['status', 'error_code', 'body'] as const;

/** Refuses a fault without an effect, or with members of which one undoes the other. @throws Refusal 400 */
const requireEffect = (rule: Omit<WrittenFault, 'operation'>): void => {
  const answers = ANSWER.filter((name) => rule[name] !== undefined);
  const needed = (rule.headers ?? rule.retry_after) ? ANSWER : ([...ANSWER, 'delay_ms', 'abort'] as const);
  if (needed.every((name) => rule[name] === undefined)) {
    const names = needed.join(', ');
    throw invalidField(names, 'anyOf', `One of these is required: ${names}.`, 'Add one.');
  }
  const [name] = rule.abort === undefined ? [] : answers;
  if (name !== undefined)
    throw invalidField(name, 'not', `${name} cannot be combined with abort.`, `Leave out ${name} or abort.`);
};

/** Finds an operation of the contract by its name. @throws Refusal 400 if no operation has the name */
export const requireOperation = (contract: Contract, name: string): string => {
  const known = contract.operations.map(({ operationId }) => operationId);
  const found = known.find((operationId) => operationId === name);
  if (found !== undefined) return found;
  throw new Refusal(
    'INVALID_ARGUMENT',
    `operation is ${JSON.stringify(cut(name))}, which is not an operation of the contract.`,
    idOfCall(contract, name) ?? (didYouMean(name, known).trim() || `The operations are ${known.join(', ')}.`),
  );
};

/** @throws Refusal 400 for a condition on the body of calls that have none: no call could meet it (behaviour N6) */
export const requireBodyOf = (contract: Contract, operation: string, field: string): void => {
  if (contract.operation(operation).definition.requestBody) return;
  throw invalidField(
    field,
    'unusable',
    `Calls of ${operation} have no body, so no call could have this ${field}.`,
    'Compare path or query instead.',
  );
};

/** Names the operation that somebody wrote as method and path. */
const idOfCall = (contract: Contract, name: string): string | undefined => {
  const [, method = '', path = ''] = /^([a-z]+)\s+(\/[^\s?]*)/i.exec(name) ?? [];
  const found = operationsAt(contract, path).find((one) => one.method === method.toLowerCase());
  return found && `That call is the operation ${found.operationId}.`;
};
