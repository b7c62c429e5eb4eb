/** Roles of a scenario (behaviour M2). */
import { allRows, getRow, rowsBy } from '../../engine/core/table.ts';
import type { WrittenRow } from '../../engine/scenario/loading.ts';
import {
  described,
  extend,
  type FormOf,
  listOf,
  type MemberSchema,
  SWITCH,
  TEXT,
  TOKEN,
} from '../../engine/scenario/member-schemas.ts';
import { findNamed, nameOf } from '../../engine/scenario/references.ts';
import { readable } from '../../engine/scenario/section.ts';
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
  permissions: listOf(TEXT),
  extends: NAMES,
  default: described(SWITCH, 'Members without roles get this role.'),
});

type RoleForm = FormOf<typeof FORM>;

export const roles: NounSection<'roles', RoleForm> = {
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
    const inCircle = rolesInCircles(open.state);
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

/** The roles whose `extends` lead into a circle. Repeatedly removes the roles that extend no remaining role. */
const rolesInCircles = ({ roles: table }: State): ReadonlySet<string> => {
  const left = new Map(Array.from(allRows(table), (role) => [role.id, role]));
  for (let size = Infinity; left.size < size; ) {
    size = left.size;
    // Goes forwards and then backwards. If each role extends the next, going only forwards would take a pass per role.
    for (const role of [...left.values(), ...[...left.values()].reverse()])
      if (!role.extends.some((id) => left.has(id))) left.delete(role.id);
  }
  return new Set(left.keys());
};
