/** API clients of a scenario (behaviour E3). */
import { defined } from '../core/object.ts';
import type { ClientRow } from '../state.ts';
import { type FormOf, object, STRING, TEXT } from './member-schemas.ts';
import type { Section } from './section.ts';

const FORM = object({ client_id: TEXT, client_secret: TEXT, name: TEXT, scope: STRING });

export type ClientForm = FormOf<typeof FORM>;

export const clients: Section<ClientRow, ClientForm> = {
  name: 'clients',
  noun: 'client',
  example: '{ client_id: my-client, client_secret: my-secret }',
  idMember: 'client_id',
  schema: FORM,
  toRow: (_, { form: { client_id, client_secret, name, scope }, problem }) =>
    client_id === undefined || client_secret === undefined
      ? problem(undefined, 'a client needs client_id and client_secret')
      : defined({ client_id, client_secret, name, scope }),
  toForm: (_, row) => row,
};
