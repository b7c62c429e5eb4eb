/** Organizations of a scenario. */
import { defined } from '../../core/defined.ts';
import type { OrganizationRow } from '../../domain/rows.ts';
import type { RowControl } from '../row-source.ts';
import { object, type Some, TEXT } from './members.ts';
import { readable, type Section, unless } from './section.ts';

type OrganizationForm = RowControl & Some<OrganizationRow>;

export const organizations: Section<'organizations', OrganizationForm> = {
  name: 'organizations',
  noun: 'organization',
  title: ({ name }) => name,
  keys: ['name'],
  schema: (contract) => object({}, { id: contract('OrganizationId'), name: TEXT, display_name: TEXT }),
  toRow: (writing, { form, problem }) => {
    const name = form.name ?? form.display_name?.toLowerCase().replace(/[^a-z0-9]+/g, '-') ?? '';
    if (name === '') return problem(undefined, 'an organization needs a name');
    return { id: writing.id(form.id, 'org'), name, display_name: form.display_name ?? readable(name) };
  },
  toForm: (_, { id, name, display_name }) => ({
    id,
    name,
    ...defined({ display_name: unless(display_name, readable(name)) }),
  }),
};
