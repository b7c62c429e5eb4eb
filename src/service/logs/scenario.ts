/** Entries of a scenario's sign-in log (behaviour L1). */
import { defined } from '../../engine/core/object.ts';
import { getRow, select, takeSelected } from '../../engine/core/table.ts';
import { extend, type FormOf, oneOf, TOKEN } from '../../engine/scenario/member-schemas.ts';
import { findNamed } from '../../engine/scenario/section.ts';
import { momentOr } from '../../engine/scenario/times.ts';
import { CONNECTION, ORGANIZATION } from '../references.ts';
import { contract, type NounSection } from '../section.ts';
import { connectionMembers, latestFirst } from './rules.ts';

const FORM = extend(contract('AuthenticationRequest'), {
  auth_request_id: TOKEN,
  organization_id: ORGANIZATION.schema,
  connection_id: CONNECTION.schema,
  client_type: oneOf('ENV', 'NTV', 'SPA', 'M2M'),
});

export const logsSection: NounSection<'authentication_requests', FormOf<typeof FORM>> = {
  name: 'authentication_requests',
  noun: 'sign-in log entry',
  example: '{ email: ada@acme.test, status: SUCCESS, timestamp: -1h }',
  idMember: 'auth_request_id',
  references: { organization_id: ORGANIZATION, connection_id: CONNECTION },
  copies: ['organization_id'],
  names: (row) =>
    [row, ...(row.connection_details ?? [])].flatMap(({ connection_id, organization_id }) => [
      `connections/${connection_id}`,
      `organizations/${organization_id}`,
    ]),
  schema: FORM,
  replaces: { connection_id: ['connection_details'] },
  toRow: (open, written) => {
    const { environment_id = open.environmentId, timestamp, connection_details, ...form } = written.form;
    if (environment_id !== open.environmentId)
      written.problem('environment_id', `must be ${open.environmentId}`);
    const used = getRow(open.state.connections, form.connection_id ?? '');
    const members = used && connectionMembers(used);
    const details = connection_details?.map((detail, index) => {
      const place = (member: string) => ['connection_details', index, member];
      const connection = findNamed(open, written, place('connection_id'), CONNECTION, detail.connection_id);
      const { id: organization_id } =
        findNamed(open, written, place('organization_id'), ORGANIZATION, detail.organization_id) ?? {};
      const own = { ...detail, ...defined({ organization_id }) };
      return connection ? { ...own, ...connectionMembers(connection).connection_details[0] } : own;
    });
    return {
      status: 'SUCCESS' as const,
      ...members,
      ...form,
      ...(used && { connection_provider: used.provider, connection_type: used.type }),
      ...(details && { connection_details: details }),
      auth_request_id: open.token(form.auth_request_id),
      timestamp: momentOr(timestamp, open.now),
    };
  },
  /** From the oldest to the newest entry, so that entries with equal times keep their order when they are loaded. */
  inOrder: ({ authentication_requests }, { start }) =>
    takeSelected(latestFirst(select(authentication_requests, {}), start), Infinity, 'backward').map(
      ({ row }) => row,
    ),
  toForm: (_, { timestamp, ...row }, { time }) => ({ ...row, timestamp: time(timestamp) }),
};
