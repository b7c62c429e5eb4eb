/** Data of the default scenario that cases about memberships need. */
export const DATA = {
  organizationId: 'org_100000000000000001',
  userId: 'usr_100000000000000005',
  externalId: 'ext-barbara',
};
