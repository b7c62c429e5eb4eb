/** API clients of a scenario (behaviour E3). */

import { defined } from '../../core/defined.ts';
import { getRow } from '../../core/table.ts';
import type { ClientRow } from '../../domain/rows.ts';
import type { RowControl } from '../row-source.ts';
import { object, type Some, TEXT } from './members.ts';
import type { Section } from './section.ts';

export type ClientForm = RowControl & Some<ClientRow>;

export const clients: Section<'clients', ClientForm> = {
  name: 'clients',
  noun: 'client',
  schema: () => object({}, { client_id: TEXT, client_secret: TEXT, name: TEXT, scope: { type: 'string' } }),
  find: (state, { client_id = '' }) => [
    { member: 'client_id', key: client_id, row: getRow(state.clients, client_id) },
  ],
  toRow: (_, { form: { client_id, client_secret, name, scope }, problem }) =>
    client_id === undefined || client_secret === undefined
      ? problem(undefined, 'a client needs client_id and client_secret')
      : defined({ client_id, client_secret, name, scope }),
  toForm: (_, row) => row,
};
