/** Custom providers, as their table holds them. */
import { createTable } from '../../engine/core/table.ts';
import type { Schemas } from '../contract.ts';

export type ProviderRow = Schemas['CustomProvider'] & {
  readonly id: string;
  readonly identifier: string;
  readonly display_name: string;
};

export const custom_providers = createTable({
  id: (row: ProviderRow) => row.id,
  indexes: {
    identifier: (row) => row.identifier,
    /** The part of the identifier before the colon. */
    slug: (row) => row.identifier.replace(/:.*/s, ''),
    display_name: (row) => row.display_name.toLowerCase(),
  },
});
