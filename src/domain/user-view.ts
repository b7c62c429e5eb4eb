/** A user as the contract shows it: with groups, memberships and their status now. */
import { wireTimes } from '../core/moment.ts';
import { defined } from '../core/object.ts';
import type { Schemas } from '../openapi/types.ts';
import { requireOrganization, requireUser } from './directory.ts';
import { membershipStatus, membershipsOf } from './membership.ts';
import type { Env } from './operation.ts';
import { effectivePermissions, rolesOf } from './role.ts';
import type { MembershipRow, UserProfileRow } from './rows.ts';
import type { State } from './state.ts';

/** Shows the user with this id. @throws Refusal 404 */
export const presentUser = (state: State, userId: string, env: Env): Schemas['User'] => {
  const { id, email, external_id, metadata, user_profile, ...user } = requireUser(state, userId);
  const { create_time, update_time, last_login_time } = user;
  const memberships = membershipsOf(state, id);
  return {
    id,
    email,
    ...defined({ external_id }),
    ...wireTimes({ create_time, update_time, last_login_time }, env),
    metadata,
    memberships: memberships.map((membership) => presentMembership(state, membership, env)),
    ...(user_profile && { user_profile: presentProfile(user_profile, memberships, env) }),
  };
};

/** A membership as the contract shows it in its user. */
export const presentMembership = (state: State, row: MembershipRow, env: Env): Schemas['Membership'] => {
  const { organization_id, accepted_at, created_at, join_time, inviter_email, invite } = row;
  const { name, display_name } = requireOrganization(state, organization_id);
  const roles = rolesOf(state, row.role_ids);
  return {
    organization_id,
    name,
    display_name,
    membership_status: membershipStatus(row, env),
    provisioning_method: row.provisioning_method,
    roles: roles.map((role) => ({ id: role.id, name: role.name, display_name: role.display_name })),
    permissions: effectivePermissions(state, row.role_ids),
    metadata: row.metadata,
    ...wireTimes({ created_at, accepted_at, join_time, expires_at: invite?.expires_at }, env),
    ...defined({ inviter_email }),
  };
};

/** The profile with the user's own groups and the groups of all memberships (behaviour M4). */
const presentProfile = (
  { external_identities, groups = [], ...profile }: UserProfileRow,
  memberships: readonly MembershipRow[],
  env: Env,
): Schemas['UserProfile'] => ({
  ...profile,
  groups: [...new Set([...groups, ...memberships.flatMap((membership) => membership.groups)])],
  ...(external_identities && {
    external_identities: external_identities.map(
      ({ created_time, last_login_time, last_synced_time, ...identity }) => ({
        ...identity,
        ...wireTimes({ created_time, last_login_time, last_synced_time }, env),
      }),
    ),
  }),
});
