/** One well-formed call of every operation, and ids that are well-formed and nobody's. */
import type { OperationId } from '../openapi/types.ts';
import type { Call } from './http.ts';

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
export const SAMPLES: Readonly<Record<OperationId, Call>> = {
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
