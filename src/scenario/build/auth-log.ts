/** Authentication request log entries of a scenario (behaviour L1). */

import type { AuthLogRow, ConnectionRow, OrganizationRow } from '../../domain/rows.ts';
import type { Schemas } from '../../openapi/types.ts';
import type { Draft } from '../draft.ts';
import { momentOr } from '../times.ts';
import type { AuthLogForm } from '../written.ts';
import { type Build, fault, tokenOr } from './build.ts';
import type { Register } from './register.ts';

export const buildAuthLog = (
  build: Build,
  drafts: readonly Draft<AuthLogForm>[],
  organizations: Register<OrganizationRow>,
  connections: Register<ConnectionRow>,
): readonly AuthLogRow[] => {
  const seen = new Set<string>();
  return drafts.map((draft) => {
    // An entry belongs to the environment it stands in, whatever it says.
    const { repeat: _, remove: _remove, environment_id: _environment, timestamp, ...form } = draft.form;
    const organization = organizations.refer(draft, 'organization_id', form.organization_id);
    const connection = connections.refer(draft, 'connection_id', form.connection_id);
    const auth_request_id = tokenOr(build, form.auth_request_id);
    if (seen.has(auth_request_id))
      fault(build, draft, 'auth_request_id', 'another entry has this auth_request_id');
    seen.add(auth_request_id);
    return {
      ...(connection && connectionMembers(connection)),
      status: 'SUCCESS' as const,
      ...form,
      auth_request_id,
      ...(organization && { organization_id: organization.id }),
      ...(connection && { connection_id: connection.id }),
      timestamp: momentOr(timestamp, build.clock.now),
    };
  });
};

/** What an entry says of the connection that was used. */
const connectionMembers = ({
  id,
  provider,
  type,
  organization_id,
}: ConnectionRow): Partial<Schemas['AuthenticationRequest']> => {
  const members = {
    connection_id: id,
    connection_provider: provider,
    connection_type: type,
    ...(organization_id !== undefined && { organization_id }),
  };
  return { ...members, connection_details: [members] };
};
