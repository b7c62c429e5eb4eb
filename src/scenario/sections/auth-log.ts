/** Entries of a scenario's sign-in log (behaviour L1). */

import { getRow } from '../../core/table.ts';
import { connectionMembers } from '../../domain/auth-log.ts';
import type { AuthLogRow } from '../../domain/rows.ts';
import type { State } from '../../domain/state.ts';
import type { RowControl } from '../row-source.ts';
import { formatTime, momentOr } from '../times.ts';
import { contract, extend, TOKEN, type ValueOf } from './members.ts';
import { CONNECTION, ORGANIZATION } from './references.ts';
import { requireAgreement, type Section, withoutDerived } from './section.ts';

const FORM = extend(contract('AuthenticationRequest'), {
  auth_request_id: TOKEN,
  organization_id: ORGANIZATION.schema,
  connection_id: CONNECTION.schema,
});

type AuthLogForm = RowControl & ValueOf<typeof FORM>;

export const authLog: Section<'authentication_requests', AuthLogForm> = {
  name: 'authentication_requests',
  noun: 'sign-in log entry',
  title: ({ email = '' }) => `of ${email}`,
  idMember: 'auth_request_id',
  keys: [],
  references: { organization_id: ORGANIZATION, connection_id: CONNECTION },
  schema: FORM,
  toRow: (writing, written) => {
    const { environment_id: _, timestamp, ...form } = written.form;
    requireAgreement(written, 'environment_id', writing.environmentId, 'for every entry of this environment');
    return {
      ...followsFrom(writing.state, form.connection_id),
      status: 'SUCCESS' as const,
      ...form,
      auth_request_id: writing.token(form.auth_request_id),
      timestamp: momentOr(timestamp, writing.clock.now),
    };
  },
  toForm: (state, { auth_request_id, timestamp, ...row }) => {
    const { connection_id: _, ...follows } = followsFrom(state, row.connection_id);
    return {
      auth_request_id,
      timestamp: formatTime(timestamp),
      ...withoutDerived(row, { status: 'SUCCESS', ...follows }),
    };
  },
};

/** What follows from the connection that was used. */
const followsFrom = ({ connections }: State, used = ''): Partial<AuthLogRow> => {
  const connection = getRow(connections, used);
  return connection ? connectionMembers(connection) : {};
};
