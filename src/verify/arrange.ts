/** What cases start from: accounts, links, providers and memberships of their own. */
import { textAt } from './call.ts';
import type { ConnectionType, Session } from './session.ts';

/** Credentials that make an account of each type usable (behaviour A6). */
export const CREDENTIALS = {
  OAUTH: {
    oauth_token: { access_token: 'conformance-access-token', refresh_token: 'conformance-refresh-token' },
  },
  OAUTH_M2M: { oauth_token: { access_token: 'conformance-access-token' } },
  VENDORA_OAUTH1: { oauth_token: { access_token: 'conformance-access-token' } },
  SMART_FHIR: { oauth_token: { access_token: 'conformance-access-token' } },
  API_KEY: { static_auth: { details: { api_key: 'conformance-api-key' } } },
  BASIC: { static_auth: { details: { username: 'conformance', password: 'conformance-password' } } },
  BEARER: { static_auth: { details: { token: 'conformance-bearer' } } },
  VENDORB_DWD: { vendorb_dwd: { subject: 'conformance@delegated.test' } },
  TRUSTED_IDP: { trusted_idp: { db_user: 'conformance' } },
  NO_AUTH: undefined,
} as const satisfies { readonly [Type in ConnectionType]?: unknown };

export type AccountType = keyof typeof CREDENTIALS;

/** Where the links of the suite send their users. Nobody answers there, and nobody needs to. */
export const VERIFY_URL = 'https://client.test/verified?kept=yes';

export interface Account {
  readonly id: string;
  readonly updatedAt: string;
  readonly connector: string;
  readonly identifier: string;
}

/** A new account. @param credentials default: those that make it usable; null: none */
export const anAccount =
  (type: AccountType, { credentials = CREDENTIALS[type], ...more }: AccountMore = {}) =>
  async (session: Session): Promise<Account> => {
    const connector = session.connector(type);
    const identifier = `${session.unique}@conformance.test`;
    const connected_account = { ...more, ...(credentials && { authorization_details: credentials }) };
    const body = await session.obtain(
      'createConnectedAccount',
      { body: { connector, identifier, connected_account } },
      201,
    );
    const [id, updatedAt] = [
      textAt(body, 'connected_account', 'id'),
      textAt(body, 'connected_account', 'updated_at'),
    ];
    return { id, updatedAt, connector, identifier };
  };

interface AccountMore {
  readonly credentials?: object | null | undefined;
  readonly api_config?: object;
}

/** How a query names the account of a pair. */
export const ofPair = ({ connector, identifier }: Pick<Account, 'connector' | 'identifier'>) => ({
  connector,
  identifier,
});

/** Two accounts with one identifier, so that a list of this identifier has two pages of one. */
export const twoAccounts = async (session: Session) => {
  const first = await anAccount('OAUTH')(session);
  const second = await anAccount('API_KEY')(session);
  return { identifier: first.identifier, first, second };
};

export interface Link {
  readonly link: string;
  readonly expiry: string;
  readonly connector: string;
  readonly identifier: string;
}

/** A link for a pair that has no account yet. */
export const aLink =
  (
    type: AccountType,
    more: { readonly state?: string; readonly user_verify_url?: string } = { user_verify_url: VERIFY_URL },
  ) =>
  async (session: Session): Promise<Link> => {
    const pair = { connector: session.connector(type), identifier: `${session.unique}@conformance.test` };
    const body = await session.obtain('createMagicLink', { body: { ...pair, ...more } });
    return { ...pair, link: textAt(body, 'link'), expiry: textAt(body, 'expiry') };
  };

export interface Consent {
  readonly authRequestId: string;
  readonly connector: string;
  readonly identifier: string;
}

/** The user has approved, and nobody has verified them yet. */
export const aConsent = async (session: Session): Promise<Consent> => {
  const { link, connector, identifier } = await aLink('OAUTH')(session);
  const redirect = await session.obtain('createMagicLink', { follow: { link, decision: 'approve' } }, 302);
  return { authRequestId: textAt(redirect, 'query', 'auth_request_id'), connector, identifier };
};

export interface Provider {
  readonly identifier: string;
  readonly displayName: string;
}

export const aProvider = async (session: Session): Promise<Provider> => {
  const displayName = `Provider ${session.unique}`;
  const body = await session.obtain(
    'createCustomProvider',
    {
      body: {
        display_name: displayName,
        proxy_url: 'https://proxy.test',
        auth_patterns: [{ type: 'API_KEY' }],
        metadata: { first: 'one', second: 'two' },
      },
    },
    201,
  );
  return { identifier: textAt(body, 'provider', 'identifier'), displayName };
};

export interface Member {
  readonly organization_id: string;
  readonly id: string;
}

/** The user of the run as a member. @param send_invitation_email false: at once */
export const aMember =
  (send_invitation_email: boolean, body: object = {}) =>
  async (session: Session): Promise<Member> => {
    const path = { organization_id: session.organizationId, id: session.userId };
    await session.obtain('createMembership', { path, query: { send_invitation_email }, body }, 201);
    return path;
  };

/** Moves the clock of the environment. @param by such as `15m` */
export const advance =
  (by: string) =>
  ({ control }: Session): Promise<unknown> =>
    control.advance(by);

/** Lets the third party do something to an account: `expire`, `disconnect`, `revoke` or `grant`. */
export const act =
  (action: string) =>
  ({ control }: Session, { id }: { readonly id: string }): Promise<unknown> =>
    control.act(`connected_accounts/${id}/${action}`);
