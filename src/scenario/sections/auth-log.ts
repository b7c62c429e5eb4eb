/** Entries of a scenario's sign-in log (behaviour L1). */

import { defined } from '../../core/defined.ts';
import { allRows, getRow } from '../../core/table.ts';
import type { AuthLogRow, ConnectionRow } from '../../domain/rows.ts';
import type { State } from '../../domain/state.ts';
import type { Schemas } from '../../openapi/types.ts';
import type { RowControl } from '../row-source.ts';
import { formatTime, momentOr } from '../times.ts';
import { CONNECTION_NAME, ORGANIZATION_NAME, object, type Some, TOKEN } from './members.ts';
import { CONNECTION, ORGANIZATION, refer } from './references.ts';
import { requireAgreement, type Section, unless } from './section.ts';

export type AuthLogForm = RowControl & Some<Schemas['AuthenticationRequest']>;

export const authLog: Section<'authentication_requests', AuthLogForm> = {
  name: 'authentication_requests',
  noun: 'sign-in log entry',
  title: ({ email = '' }) => `of ${email}`,
  idMember: 'auth_request_id',
  keys: [],
  names: {
    organizations: (state, { id }) => entries(state, (row) => row.organization_id === id),
    connections: (state, { id }) => entries(state, (row) => row.connection_id === id),
  },
  schema: (contract) =>
    object(contract('AuthenticationRequest'), {
      auth_request_id: TOKEN,
      organization_id: ORGANIZATION_NAME,
      connection_id: CONNECTION_NAME,
    }),

  toRow: (writing, written) => {
    const { repeat: _, remove: _remove, environment_id: _environment, timestamp, ...form } = written.form;
    requireAgreement(written, 'environment_id', writing.environmentId, 'for every entry of this environment');
    const organization = refer(writing, written, 'organization_id', ORGANIZATION, form.organization_id);
    const connection = refer(writing, written, 'connection_id', CONNECTION, form.connection_id);
    return {
      ...(connection && connectionMembers(connection)),
      status: 'SUCCESS' as const,
      ...form,
      auth_request_id: writing.token(form.auth_request_id),
      ...(organization && { organization_id: organization.id }),
      ...(connection && { connection_id: connection.id }),
      timestamp: momentOr(timestamp, writing.clock.now),
    };
  },
  toForm: (state, { auth_request_id, timestamp, organization_id, connection_id, ...row }) => {
    const connection = getRow(state.connections, connection_id ?? '');
    const follows = { status: 'SUCCESS', ...(connection && connectionMembers(connection)) };
    const said = Object.entries(row).filter(
      ([name, value]) => unless(value, Reflect.get(follows, name)) !== undefined,
    );
    const isDerived = organization_id === connection?.organization_id;
    return {
      auth_request_id,
      timestamp: formatTime(timestamp),
      ...(Object.fromEntries(said) as AuthLogForm), // its own members
      ...defined({
        organization_id: isDerived
          ? undefined
          : organization_id && ORGANIZATION.nameOf(state, organization_id),
        connection_id: connection_id && CONNECTION.nameOf(state, connection_id),
      }),
    };
  },
};

const entries = (state: State, test: (row: AuthLogRow) => boolean): readonly AuthLogRow[] =>
  [...allRows(state.authentication_requests)].filter(test);

/** What an entry says of the connection that was used. */
const connectionMembers = ({ id, provider, type, organization_id }: ConnectionRow): Partial<AuthLogRow> => {
  const members = {
    connection_id: id,
    connection_provider: provider,
    connection_type: type,
    ...defined({ organization_id }),
  };
  return { ...members, connection_details: [members] };
};
