/** Handlers of calls that list, add and delete faults, with which the API fails on demand. */
import { Refusal } from '../../../core/errors.ts';
import { HEADER_HINT, headersProblem } from '../../../core/headers.ts';
import { cut } from '../../../core/text.ts';
import { requireFewItems } from '../../../model/environments/call-match.ts';
import type { Environments } from '../../../model/environments/environments.ts';
import type { FaultRule } from '../../../model/environments/faults.ts';
import type { ControlSchemas, Handlers } from '../types.ts';
import { DONE, requireOperation } from './shared.ts';

export const faults = {
  listFaults: (_input, { environment }) => {
    const faults = [...environment.faults.list()];
    return { status: 200, body: { faults, used_up: faults.filter(({ used_up }) => used_up).length } };
  },

  addFault: ({ body }, { environments, environment: { faults } }) => ({
    status: 201,
    body: { ...faults.add(readRule(environments, body)) },
  }),

  deleteFaults: ({ query: { id } }, { environment: { faults } }) => {
    if (id === undefined) faults.clear();
    else if (!faults.remove(id)) throw unknownFault(id);
    return DONE;
  },
} satisfies Partial<Handlers>;

/**
 * Reads the rule of a fault.
 * @throws Refusal 400 for an unknown operation, too many list items in `match.body`, or a header that cannot be set
 */
const readRule = (
  environments: Environments,
  { operation = '*', ...rest }: ControlSchemas['FaultRule'],
): FaultRule => {
  requireFewItems(rest.match?.body);
  requireHeaders(rest.headers ?? {});
  return { ...rest, operation: operation === '*' ? '*' : requireOperation(environments, operation) };
};

const requireHeaders = (headers: Readonly<Record<string, string>>): void => {
  const problem = headersProblem(headers);
  if (problem !== undefined) throw new Refusal('INVALID_ARGUMENT', `${problem}.`, HEADER_HINT);
};

const unknownFault = (id: string): Refusal =>
  new Refusal('NOT_FOUND', `No fault has the id ${cut(id)}.`, 'GET .../faults lists all faults.');
