/** API clients of an environment, and the fixed bearer strings beside them (behaviour E3, E4). */
import type { TableSpec } from '../core/table.ts';

export interface ClientRow {
  readonly client_id: string;
  readonly client_secret: string;
  readonly name?: string;
  /** Given in every token of this client; default "". */
  readonly scope?: string;
}

export const CLIENTS: TableSpec<ClientRow> = { id: (row) => row.client_id, indexes: {} };
