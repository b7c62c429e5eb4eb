/** How the console shows users and organizations. */
import { defined } from '../../engine/core/object.ts';
import type { NounView } from '../section.ts';
import type { OrganizationRow, UserRow } from './row.ts';

export const userView: NounView<UserRow> = {
  ...{ label: 'Users', group: 'People', name: 'email', about: ['external_id'] },
  columns: ['memberships', 'connected_accounts', 'last_login_time'],
  fields: [
    { name: 'email', required: true },
    { name: 'organizations', pick: 'organizations', many: true, onlyNew: true },
    { name: 'roles', pick: 'roles', many: true, onlyNew: true },
    { name: 'external_id' },
  ],
  shows: ['memberships', 'connected_accounts', 'emails', 'authentication_requests'],
  written: ({ organizations, roles, ...form }) => ({
    ...form,
    ...(Array.isArray(organizations) && {
      memberships: organizations.map((organization_id) => ({ organization_id, ...defined({ roles }) })),
    }),
  }),
};

export const organizationView: NounView<OrganizationRow> = {
  ...{ label: 'Organizations', group: 'People', name: 'display_name', about: ['name'], columns: ['id'] },
  fields: [{ name: 'name', required: true }, { name: 'display_name' }],
  shows: ['memberships', 'connected_accounts', 'connections'],
};
