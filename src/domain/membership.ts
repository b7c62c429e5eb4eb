/** A user's place in an organization, with the invitation that led or leads to it. */
import type { Schemas } from '../contract/types.ts';
import type { Moment } from '../core/moment.ts';
import type { TableSpec } from '../core/table.ts';

export interface InviteRow {
  /** The open part of the invitation link, without the environment's key. */
  readonly token: string;
  /** Tokens of invitations that this one replaced; their pages answer 410 (behaviour M7). */
  readonly ended_tokens: readonly string[];
  readonly created_at: Moment;
  /** Absent: never expires. */
  readonly expires_at?: Moment;
  readonly inviter_email?: string;
  readonly resent_at?: Moment;
  readonly resent_count: number;
  readonly is_revoked: boolean;
}

export interface MembershipRow {
  readonly organization_id: string;
  readonly user_id: string;
  /** `INVITED` reads PENDING_INVITE or INVITE_EXPIRED by the clock (behaviour M6). */
  readonly standing: 'ACTIVE' | 'INACTIVE' | 'INVITED';
  readonly created_at: Moment;
  readonly accepted_at?: Moment;
  readonly join_time?: Moment;
  readonly metadata: Schemas['Metadata'];
  readonly role_ids: readonly string[];
  readonly provisioning_method: Schemas['ProvisioningMethod'];
  /** Groups the user is in through this organization; they go when the membership goes (behaviour M4). */
  readonly groups: readonly string[];
  readonly invite?: InviteRow;
}

/** The id of a membership row: the pair it stands for. */
export const membershipKey = (organizationId: string, userId: string): string =>
  `${organizationId}/${userId}`;

export const MEMBERSHIPS: TableSpec<MembershipRow, 'user_id' | 'invite_token'> = {
  id: (row) => membershipKey(row.organization_id, row.user_id),
  indexes: {
    user_id: (row) => row.user_id,
    invite_token: (row) => (row.invite ? [row.invite.token, ...row.invite.ended_tokens] : undefined),
  },
};
