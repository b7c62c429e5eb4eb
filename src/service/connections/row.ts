/** Connections, as their table holds them. */
import { createTable } from '../../engine/core/table.ts';
import type { Schemas } from '../contract.ts';

/** Either a connector, which has accounts, or a connection through which an organization's users sign in. */
export interface ConnectionRow extends Omit<Schemas['Connection'], 'organization_name'> {
  readonly key_id: string;
  readonly enabled: boolean;
  readonly status: Schemas['ConnectionStatus'];
  readonly type: Schemas['ConnectionType'];
  readonly provider: Schemas['ConnectionProvider'];
  readonly provider_key: string;
  readonly domains: string[];
  /** Whether a TRUSTED_IDP connection needs no `db_user` (behaviour A6). */
  readonly serverless: boolean;
  /** Scopes that a consent page asks for. */
  readonly scopes: readonly string[];
}

export const connections = createTable({
  id: (row: ConnectionRow) => row.id,
  indexes: {
    key_id: (row) => row.key_id.toLowerCase(),
    organization_id: (row) => row.organization_id,
    domain: (row) => row.domains.map((domain) => domain.toLowerCase()),
    provider_key: (row) => row.provider_key.toUpperCase(),
  },
});
