/** Users; their memberships are rows of their own. */
import type { Schemas } from '../contract/types.ts';
import type { Moment } from '../core/moment.ts';
import type { TableSpec } from '../core/table.ts';

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
  /** Absent: the document's "user profile missing". */
  readonly user_profile?: UserProfileRow;
}

export const USERS: TableSpec<UserRow, 'email' | 'external_id'> = {
  id: (row) => row.id,
  indexes: { email: (row) => row.email.toLowerCase(), external_id: (row) => row.external_id },
};
