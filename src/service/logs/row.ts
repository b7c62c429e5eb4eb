/** Entries of the log of authentication requests, as their table holds them. */
import { type Moment, sortable } from '../../engine/core/moment.ts';
import { createTable } from '../../engine/core/table.ts';
import type { Schemas } from '../contract.ts';

/** An entry of the authentication request log (behaviour L1). */
export type AuthLogRow = Omit<Schemas['AuthenticationRequest'], 'timestamp' | 'environment_id'> & {
  readonly auth_request_id: string;
  readonly status: Schemas['AuthenticationRequestStatus'];
  readonly timestamp: Moment;
};

/** Sorted by time, not by the order of logging; all absolute times stand before all relative ones. */
export const authentication_requests = createTable({
  id: (row: AuthLogRow) => row.auth_request_id,
  position: (row, sequence) => `${sortable(row.timestamp)}.${String(sequence).padStart(12, '0')}`,
  indexes: {
    email: (row) => row.email?.toLowerCase(),
    status: (row) => row.status,
    resource_id: (row) => row.resource_id,
    client_id: (row) => row.client_id,
  },
});
