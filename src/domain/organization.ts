/** Organizations, whose members are users. */

import { notFound } from '../core/errors.ts';
import { getRow } from '../core/table.ts';
import type { OrganizationRow } from './rows.ts';
import type { State } from './state.ts';

/** The organization with this id. @throws Refusal 404 */
export const requireOrganization = (state: State, id: string): OrganizationRow => {
  const organization = getRow(state.organizations, id);
  if (!organization)
    throw notFound(`organization ${id}`, 'Check organization_id and the environment it is in.');
  return organization;
};
