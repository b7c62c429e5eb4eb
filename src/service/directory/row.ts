/** Organizations and users, as their tables hold them. */
import type { Moment } from '../../engine/core/moment.ts';
import { createTable } from '../../engine/core/table.ts';
import type { Schemas } from '../contract.ts';

export interface OrganizationRow {
  readonly id: string;
  readonly name: string;
  readonly display_name: string;
}

type ExternalIdentityTime = 'created_time' | 'last_login_time' | 'last_synced_time';

export type ExternalIdentityRow = Omit<Schemas['ExternalIdentity'], ExternalIdentityTime> & {
  readonly [Time in ExternalIdentityTime]?: Moment;
};

export type UserProfileRow = Omit<Schemas['UserProfile'], 'external_identities'> & {
  readonly external_identities?: readonly ExternalIdentityRow[];
};

export interface UserRow {
  readonly id: string;
  readonly email: string;
  readonly external_id?: string;
  readonly create_time: Moment;
  readonly update_time: Moment;
  readonly last_login_time?: Moment;
  readonly metadata: Schemas['Metadata'];
  /** If absent, invitations cannot be sent again ("user profile missing" in the API's description). */
  readonly user_profile?: UserProfileRow;
}

export const organizations = createTable({
  id: (row: OrganizationRow) => row.id,
  indexes: { name: (row) => row.name },
});

export const users = createTable({
  id: (row: UserRow) => row.id,
  indexes: { email: (row) => row.email.toLowerCase(), external_id: (row) => row.external_id },
});
