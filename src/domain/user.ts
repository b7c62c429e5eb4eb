/** Users: finds, updates and removes them. */

import { notFound } from '../core/errors.ts';
import { absolute } from '../core/moment.ts';
import { getRow, putRow, removeRow, rowsBy } from '../core/table.ts';
import type { Env } from './operation.ts';
import type { UserRow } from './rows.ts';
import type { State } from './state.ts';

/** The user with this id. @throws Refusal 404 */
export const requireUser = (state: State, id: string): UserRow => {
  const user = getRow(state.users, id);
  if (!user) throw notFound(`user ${id}`, 'Check the id and the environment it is in.');
  return user;
};

/** The user with this external id. @throws Refusal 404 */
export const requireUserByExternalId = (state: State, externalId: string): UserRow => {
  const user = rowsBy(state.users, 'external_id', externalId)[0];
  if (!user) {
    throw notFound(
      `user with external_id ${externalId}`,
      'Check the environment and the external_id, which must match exactly.',
    );
  }
  return user;
};

/** The user with this e-mail address, ignoring case (behaviour I6). */
export const findUserByEmail = (state: State, email: string): UserRow | undefined =>
  rowsBy(state.users, 'email', email.toLowerCase())[0];

/** Sets the user's `update_time` to now. Call it when data that replies include with the user has changed. */
export const touchUser = (state: State, id: string, env: Env): State => {
  const user = getRow(state.users, id);
  if (!user) return state;
  return { ...state, users: putRow(state.users, { ...user, update_time: absolute(env.now) }) };
};

/** Records that the user signed in now. */
export const recordLogin = (state: State, user: UserRow, env: Env): State => ({
  ...state,
  users: putRow(state.users, { ...user, last_login_time: absolute(env.now) }),
});

/** Removes a user. The accounts stay, since the organization may still use them; their `user_id` is only a label. */
export const removeUser = (state: State, id: string): State => ({
  ...state,
  users: removeRow(state.users, id),
});
