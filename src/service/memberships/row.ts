/** Roles, and memberships with their invitations, as their tables hold them. */
import type { Moment } from '../../engine/core/moment.ts';
import { createTable } from '../../engine/core/table.ts';
import type { Schemas } from '../contract.ts';

export interface RoleRow {
  readonly id: string;
  readonly name: string;
  readonly display_name: string;
  readonly permissions: readonly string[];
  /** Ids of the roles whose permissions this role also has. */
  readonly extends: readonly string[];
  /** Whether a new member gets this role if the request that adds the member sends no roles. */
  readonly default: boolean;
}

/** The invitation by which a member joins (behaviour M6-M8). */
export interface InviteRow {
  readonly token: string;
  /** Tokens of earlier invitations that this invitation replaced; their pages answer 410 (behaviour M7). */
  readonly ended_tokens: readonly string[];
  readonly created_at: Moment;
  readonly expires_at?: Moment;
  readonly resent_at?: Moment;
  readonly resent_count: number;
  readonly is_revoked: boolean;
}

export interface MembershipRow {
  readonly organization_id: string;
  readonly user_id: string;
  /** The clock decides whether replies show `INVITED` as PENDING_INVITE or INVITE_EXPIRED (behaviour M6). */
  readonly stored_status: 'ACTIVE' | 'INACTIVE' | 'INVITED';
  readonly created_at: Moment;
  readonly accepted_at?: Moment;
  readonly join_time?: Moment;
  /** The e-mail address of the person who added the user, with or without an invitation. */
  readonly inviter_email?: string;
  readonly metadata: Schemas['Metadata'];
  readonly role_ids: readonly string[];
  readonly provisioning_method: Schemas['ProvisioningMethod'];
  /** The user's groups in this organization; they are removed with the membership (behaviour M4). */
  readonly groups: readonly string[];
  readonly invite?: InviteRow;
}

/** The id of a membership row: its organization and user. */
export const membershipKey = (organizationId: string, userId: string): string =>
  `${organizationId}/${userId}`;

export const roles = createTable({
  id: (row: RoleRow) => row.id,
  indexes: {
    name: (row) => row.name,
    display_name: (row) => row.display_name,
    default: (row) => String(row.default),
  },
});

export const memberships = createTable({
  id: (row: MembershipRow) => membershipKey(row.organization_id, row.user_id),
  indexes: {
    user_id: (row) => row.user_id,
    invite_token: (row) => (row.invite ? [row.invite.token, ...row.invite.ended_tokens] : undefined),
  },
});
