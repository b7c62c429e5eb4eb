/** Roles of a scenario (behaviour M2). */

import { allRows, getRow } from '../../core/table.ts';
import type { RoleRow } from '../../domain/rows.ts';
import type { State } from '../../domain/state.ts';
import type { RowControl, WrittenRow } from '../row-source.ts';
import type { Writing } from '../writing.ts';
import {
  contract,
  described,
  extend,
  listOf,
  type MemberSchema,
  SWITCH,
  TEXT,
  TOKEN,
  type ValueOf,
} from './members.ts';
import { ROLE, refer } from './references.ts';
import { readable, type Section, withoutDerived } from './section.ts';

const NAMES: MemberSchema<string | readonly string[]> = {
  type: ['string', 'array'],
  minLength: 1,
  items: TEXT,
  description: 'Roles, by id or by name.',
};

const FORM = extend(contract('Role'), {
  id: TOKEN,
  name: TEXT,
  permissions: listOf(TEXT),
  extends: NAMES,
  default: described(SWITCH, 'Given to a member for whom no role is named.'),
});

type RoleForm = RowControl & ValueOf<typeof FORM>;

export const roles: Section<'roles', RoleForm> = {
  name: 'roles',
  noun: 'role',
  title: ({ name }) => name,
  keys: ['name'],
  names: {
    roles: ({ roles: all }, { id }) => [...allRows(all)].filter((row) => row.extends.includes(id)),
  },
  schema: FORM,
  toRow: (writing, { form, problem }) => {
    const { id, name, ...more } = form;
    if (name === undefined) return problem(undefined, 'a role needs a name');
    return {
      id: writing.id(id, 'role'),
      name,
      display_name: readable(name),
      permissions: [],
      default: false,
      ...more,
      extends: [],
    };
  },
  settle: (writing, rows) => {
    // Only now, since a role may extend one that is written after it.
    for (const { row, written } of rows) extendRoles(writing, row, written);
    for (const { row, written } of rows) refuseCircle(writing.state, row, written);
    for (const { row, written } of rows.filter((each) => each.row.default)) {
      const [other] = defaultsBeside(writing.state, row);
      if (other) written.problem('default', `only one role can be the default; ${other.name} is it`);
    }
    // Where no row speaks of a default, the first role is it.
    const [first] = allRows(writing.state.roles);
    const isSaid = rows.some(({ written }) => written.form.default !== undefined);
    if (first && !isSaid && defaultsBeside(writing.state).length === 0)
      writing.put('roles', { ...first, default: true });
  },
  toForm: (state, row) => {
    const isNotable = row.default || defaultsBeside(state).length === 0;
    const members = {
      ...row,
      permissions: [...row.permissions],
      extends: row.extends.map((id) => ROLE.nameOf(state, id)),
    };
    return withoutDerived(members, {
      display_name: readable(row.name),
      permissions: [],
      extends: [],
      default: isNotable ? undefined : false,
    });
  },
};

const defaultsBeside = ({ roles: table }: State, row?: RoleRow): readonly RoleRow[] =>
  [...allRows(table)].filter((each) => each.default && each.id !== row?.id);

const extendRoles = (writing: Writing, row: RoleRow, written: WrittenRow<RoleForm>): void => {
  const { extends: names = [] } = written.form;
  const extended = [names].flat().map((name, index) => {
    const member = Array.isArray(names) ? ['extends', index] : 'extends';
    return refer(writing, written, member, ROLE, name);
  });
  writing.put('roles', { ...row, extends: extended.flatMap((role) => role?.id ?? []) });
};

const refuseCircle = (state: State, { id, name }: RoleRow, { problem }: WrittenRow<RoleForm>): void => {
  const reached = new Set(getRow(state.roles, id)?.extends);
  // A set that grows while it is walked: everything that this role has the permissions of.
  for (const each of reached) for (const next of getRow(state.roles, each)?.extends ?? []) reached.add(next);
  if (reached.has(id)) problem('extends', `the role ${name} extends itself in the end`);
};
