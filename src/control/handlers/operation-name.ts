/** Names of the contract's operations, where a caller writes one. */

import { didYouMean } from '../../core/nearest.ts';
import type { Environments } from '../../environments/environments.ts';
import type { OperationId } from '../../openapi/types.ts';
import { ControlError } from '../errors.ts';

/** @param field where it was written @throws ControlError 400 for a name that no operation has */
export const requireOperation = ({ surfaces }: Environments, field: string, name: string): OperationId => {
  const known = surfaces.all().map(({ operationId }) => operationId);
  const found = known.find((operationId) => operationId === name);
  if (found !== undefined) return found;
  throw new ControlError(
    'INVALID_ARGUMENT',
    `${field} is ${JSON.stringify(name.slice(0, 100))}, which is no operation of the contract.`,
    didYouMean(name, known).trim() || `There are ${known.join(', ')}.`,
  );
};
