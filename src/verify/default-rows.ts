/** Rows of the scenario `default`, in which cases with the control plane run; they are the same in every release. */

export const ACME = 'org_100000000000000001';

const member = (id: string) => ({ organization_id: ACME, id });

/** Users by what they are in `ACME`. */
export const MEMBERS = {
  ACTIVE: member('usr_100000000000000001'),
  PENDING_INVITE: member('usr_100000000000000002'),
  INVITE_EXPIRED: member('usr_100000000000000003'),
  INACTIVE: member('usr_100000000000000004'),
} as const;

export const STRANGER = member('usr_100000000000000005');
/** Invited, and without a profile. */
export const NO_PROFILE = member('usr_100000000000000006');

/** An account in every status. */
export const ACCOUNTS = {
  ACTIVE: 'ca_100000000000000001',
  EXPIRED: 'ca_100000000000000002',
  PENDING_AUTH: 'ca_100000000000000003',
  PENDING_VERIFICATION: 'ca_100000000000000004',
  DISCONNECTED: 'ca_100000000000000005',
} as const;

/** What cases are given there. */
export const DEFAULT_DATA = {
  organizationId: ACME,
  userId: STRANGER.id,
  externalId: 'ext-barbara',
};
