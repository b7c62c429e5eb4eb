/** Connections: what an account is an account of, and how organizations sign in. */
import type { Schemas } from '../contract/types.ts';
import type { TableSpec } from '../core/table.ts';

export interface ConnectionRow extends Omit<Schemas['Connection'], 'organization_name'> {
  readonly key_id: string;
  readonly enabled: boolean;
  readonly status: Schemas['ConnectionStatus'];
  readonly type: Schemas['ConnectionType'];
  readonly provider: Schemas['ConnectionProvider'];
  readonly provider_key: string;
  readonly domains: string[];
  /** A TRUSTED_IDP connection that needs no `db_user` (behaviour A6). */
  readonly serverless: boolean;
  /** Scopes a consent page asks for. */
  readonly scopes: readonly string[];
}

export const CONNECTIONS: TableSpec<ConnectionRow, 'key_id' | 'organization_id' | 'domain' | 'provider_key'> =
  {
    id: (row) => row.id,
    indexes: {
      key_id: (row) => row.key_id.toLowerCase(),
      organization_id: (row) => row.organization_id,
      domain: (row) => row.domains.map((domain) => domain.toLowerCase()),
      provider_key: (row) => row.provider_key,
    },
  };
