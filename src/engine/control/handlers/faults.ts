/** Handlers of calls that list, add and delete faults, with which the API fails on demand. */
import { Refusal } from '../../core/errors.ts';
import { cut } from '../../core/text.ts';
import { readFault } from '../../environments/faults.ts';
import type { Handlers } from '../call-types.ts';
import { DONE } from './shared.ts';

export const faults = {
  listFaults: (_input, { environment }) => {
    const faults = [...environment.faults.list()];
    return { status: 200, body: { faults, used_up: faults.filter(({ used_up }) => used_up).length } };
  },

  addFault: ({ body }, { environment: { faults, service } }) => ({
    status: 201,
    body: { ...faults.add(readFault(service.contract, body)) },
  }),

  deleteFaults: ({ query: { id } }, { environment: { faults } }) => {
    if (id === undefined) faults.clear();
    else if (!faults.remove(id)) throw unknownFault(id);
    return DONE;
  },
} satisfies Partial<Handlers>;

const unknownFault = (id: string): Refusal =>
  new Refusal('NOT_FOUND', `No fault has the id ${cut(id)}.`, 'GET .../faults lists all faults.');
