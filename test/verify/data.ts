/** What the default scenario has for cases about members. */
export const DATA = {
  organizationId: 'org_100000000000000001',
  userId: 'usr_100000000000000005',
  externalId: 'ext-barbara',
};
