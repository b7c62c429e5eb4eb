/** Roles of a scenario (behaviour M2). */
import { allRows, getRow, rowsBy } from '../../engine/core/table.ts';
import type { WrittenRow } from '../../engine/scenario/loading.ts';
import {
  described,
  extend,
  type FormOf,
  listSchema,
  type MemberSchema,
  SWITCH,
  TEXT,
  TOKEN,
} from '../../engine/scenario/member-schemas.ts';
import { findNamed, nameOf, readable } from '../../engine/scenario/section.ts';
import { ROLE } from '../references.ts';
import { contract, type NounSection, type OpenNouns } from '../section.ts';
import type { State } from '../state.ts';

const NAMES: MemberSchema<string | readonly string[]> = {
  type: ['string', 'array'],
  minLength: 1,
  items: TEXT,
  description: 'Roles, by id or by name.',
};

const FORM = extend(contract('Role'), {
  id: TOKEN,
  name: TEXT,
  permissions: listSchema(TEXT),
  extends: NAMES,
  default: described(SWITCH, 'Members without roles get this role.'),
});

type RoleForm = FormOf<typeof FORM>;

export const rolesSection: NounSection<'roles', RoleForm> = {
  name: 'roles',
  noun: 'role',
  example: '{ name: admin, permissions: [manage_users] }',
  keys: ['name'],
  names: (role) => role.extends.map((id) => `roles/${id}`),
  schema: FORM,
  anyName: ['extends'],
  toRow: (open, { form: { id, name, ...more }, problem }) => {
    if (name === undefined) return problem(undefined, 'a role needs a name');
    return {
      id: open.id(id, 'role'),
      name,
      display_name: readable(name),
      permissions: [],
      default: false,
      ...more,
      extends: [], // filled in by `complete`, since a role can extend a later role
    };
  },
  complete: (open, rows) => {
    const written = rows('roles');
    for (const [id, each] of written) extendRole(open, id, each);
    const inCircle = rolesInCircles(open.state, written.keys());
    for (const [id, { form, problem }] of written) {
      if (inCircle.has(id)) problem('extends', `the role ${String(form.name)} extends itself`);
      const other = defaultsOf(open.state).find((role) => role.id !== id);
      if (other && getRow(open.state.roles, id)?.default)
        problem('default', `only one role can be the default, and ${other.name} is already the default`);
    }
    // If no role of the scenario sets `default`, the first role becomes the default.
    const [first] = allRows(open.state.roles);
    const isMentioned = [...written.values()].some(({ form }) => form.default !== undefined);
    if (first && !isMentioned && defaultsOf(open.state).length === 0)
      open.put('roles', { ...first, default: true });
  },
  toForm: (state, row) => ({
    ...row,
    permissions: [...row.permissions],
    extends: row.extends.map((id) => nameOf(ROLE, state, id)),
  }),
};

const defaultsOf = ({ roles: table }: State) => rowsBy(table, 'default', 'true');

const extendRole = (open: OpenNouns, id: string, written: WrittenRow): void => {
  const row = getRow(open.state.roles, id);
  const { extends: names = [] } = written.form as RoleForm; // the cast is safe: the schema check accepts only a role here
  const extended = [names].flat().map((name, index) => {
    const member = Array.isArray(names) ? ['extends', index] : 'extends';
    return findNamed(open, written, member, ROLE, name);
  });
  if (row) open.put('roles', { ...row, extends: extended.flatMap((role) => role?.id ?? []) });
};

/** Which roles' `extends` lead into a circle. Takes one role after the other away that extends no role that is left. */
const rolesInCircles = ({ roles: table }: State, ids: Iterable<string>): ReadonlySet<string> => {
  const left = new Set(ids);
  const counts = new Map<string, number>();
  const extending = new Map<string, string[]>();
  for (const id of left) {
    const others = getRow(table, id)?.extends ?? [];
    counts.set(id, others.length);
    for (const other of others) {
      left.add(other); // the loop comes to this role too
      const list = extending.get(other) ?? [];
      list.push(id);
      extending.set(other, list);
    }
  }
  const ends = [...left].filter((id) => counts.get(id) === 0);
  for (const end of ends) {
    left.delete(end);
    for (const id of extending.get(end) ?? []) {
      const count = (counts.get(id) ?? 0) - 1;
      counts.set(id, count);
      if (count === 0) ends.push(id);
    }
  }
  return left;
};
