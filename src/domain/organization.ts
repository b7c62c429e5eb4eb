/** Organizations and the environment's roles. */
import type { TableSpec } from '../core/table.ts';

export interface OrganizationRow {
  readonly id: string;
  readonly name: string;
  readonly display_name: string;
}

export interface RoleRow {
  readonly id: string;
  readonly name: string;
  readonly display_name: string;
  readonly permissions: readonly string[];
  /** Ids of the roles whose permissions this one has too. */
  readonly extends: readonly string[];
  /** Given to a member for whom no role is named (behaviour M2). */
  readonly default: boolean;
}

export const ORGANIZATIONS: TableSpec<OrganizationRow, 'name'> = {
  id: (row) => row.id,
  indexes: { name: (row) => row.name },
};

export const ROLES: TableSpec<RoleRow, 'name'> = {
  id: (row) => row.id,
  indexes: { name: (row) => row.name },
};
