/** Organizations of a scenario. */
import { type FormOf, object, TEXT } from '../../engine/scenario/member-schemas.ts';
import { readable } from '../../engine/scenario/section.ts';
import { contract, type NounSection } from '../section.ts';

const FORM = object({ id: contract('OrganizationId'), name: TEXT, display_name: TEXT });

export const organizationsSection: NounSection<'organizations', FormOf<typeof FORM>> = {
  name: 'organizations',
  noun: 'organization',
  example: '{ name: acme }',
  keys: ['name'],
  schema: FORM,
  toRow: (open, { form, problem }) => {
    const name = form.name ?? form.display_name?.toLowerCase().replace(/[^a-z0-9]+/g, '-') ?? '';
    if (name === '') return problem(undefined, 'an organization needs a name');
    return { id: open.id(form.id, 'org'), name, display_name: form.display_name ?? readable(name) };
  },
  toForm: (_, row) => row,
};
