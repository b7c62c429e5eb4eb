/** Users and memberships as a scenario writes them. */
import { defined } from '../../core/defined.ts';
import { type InvitedMembership, inviteStatus } from '../../domain/invite.ts';
import { isInvited, membershipStatus, membershipsOf } from '../../domain/membership.ts';
import type {
  ExternalIdentityRow,
  InviteRow,
  MembershipRow,
  UserProfileRow,
  UserRow,
} from '../../domain/rows.ts';
import type { State } from '../../domain/state.ts';
import { formatEnd, formatOptional, formatTime } from '../times.ts';
import type { InviteForm, MembershipForm, UserForm } from '../written.ts';
import type { Now } from './environment.ts';

export const exportUser = (state: State, row: UserRow, now: Now): UserForm => {
  const { create_time, update_time, last_login_time, user_profile, ...rest } = row;
  return {
    ...rest,
    create_time: formatTime(create_time),
    update_time: formatTime(update_time),
    ...defined({ last_login_time: formatOptional(last_login_time) }),
    user_profile: user_profile ? exportProfile(user_profile) : null,
    memberships: membershipsOf(state, row.id).map((membership) => exportMembership(membership, now)),
  };
};

const exportProfile = ({ external_identities = [], ...profile }: UserProfileRow) => ({
  ...profile,
  external_identities: external_identities.map(exportIdentity),
});

const exportIdentity = ({
  created_time,
  last_login_time,
  last_synced_time,
  ...identity
}: ExternalIdentityRow) => ({
  ...identity,
  ...defined({
    created_time: formatOptional(created_time),
    last_login_time: formatOptional(last_login_time),
    last_synced_time: formatOptional(last_synced_time),
  }),
});

const exportMembership = (row: MembershipRow, now: Now): MembershipForm => ({
  organization_id: row.organization_id,
  membership_status: membershipStatus(row, now),
  created_at: formatTime(row.created_at),
  accepted_at: formatEnd(row.accepted_at),
  join_time: formatEnd(row.join_time),
  ...defined({ inviter_email: row.inviter_email }),
  metadata: row.metadata,
  roles: [...row.role_ids],
  provisioning_method: row.provisioning_method,
  groups: [...row.groups],
  invite: isInvited(row) ? exportInvite(row.invite, row, now) : null,
});

const exportInvite = (invite: InviteRow, membership: InvitedMembership, now: Now): InviteForm => ({
  token: invite.token,
  ended_tokens: [...invite.ended_tokens],
  created_at: formatTime(invite.created_at),
  expires_at: formatEnd(invite.expires_at),
  ...defined({ resent_at: formatOptional(invite.resent_at) }),
  resent_count: invite.resent_count,
  status: invite.is_revoked ? 'revoked' : inviteStatus(membership, now),
});
