/** A well-formed call for every operation. Its ids exist in no service, so that it never changes data. */
import type { OperationId } from '../../service/contract.ts';
import type { Api } from './api.ts';
import { type Case, type Claim, reading, writing } from './case.ts';
import type { Call } from './client.ts';
import { exactly } from './matchers.ts';
import { type Expected, violating } from './service.ts';

/** Ids and names of things that do not exist. */
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

/** The sample calls. An operation that is not listed needs no parameters and no body. */
const SAMPLES: Readonly<Partial<Record<OperationId, Call>>> = {
  issueToken: {
    body: new URLSearchParams('grant_type=client_credentials&client_id=nobody&client_secret=nothing'),
  },
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
  updateCustomProvider: { path: { identifier: UNKNOWN.provider }, body: {} },
  deleteCustomProvider: { path: { identifier: UNKNOWN.provider } },
  resendInvite: { ...byId, body: {} },
  createMembership: { ...byId, body: {} },
  updateMembership: { ...byId, body: {} },
  deleteMembership: byId,
  createMembershipByExternalId: { ...byExternalId, body: {} },
  updateMembershipByExternalId: { ...byExternalId, body: {} },
  deleteMembershipByExternalId: byExternalId,
};

export const providerBody = ({ unique }: Api) => ({
  display_name: `Provider ${unique}`,
  auth_patterns: [{ type: 'API_KEY' }],
  proxy_url: 'https://proxy.test',
});

export const sampleOf = (operationId: OperationId, api: Api): Call =>
  operationId === 'createCustomProvider' ? { body: providerBody(api) } : (SAMPLES[operationId] ?? {});

const ANSWERS: Readonly<Partial<Record<OperationId, Expected>>> = {
  issueToken: { status: 401 },
  listConnectedAccounts: { status: 200 },
  searchConnectedAccounts: { status: 200 },
  listConnections: { status: 200 },
  listAuthenticationRequests: { status: 200 },
  // The sample follows the contract, so the unknown connector is the only problem (behaviour A3, R1).
  createConnectedAccount: { status: 400, body: violating(exactly({ field: 'connector' })) },
  createCustomProvider: { status: 201 },
};

/** The expected answer to the sample, and to any other well-formed call whose ids do not exist. */
export const sampleAnswer = (operationId: OperationId): Expected => ANSWERS[operationId] ?? { status: 404 };

export const isCreating = (operationId: OperationId): boolean => operationId === 'createCustomProvider';

/** Cases that send the sample call of an operation. They count as cases that change data if that call creates data. */
export const sampleCases = (operationId: OperationId, ...claims: readonly Claim[]): readonly Case[] =>
  (isCreating(operationId) ? writing : reading)(operationId, ...claims);

/** Parts of tokens that no service ever issues. The parts are in base64url. */
export const TOKEN_PARTS = {
  /** `{"alg":"none"}` */
  unsigned: 'eyJhbGciOiJub25lIn0',
  /** `{"sub":"somebody","client_id":"somebody","exp":4000000000}` */
  claims: 'eyJzdWIiOiJzb21lYm9keSIsImNsaWVudF9pZCI6InNvbWVib2R5IiwiZXhwIjo0MDAwMDAwMDAwfQ',
} as const;
