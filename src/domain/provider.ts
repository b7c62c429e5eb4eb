/** Custom providers (behaviour P1-P3). */
import type { Schemas } from '../contract/types.ts';
import type { TableSpec } from '../core/table.ts';

export type ProviderRow = Schemas['CustomProvider'] & {
  readonly id: string;
  readonly identifier: string;
  readonly display_name: string;
};

export const PROVIDERS: TableSpec<ProviderRow, 'identifier' | 'display_name'> = {
  id: (row) => row.id,
  indexes: { identifier: (row) => row.identifier, display_name: (row) => row.display_name.toLowerCase() },
};
