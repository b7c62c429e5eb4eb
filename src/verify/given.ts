/** What cases start from: accounts, links, providers and memberships of their own. */
import type { Schemas } from '../openapi/types.ts';
import type { AccountChanges, Api } from './api.ts';
import { textAt } from './http.ts';

type ConnectionType = Schemas['ConnectionType'];

/** Credentials that make an account of each type usable (behaviour A6); nothing else is named like them. */
export const CREDENTIALS = {
  OAUTH: {
    oauth_token: { access_token: 'canary-access-token', refresh_token: 'canary-refresh-token' },
  },
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

/** The kind of authorization that accounts of a connection of each type have (behaviour A5). */
export const kindOf = (type: AccountType): string => (type === 'BEARER' ? 'BEARER_TOKEN' : type);

export const ACCOUNT_TYPES = Object.keys(CREDENTIALS) as AccountType[]; // the keys that the type names

/** Where the links of the suite send their users. Nothing answers there, and nothing needs to. */
export const VERIFY_URL = 'https://client.test/verified?kept=yes';

export interface GivenAccount {
  readonly id: string;
  readonly updatedAt: string;
  readonly connector: string;
  readonly identifier: string;
}

/** A new account, with credentials that make it usable unless others, or undefined, are given. */
export const anAccount = async (
  api: Api,
  type: AccountType,
  more: AccountChanges = {},
): Promise<GivenAccount> => {
  const pair = api.pair(type);
  const connected_account = { authorization_details: CREDENTIALS[type], ...more };
  const body = await api.obtain('createConnectedAccount', { body: { ...pair, connected_account } });
  return {
    ...pair,
    id: textAt(body, 'connected_account', 'id'),
    updatedAt: textAt(body, 'connected_account', 'updated_at'),
  };
};

/** An account that waits for credentials. */
export const aPendingAccount = (api: Api): Promise<GivenAccount> =>
  anAccount(api, 'OAUTH', { authorization_details: undefined });

/** Two accounts with one identifier, so that a list of this identifier has two pages of one. */
export const twoAccounts = async (api: Api) => {
  const first = await anAccount(api, 'OAUTH');
  const second = await anAccount(api, 'API_KEY');
  return { identifier: first.identifier, first, second };
};

/** A link, by default for a pair that has no account yet, with `VERIFY_URL`. */
export const aLink = async (
  api: Api,
  type: AccountType = 'OAUTH',
  more: { readonly state?: string; readonly user_verify_url?: string } = { user_verify_url: VERIFY_URL },
) => {
  const pair = api.pair(type);
  const body = await api.obtain('createMagicLink', { body: { ...pair, ...more } });
  return { ...pair, link: textAt(body, 'link') };
};

/** A user has approved, and is not verified yet. */
export const aConsent = async (api: Api) => {
  const { link, connector, identifier } = await aLink(api);
  const { body } = await api.open(link, 'approve').leadsTo({});
  return { connector, identifier, authRequestId: textAt(body, 'query', 'auth_request_id') };
};

/** An account that a user has consented to and is verified for; its token ends after an hour. */
export const aVerifiedAccount = async (api: Api) => {
  const { connector, identifier, authRequestId } = await aConsent(api);
  const body = { auth_request_id: authRequestId, identifier };
  await api.obtain('verifyConnectedAccountUser', { body });
  const account = await api.obtain('getConnectedAccountDetails', { query: { connector, identifier } });
  return {
    connector,
    identifier,
    id: textAt(account, 'connected_account', 'id'),
    endsAt: textAt(account, 'connected_account', 'token_expires_at'),
  };
};

/** What a provider cannot do without. */
export const aProviderBody = ({ unique }: Api) => ({
  display_name: `Provider ${unique}`,
  auth_patterns: [{ type: 'API_KEY' }],
  proxy_url: 'https://proxy.test',
});

export const aProvider = async (api: Api, more: object = {}) => {
  const sent = { ...aProviderBody(api), metadata: { first: 'one', second: 'two' }, ...more };
  const body = await api.obtain('createCustomProvider', { body: sent });
  return { identifier: textAt(body, 'provider', 'identifier'), displayName: sent.display_name };
};

/** The user of the run as an invited member of its organization. */
export const anInvitedMember = async (api: Api) => {
  const path = { organization_id: api.organizationId, id: api.userId };
  await api.obtain('createMembership', { path, body: {} });
  return path;
};
