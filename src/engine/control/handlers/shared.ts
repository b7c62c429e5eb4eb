/** What several handlers of the control plane use. */

import type { OperationId } from '../../../service/contract.ts';
import { findByName, type NamedRows } from '../../../service/find-by-name.ts';
import type { State } from '../../../service/state.ts';
import { loadContract, operationsAt } from '../../contract/load.ts';
import { Refusal } from '../../core/errors.ts';
import type { Effects, Env } from '../../core/operation.ts';
import { cut, didYouMean } from '../../core/text.ts';
import { runStep } from '../../environments/environment.ts';
import type { EnvironmentContext } from '../call-types.ts';

/** The answer of a call that has nothing to return. */
export const DONE = { status: 200, body: {} } as const;

/** Runs an operation or a simulation in an environment, and commits its effects. @throws its refusals */
export const runIn = <Given, Outcome extends Effects & { readonly reply?: unknown }>(
  { environment }: EnvironmentContext,
  act: (state: State, given: Given, env: Env) => Outcome,
  given: Given,
): Outcome => runStep(environment, (state, env) => act(state, given, env));

/** Finds an operation of the contract by its name. @throws Refusal 400 if no operation has the name */
export const requireOperation = (name: string): OperationId => {
  const known = loadContract().operations.map(({ operationId }) => operationId);
  const found = known.find((operationId) => operationId === name);
  if (found !== undefined) return found;
  throw new Refusal(
    'INVALID_ARGUMENT',
    `operation is ${JSON.stringify(cut(name))}, which is not an operation of the contract.`,
    idOfCall(name) ?? (didYouMean(name, known).trim() || `The operations are ${known.join(', ')}.`),
  );
};

/** Names the operation that somebody wrote as method and path. */
const idOfCall = (name: string): string | undefined => {
  const [, method = '', path = ''] = /^([a-z]+)\s+(\/[^\s?]*)/i.exec(name) ?? [];
  const found = operationsAt(loadContract(), path).find((one) => one.method === method.toLowerCase());
  return found && `That call is the operation ${found.operationId}.`;
};

/** The id of the row with this id or natural key. If no row has it, `named` itself, which the simulation refuses. */
export const idOf = ({ environment }: EnvironmentContext, kind: keyof NamedRows, named: string): string =>
  findByName(environment.current.data, kind, named)?.id ?? named;
