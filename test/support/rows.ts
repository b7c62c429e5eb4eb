/** Rows for tests of the core: whole ones from the few members that matter. */
import { fromStart } from '../../src/core/moment.ts';
import type { AccountRow, ConnectionRow } from '../../src/domain/rows.ts';

/** A completed, enabled connection; its id and provider_key follow from `key_id`. */
export const connectionRow = (
  given: Partial<ConnectionRow> & Pick<ConnectionRow, 'key_id' | 'type'>,
): ConnectionRow => ({
  id: `conn_${given.key_id}`,
  enabled: true,
  status: 'COMPLETED',
  provider: 'CUSTOM',
  provider_key: given.key_id,
  domains: [],
  serverless: false,
  scopes: [],
  ...given,
});

/** An account of `connector`, without credentials and PENDING_AUTH unless told otherwise. */
export const accountRow = (
  given: Partial<AccountRow> & Pick<AccountRow, 'id' | 'connector' | 'identifier'>,
): AccountRow => ({
  connection_id: `conn_${given.connector}`,
  provider: given.connector.toUpperCase(),
  authorization_type: 'OAUTH',
  stored_status: 'PENDING_AUTH',
  refresh: 'grant',
  updated_at: fromStart(0),
  api_config: {},
  ...given,
});
