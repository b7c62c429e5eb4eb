/** Organizations, and the users who are their members. */
import { requireFound } from '../../engine/core/errors.ts';
import { absolute } from '../../engine/core/moment.ts';
import { getRow, putRow, rowsBy } from '../../engine/core/table.ts';
import type { Env } from '../operation.ts';
import type { State } from '../state.ts';
import type { OrganizationRow, UserRow } from './row.ts';

export const requireOrganization = (state: State, id: string): OrganizationRow =>
  requireFound(
    getRow(state.organizations, id),
    `organization ${id}`,
    'Check organization_id, and whether this is the right environment.',
  );

export const requireUser = (state: State, id: string): UserRow =>
  requireFound(
    getRow(state.users, id),
    `user ${id}`,
    'Check the id, and whether this is the right environment.',
  );

export const requireUserByExternalId = (state: State, externalId: string): UserRow => {
  const [user] = rowsBy(state.users, 'external_id', externalId);
  return requireFound(
    user,
    `user with external_id ${externalId}`,
    'Check external_id, which must match exactly, and whether this is the right environment.',
  );
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
