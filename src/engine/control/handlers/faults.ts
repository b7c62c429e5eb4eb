/** Handlers of calls that list, add and delete faults, with which the API fails on demand. */
import type { Contract } from '../../contract/load.ts';
import { invalidField, Refusal } from '../../core/errors.ts';
import { headersProblem } from '../../core/headers.ts';
import { cut } from '../../core/text.ts';
import type { FaultForm } from '../../environments/faults.ts';
import type { ControlSchemas, Handlers } from '../call-types.ts';
import { DONE, requireBodyOf, requireOperation } from './shared.ts';

export const faults = {
  listFaults: (_input, { environment }) => {
    const faults = [...environment.faults.list()];
    return { status: 200, body: { faults, used_up: faults.filter(({ used_up }) => used_up).length } };
  },

  addFault: ({ body }, { environment: { faults, service } }) => ({
    status: 201,
    body: { ...faults.add(readRule(service.contract, body)) },
  }),

  deleteFaults: ({ query: { id } }, { environment: { faults } }) => {
    if (id === undefined) faults.clear();
    else if (!faults.remove(id)) throw unknownFault(id);
    return DONE;
  },
} satisfies Partial<Handlers>;

/**
 * Reads the rule of a fault.
 * @throws Refusal 400 for an unknown operation, a `match.body` that no call can have, or a header that cannot be set
 */
const readRule = (
  contract: Contract,
  { operation = '*', ...rest }: ControlSchemas['FaultRule'],
): FaultForm => {
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

const unknownFault = (id: string): Refusal =>
  new Refusal('NOT_FOUND', `No fault has the id ${cut(id)}.`, 'GET .../faults lists all faults.');
