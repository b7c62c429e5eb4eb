/**
 * Organizations, and the users who are their members. Both come from scenarios; `memberships/` shows users. They have no
 * states: a user goes with the last membership only if `delete_user_with_last_membership` says so (behaviour M4).
 *
 * Rules: M1 and M5 finding users, M8 verified addresses, X1 metadata, X3 unique addresses and ids.
 */
import { requireFound } from '../engine/core/errors.ts';
import { absolute } from '../engine/core/moment.ts';
import { defined } from '../engine/core/object.ts';
import { getRow, putRow, rowsBy } from '../engine/core/table.ts';
import { type FormOf, object, TEXT } from '../engine/scenario/schema.ts';
import { defineReference, readable } from '../engine/scenario/section.ts';
import type { OrganizationRow, State, UserRow } from './state.ts';
import { contract, type Env, type NounSection, type NounView } from './types.ts';

const check = (what: string): string => `Check ${what}, and whether this is the right environment.`;

export const requireOrganization = (state: State, id: string): OrganizationRow =>
  requireFound(getRow(state.organizations, id), `organization ${id}`, check('organization_id'));

export const requireUser = (state: State, id: string): UserRow =>
  requireFound(getRow(state.users, id), `user ${id}`, check('the id'));

export const requireUserByExternalId = (state: State, externalId: string): UserRow => {
  const [user] = rowsBy(state.users, 'external_id', externalId);
  return requireFound(user, `user with external_id ${externalId}`, check('external_id, to the letter'));
};

/** The user with this e-mail address, ignoring case (behaviour I6). */
export const findUserByEmail = (state: State, email: string): UserRow | undefined =>
  rowsBy(state.users, 'email', email.toLowerCase())[0];

/** Sets the user's `update_time` to now. Called when a membership of the user changes. */
export const touchUser = (state: State, id: string, env: Env): State => {
  const user = getRow(state.users, id);
  return user ? putUser(state, { ...user, update_time: absolute(env.now) }) : state;
};

export const putUser = (state: State, user: UserRow): State => ({
  ...state,
  users: putRow(state.users, user),
});

export const ORGANIZATION = defineReference<OrganizationRow, State>('organizations', 'organization', 'name');
export const USER = defineReference<UserRow, State>('users', 'user', 'email');

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

export const userView: NounView<UserRow> = {
  group: 'People',
  about: ['external_id'],
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
  group: 'People',
  name: 'display_name',
  about: ['name'],
  columns: ['id'],
  fields: [{ name: 'name', required: true }, { name: 'display_name' }],
  shows: ['memberships', 'connected_accounts', 'connections'],
};
