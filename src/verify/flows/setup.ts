/** Creates the accounts, links, providers and members that cases need. */
import type { Schemas } from '../../openapi/types.ts';
import { textAt } from '../client.ts';
import type { Answer, Expected, Service } from '../service.ts';

type ConnectionType = Schemas['ConnectionType'];

/** Credentials that make an account of each type usable (behaviour A6). */
export const CREDENTIALS = {
  OAUTH: { oauth_token: { access_token: 'canary-access-token', refresh_token: 'canary-refresh-token' } },
  OAUTH_M2M: { oauth_token: { access_token: 'canary-access-token' } },
  VENDORA_OAUTH1: { oauth_token: { access_token: 'canary-access-token' } },
  SMART_FHIR: { oauth_token: { access_token: 'canary-access-token' } },
  API_KEY: { static_auth: { details: { api_key: 'canary-api-key' } } },
  BASIC: { static_auth: { details: { username: 'canary-user', password: 'canary-password' } } },
  BEARER: { static_auth: { details: { token: 'canary-bearer' } } },
  VENDORB_DWD: { vendorb_dwd: { subject: 'conformance@delegated.test' } },
  TRUSTED_IDP: { trusted_idp: { db_user: 'conformance' } },
  NO_AUTH: undefined,
} as const satisfies { readonly [Type in ConnectionType]?: unknown };

export type AccountType = keyof typeof CREDENTIALS;

/** The authorization_type that an account gets from each type of connection (behaviour A5). */
export const kindOf = (type: AccountType): string => (type === 'BEARER' ? 'BEARER_TOKEN' : type);

export const ACCOUNT_TYPES = Object.keys(CREDENTIALS) as AccountType[]; // the type lists exactly these keys

/** The address to which links send their users. No server answers there. */
export const VERIFY_URL = 'https://client.test/verified?kept=yes';

/** Expects a success whose account has the given members. */
export const account = (connected_account: object): Expected => ({ body: { connected_account } });

interface Changes {
  readonly api_config?: object;
  readonly authorization_details?: unknown;
}

/** Creates an account for a connector of this type. */
export const create = (
  service: Service,
  type: AccountType,
  connected_account: Changes,
  expected?: number | Expected,
) => service.call('createConnectedAccount', { body: { ...service.pair(type), connected_account } }, expected);

export const update = (service: Service, id: string, connected_account: Changes, expected?: Expected) =>
  service.call('updateConnectedAccount', { body: { id, connected_account } }, expected);

/** The address of an account: its id, or its connector and identifier. */
type Address = Readonly<Record<string, string>>;

export const details = (service: Service, query: Address, expected?: Answer) =>
  service.call('getConnectedAccountDetails', { query }, expected);

export const auth = (service: Service, query: Address, expected?: Answer) =>
  service.call('getConnectedAccountAuth', { query }, expected);

/** Creates an account with usable credentials, unless `changes` has other credentials or undefined. */
export const anAccount = async (service: Service, type: AccountType, changes: Changes = {}) => {
  const { body } = await create(service, type, { authorization_details: CREDENTIALS[type], ...changes });
  return {
    pair: service.pair(type),
    id: textAt(body, 'connected_account', 'id'),
    updatedAt: textAt(body, 'connected_account', 'updated_at'),
  };
};

/**
 * Creates two accounts with the same identifier, so that a list filtered by the identifier has two pages of one
 * account.
 */
export const twoAccounts = async (service: Service) => {
  const first = await anAccount(service, 'OAUTH');
  const second = await anAccount(service, 'API_KEY');
  return { identifier: first.pair.identifier, first, second };
};

/** Creates a link for a connector and identifier that have no account yet. */
export const aLink = async (
  service: Service,
  type: AccountType = 'OAUTH',
  more: object = { user_verify_url: VERIFY_URL },
) => {
  const pair = service.pair(type);
  const { body } = await service.call('createMagicLink', { body: { ...pair, ...more } });
  return { pair, link: textAt(body, 'link') };
};

/** Creates a link and approves it as its user. The user is not verified yet. */
export const aConsent = async (service: Service) => {
  const { link, pair } = await aLink(service);
  const redirect = await service.open(link, 'approve');
  return { pair, authRequestId: textAt(redirect, 'query', 'auth_request_id') };
};

export const verify = (
  service: Service,
  auth_request_id: string,
  identifier: string,
  expected?: number | Expected,
) => service.call('verifyConnectedAccountUser', { body: { auth_request_id, identifier } }, expected);

/** Creates an account that a user has authorized and that is verified. Its token expires. */
export const aVerifiedAccount = async (service: Service) => {
  const { pair, authRequestId } = await aConsent(service);
  await verify(service, authRequestId, pair.identifier);
  return pair;
};
