/** Roles of an environment, how a request names them, and the permissions they bring (behaviour M2). */

import { type FieldViolation, MOST_VIOLATIONS, refuse } from '../core/errors.ts';
import { allRows, getRow, rowsBy } from '../core/table.ts';
import { cut } from '../core/text.ts';
import type { RoleRow } from './rows.ts';
import type { State } from './state.ts';

/** How a request names a role: by any of the three, which must not contradict each other. */
export interface RoleReference {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly display_name?: string | undefined;
}

/** Stops once there are more than a message names. */
const roleViolations = (state: State, references: readonly RoleReference[]): readonly FieldViolation[] => {
  const roles = Array.from(allRows(state.roles));
  const violations: FieldViolation[] = [];
  for (const [index, reference] of references.entries()) {
    if (violations.length > MOST_VIOLATIONS) break;
    if (!findRole(roles, reference)) violations.push(unknownRole(roles, reference, `roles[${index}]`));
  }
  return violations;
};

/**
 * Ids of the roles that a request names, each once, in the order named.
 * @throws Refusal 400 for every reference that fits no role or contradicts itself, naming the roles there are
 */
export const resolveRoles = (state: State, references: readonly RoleReference[]): readonly string[] => {
  refuse(roleViolations(state, references));
  const roles = Array.from(allRows(state.roles));
  return [...new Set(references.flatMap((reference) => findRole(roles, reference)?.id ?? []))];
};

/** Ids of the roles of a member for whom none is named: the default role's, or none where there is no default. */
export const defaultRoleIds = (state: State): readonly string[] =>
  rowsBy(state.roles, 'default', 'true')
    .slice(0, 1)
    .map((role) => role.id);

/** The rows behind role ids; an id that no role has any more is left out. */
export const rolesOf = (state: State, ids: readonly string[]): readonly RoleRow[] =>
  ids.flatMap((id) => getRow(state.roles, id) ?? []);

/** Everything that roles permit, with what they extend, sorted and each once. Roles may extend each other in a circle. */
export const effectivePermissions = (state: State, ids: readonly string[]): string[] => {
  const reached = new Set(ids);
  const permissions = new Set<string>();
  // A set that grows while it is walked: every role is visited once, however they extend each other.
  for (const id of reached) {
    const role = getRow(state.roles, id);
    for (const permission of role?.permissions ?? []) permissions.add(permission);
    for (const extended of role?.extends ?? []) reached.add(extended);
  }
  return [...permissions].sort();
};

const KEYS = ['id', 'name', 'display_name'] as const;

/** The first member present finds the role; the others must agree with it. */
export const findRole = (roles: readonly RoleRow[], reference: RoleReference): RoleRow | undefined => {
  const key = KEYS.find((name) => reference[name] !== undefined);
  const role = key && roles.find((candidate) => candidate[key] === reference[key]);
  return role && KEYS.every((name) => (reference[name] ?? role[name]) === role[name]) ? role : undefined;
};

/** As many as a message names. */
const MOST_NAMED = 20;

const unknownRole = (roles: readonly RoleRow[], reference: RoleReference, field: string): FieldViolation => {
  const given = KEYS.flatMap((name) => {
    const value = reference[name];
    return value === undefined ? [] : [`${name} "${cut(value)}"`];
  });
  const problem =
    given.length === 0
      ? `${field} names no role: it needs id, name or display_name.`
      : `${field} (${given.join(', ')}) fits no role of this environment.`;
  const known = roles
    .slice(0, MOST_NAMED)
    .map((role) => `${role.name} (${role.id}, "${role.display_name}")`)
    .concat(roles.length > MOST_NAMED ? ['and more'] : []);
  return {
    field,
    constraint: 'role',
    rule: 'M2',
    description: `${problem} Roles there are: ${known.join(', ') || 'none'}.`,
  };
};
