/** Makes whole rows for tests of the core from the few members that matter. */
import { fromStart } from '../../src/engine/core/moment.ts';
import type { AccountRow, ConnectionRow } from '../../src/service/state.ts';

/** A completed, enabled connection. `key_id` gives its id and provider_key. */
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

/** An account of `connector`. Default: PENDING_AUTH without credentials. */
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
