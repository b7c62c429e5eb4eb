/** Authentication request logs (behaviour L1): entries in order of time, whatever the order they came in. */
import type { Schemas } from '../contract/types.ts';
import { type Moment, sortable } from '../core/moment.ts';
import type { TableSpec } from '../core/table.ts';

export type AuthLogRow = Omit<Schemas['AuthenticationRequest'], 'timestamp'> & {
  readonly auth_request_id: string;
  readonly status: Schemas['AuthenticationRequestStatus'];
  readonly timestamp: Moment;
};

export const AUTH_LOG: TableSpec<AuthLogRow, 'email' | 'status' | 'resource_id' | 'client_id'> = {
  id: (row) => row.auth_request_id,
  position: (row, sequence) => `${sortable(row.timestamp)}.${String(sequence).padStart(12, '0')}`,
  indexes: {
    email: (row) => row.email?.toLowerCase(),
    status: (row) => row.status,
    resource_id: (row) => row.resource_id,
    client_id: (row) => row.client_id,
  },
};
