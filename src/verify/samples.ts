/** What cases name: ids that nothing has, a call of every operation, and rows of the default scenario. */
import type { OperationId } from '../openapi/types.ts';
import type { RequestParts } from './http.ts';

export const UNKNOWN = {
  account: 'ca_999999999999999999',
  organization: 'org_999999999999999999',
  user: 'usr_999999999999999999',
  externalId: 'conformance-nobody',
  connector: 'conformance-nothing',
  provider: 'CONFORMANCE_NOBODY:0',
  authRequest: 'conformance-nobody-asked-000000000000000000',
} as const;

const byId = { path: { organization_id: UNKNOWN.organization, id: UNKNOWN.user } };
const byExternalId = { path: { organization_id: UNKNOWN.organization, external_id: UNKNOWN.externalId } };

/** None of these calls finds anything, so that a server which lets one through changes nothing. */
export const SAMPLES: Readonly<Record<OperationId, RequestParts>> = {
  issueToken: { form: { grant_type: 'client_credentials', client_id: 'nobody', client_secret: 'nothing' } },
  getKeys: {},
  getOpenIdConfiguration: {},
  listConnectedAccounts: {},
  createConnectedAccount: { body: { connector: UNKNOWN.connector, identifier: 'nobody@conformance.test' } },
  updateConnectedAccount: { body: { id: UNKNOWN.account, connected_account: {} } },
  getConnectedAccountAuth: { query: { id: UNKNOWN.account } },
  getConnectedAccountDetails: { query: { id: UNKNOWN.account } },
  createMagicLink: { body: { id: UNKNOWN.account, user_verify_url: 'https://client.test/verified' } },
  verifyConnectedAccountUser: {
    body: { auth_request_id: UNKNOWN.authRequest, identifier: 'nobody@conformance.test' },
  },
  deleteConnectedAccount: { body: { id: UNKNOWN.account } },
  searchConnectedAccounts: { query: { query: 'conformance' } },
  listConnections: {},
  createCustomProvider: { body: {} },
  updateCustomProvider: { path: { identifier: UNKNOWN.provider }, body: {} },
  deleteCustomProvider: { path: { identifier: UNKNOWN.provider } },
  resendInvite: { path: { organization_id: UNKNOWN.organization, id: UNKNOWN.user }, body: {} },
  createMembership: { ...byId, body: {} },
  updateMembership: { ...byId, body: {} },
  deleteMembership: byId,
  createMembershipByExternalId: { ...byExternalId, body: {} },
  updateMembershipByExternalId: { ...byExternalId, body: {} },
  deleteMembershipByExternalId: byExternalId,
  listAuthenticationRequests: {},
};

/** Those that take a bearer token. */
export const PROTECTED = (Object.keys(SAMPLES) as OperationId[]) // the keys that the type names
  .filter((id) => id !== 'issueToken' && id !== 'getKeys' && id !== 'getOpenIdConfiguration');

/** So many members, as metadata has them. */
export const pairs = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`key-${n}`, 'value']));

/** An organization of the scenario `default`, in which cases with the control plane run; its rows are the same in every release. */
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
