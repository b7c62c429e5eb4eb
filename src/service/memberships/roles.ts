/** Roles of an environment, how requests refer to them, and the permissions they grant (behaviour M2). */
import { type FieldViolation, MOST_VIOLATIONS, refuse } from '../../engine/core/errors.ts';
import { getRow, rowsBy, select, takeSelected } from '../../engine/core/table.ts';
import { cut, listNames } from '../../engine/core/text.ts';
import { defineReference } from '../../engine/scenario/section.ts';
import type { Schemas } from '../contract.ts';
import type { RoleRow, State } from '../state.ts';

export const ROLE = defineReference<RoleRow, State>('roles', 'role', 'name');

/** How a request refers to a role. If it sends more than one of these values, they must belong to the same role. */
export type RoleReference = Schemas['RoleReference'];

/** Ids of the roles that a request refers to. @throws Refusal 400 if a reference matches no role */
export const resolveRoles = (state: State, references: readonly RoleReference[]): readonly string[] => {
  const ids = new Set<string>();
  const violations: FieldViolation[] = [];
  for (const [index, reference] of references.entries()) {
    const role = findRole(state, reference);
    if (role) ids.add(role.id);
    else if (violations.push(unknownRole(state, reference, `roles[${index}]`)) > MOST_VIOLATIONS) break;
  }
  refuse(violations);
  return [...ids];
};

/** The id of the default role, if there is one. A new member gets this role if the request sends no roles. */
export const defaultRoleIds = (state: State): readonly string[] =>
  rowsBy(state.roles, 'default', 'true').map((role) => role.id);

/** The rows with these ids, except roles that were removed. */
export const rolesOf = (state: State, ids: readonly string[]): readonly RoleRow[] =>
  ids.flatMap((id) => getRow(state.roles, id) ?? []);

/** These roles and all that they extend, each once, even if roles extend each other in a circle. */
export const withExtended = ({ roles }: State, ids: Iterable<string>): ReadonlySet<string> => {
  const reached = new Set(ids);
  // The set grows during the loop.
  for (const id of reached) for (const other of getRow(roles, id)?.extends ?? []) reached.add(other);
  return reached;
};

/** The permissions of roles and of the roles that they extend, sorted, without duplicates. */
export const effectivePermissions = (state: State, ids: readonly string[]): string[] => {
  const roles = rolesOf(state, [...withExtended(state, ids)]);
  return [...new Set(roles.flatMap(({ permissions }) => permissions))].sort();
};

const KEYS = ['id', 'name', 'display_name'] as const;

/** Finds the role that has every value in the reference. Returns undefined if no role has them all. */
export const findRole = (state: State, reference: RoleReference): RoleRow | undefined => {
  const role = candidateOf(state, reference);
  return role && KEYS.every((name) => (reference[name] ?? role[name]) === role[name]) ? role : undefined;
};

const candidateOf = ({ roles }: State, { id, name, display_name }: RoleReference): RoleRow | undefined => {
  if (id !== undefined) return getRow(roles, id);
  if (name !== undefined) return rowsBy(roles, 'name', name)[0];
  return display_name === undefined ? undefined : rowsBy(roles, 'display_name', display_name)[0];
};

const unknownRole = (state: State, reference: RoleReference, field: string): FieldViolation => {
  const given = KEYS.flatMap((name) => {
    const value = reference[name];
    return value === undefined ? [] : [`${name} "${cut(value)}"`];
  });
  const problem =
    given.length === 0
      ? `${field} does not say which role it means. Send id, name or display_name.`
      : `${field} (${given.join(', ')}) matches no role of this environment.`;
  const description = `${problem} The roles are: ${listRoles(state)}.`;
  return { field, constraint: 'role', rule: 'M2', description };
};

const listRoles = ({ roles }: State): string => {
  const first = takeSelected(select(roles, {}), 20, 'forward').map(({ row }) => row);
  const names = first.map(({ name, id, display_name }) => `${cut(name)} (${id}, "${cut(display_name)}")`);
  return listNames(names, roles.rows.size) || 'none';
};
