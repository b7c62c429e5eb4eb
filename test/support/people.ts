/** Rows of users and memberships for tests of the core, and a small directory with a member in every status. */
import { fromStart } from '../../src/engine/core/moment.ts';
import type { InviteRow, MembershipRow, RoleRow, State, UserRow } from '../../src/service/state.ts';
import { DAY, stateOf } from './core.ts';

export const ACME = 'org_acme';
export const GLOBEX = 'org_globex';

const roleRow = (given: Partial<RoleRow> & Pick<RoleRow, 'name'>): RoleRow => ({
  id: `role_${given.name}`,
  display_name: given.name.toUpperCase(),
  permissions: [],
  extends: [],
  default: false,
  ...given,
});

/** A user with a profile. Ids and e-mail address contain `name`. */
const userRow = (name: string, given: Partial<UserRow> = {}): UserRow => ({
  id: `usr_${name}`,
  email: `${name}@acme.test`,
  create_time: fromStart(-30 * DAY),
  update_time: fromStart(-30 * DAY),
  metadata: {},
  user_profile: { id: `usp_${name}` },
  ...given,
});

const userWithoutProfile = (name: string): UserRow => {
  const { user_profile: _none, ...user } = userRow(name);
  return user;
};

/** An invitation that was sent 3 days before the start and expires 12 days after it. */
const inviteRow = (token: string, given: Partial<InviteRow> = {}): InviteRow => ({
  token,
  ended_tokens: [],
  created_at: fromStart(-3 * DAY),
  expires_at: fromStart(12 * DAY),
  resent_count: 0,
  is_revoked: false,
  ...given,
});

/** A membership in ACME. Default: ACTIVE, without an invitation. */
const membershipRow = (name: string, given: Partial<MembershipRow> = {}): MembershipRow => ({
  organization_id: ACME,
  user_id: `usr_${name}`,
  stored_status: 'ACTIVE',
  created_at: fromStart(-3 * DAY),
  metadata: {},
  role_ids: ['role_member'],
  provisioning_method: 'direct_provision',
  groups: [],
  ...given,
});

const invitedRow = (
  name: string,
  invite: Partial<InviteRow> = {},
  given: Partial<MembershipRow> = {},
): MembershipRow =>
  membershipRow(name, {
    stored_status: 'INVITED',
    provisioning_method: 'invitation',
    inviter_email: 'ada@acme.test',
    invite: inviteRow(`token-${name}`, invite),
    ...given,
  });

/**
 * Organizations acme and globex; roles member (default) and admin (extends member). In acme, ada is an ACTIVE admin who
 * was invited, grace and noprofile have pending invitations, the invitation of linus expired a day ago, margaret is
 * INACTIVE, and the invitation of the user `revoked` is revoked. barbara has no membership.
 */
export const directory = (): State =>
  stateOf({
    organizations: [
      { id: ACME, name: 'acme', display_name: 'Acme Corporation' },
      { id: GLOBEX, name: 'globex', display_name: 'Globex' },
    ],
    roles: [
      roleRow({ name: 'member', default: true, permissions: ['read_projects'] }),
      roleRow({ name: 'admin', permissions: ['write_tasks', 'manage_users'], extends: ['role_member'] }),
    ],
    users: [
      userRow('ada', { external_id: 'ext-ada' }),
      userRow('grace'),
      userRow('linus'),
      userRow('margaret'),
      userRow('barbara', { external_id: 'ext-barbara' }),
      userWithoutProfile('noprofile'),
      userRow('revoked'),
    ],
    memberships: [
      invitedRow(
        'ada',
        {},
        {
          stored_status: 'ACTIVE',
          role_ids: ['role_admin'],
          accepted_at: fromStart(-2 * DAY),
          join_time: fromStart(-2 * DAY),
          groups: ['engineering'],
          metadata: { team: 'core' },
        },
      ),
      invitedRow('grace'),
      invitedRow('linus', {
        created_at: fromStart(-16 * DAY),
        expires_at: fromStart(-1 * DAY),
        resent_count: 2,
      }),
      membershipRow('margaret', { stored_status: 'INACTIVE' }),
      invitedRow('noprofile'),
      invitedRow('revoked', { is_revoked: true }),
    ],
  });
