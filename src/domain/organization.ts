/** Organizations: what a member is a member of. */
import { notFound } from '../core/errors.ts';
import { getRow, type TableSpec } from '../core/table.ts';
import type { State } from './state.ts';

export interface OrganizationRow {
  readonly id: string;
  readonly name: string;
  readonly display_name: string;
}

export const ORGANIZATIONS: TableSpec<OrganizationRow, 'name'> = {
  id: (row) => row.id,
  indexes: { name: (row) => row.name },
};

/** @throws ApiError 404 if no organization has this id */
export const requireOrganization = (state: State, id: string): OrganizationRow => {
  const organization = getRow(state.organizations, id);
  if (!organization)
    throw notFound(`organization ${id}`, 'Check organization_id and the environment it is in.');
  return organization;
};
