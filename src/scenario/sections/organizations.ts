/** Organizations of a scenario. */

import { defined } from '../../core/defined.ts';
import { allRows, getRow, rowsBy } from '../../core/table.ts';
import type { OrganizationRow } from '../../domain/rows.ts';
import type { RowControl } from '../row-source.ts';
import { object, type Some, TEXT } from './members.ts';
import { nameOfAccount } from './references.ts';
import { readable, type Section, unless } from './section.ts';

export type OrganizationForm = RowControl & Some<OrganizationRow>;

export const organizations: Section<'organizations', OrganizationForm> = {
  name: 'organizations',
  noun: 'organization',
  schema: (contract) => object({}, { id: contract('OrganizationId'), name: TEXT, display_name: TEXT }),
  find: (state, { id = '', name = '' }) => [
    { member: 'id', key: id, row: getRow(state.organizations, id) },
    { member: 'name', key: `"${name}"`, row: rowsBy(state.organizations, 'name', name)[0] },
  ],
  toRow: (writing, { form, problem }) => {
    const name = form.name ?? form.display_name?.toLowerCase().replace(/[^a-z0-9]+/g, '-') ?? '';
    if (name === '') return problem(undefined, 'an organization needs a name');
    const id = writing.id(form.id, 'org');
    return { id, name, display_name: form.display_name ?? readable(name) };
  },
  toForm: (_, { id, name, display_name }) => ({
    id,
    name,
    ...defined({ display_name: unless(display_name, readable(name)) }),
  }),
  namedBy: (state, { id }) => {
    const names = (row: { readonly organization_id?: string }): boolean => row.organization_id === id;
    const [connection] = rowsBy(state.connections, 'organization_id', id);
    const [account] = rowsBy(state.connected_accounts, 'organization_id', id);
    const member = [...allRows(state.memberships)].find(names);
    if (connection) return `the connection ${connection.key_id}`;
    if (account) return `the account ${nameOfAccount(account)}`;
    if (member) return `the membership of ${getRow(state.users, member.user_id)?.email}`;
    return [...allRows(state.authentication_requests)].some(names) ? 'the sign-in log' : undefined;
  },
};
