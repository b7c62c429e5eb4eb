/** Calls that several cases make, and functions that create data for cases: accounts, links and consents. */

import { valueAt } from '../../engine/core/object.ts';
import type { Schemas } from '../../service/contract.ts';
import type { Query } from './client.ts';
import { type Expected, type ExpectedAnswer, Service } from './service.ts';

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
} as const satisfies { readonly [Type in Schemas['ConnectionType']]?: unknown };

export type AccountType = keyof typeof CREDENTIALS;

/** The address to which links send their users. No server answers there. */
export const VERIFY_URL = 'https://client.test/verified?kept=yes';

/** A successful answer with this account. */
export const account = (connected_account: object): Expected => ({ body: { connected_account } });

export class Api extends Service {
  create(type: AccountType, connected_account: object, expected?: ExpectedAnswer) {
    return this.call('createConnectedAccount', { body: { ...this.pair(type), connected_account } }, expected);
  }

  update(id: string, connected_account: object, expected?: ExpectedAnswer) {
    return this.call('updateConnectedAccount', { body: { id, connected_account } }, expected);
  }

  details(query: Query, expected?: ExpectedAnswer) {
    return this.call('getConnectedAccountDetails', { query }, expected);
  }

  auth(query: Query, expected?: ExpectedAnswer) {
    return this.call('getConnectedAccountAuth', { query }, expected);
  }

  verify(auth_request_id: string, identifier: string, expected?: ExpectedAnswer) {
    return this.call('verifyConnectedAccountUser', { body: { auth_request_id, identifier } }, expected);
  }

  /** Creates an account with usable credentials, unless `changes` replaces or removes them. */
  async anAccount(type: AccountType, changes: object = {}) {
    const { body } = await this.create(type, { authorization_details: CREDENTIALS[type], ...changes });
    return {
      pair: this.pair(type),
      id: textAt(body, 'connected_account', 'id'),
      updatedAt: textAt(body, 'connected_account', 'updated_at'),
    };
  }

  /** Creates a link for a connector and identifier that have no account yet. */
  async aLink(type: AccountType = 'OAUTH', more: object = { user_verify_url: VERIFY_URL }) {
    const pair = this.pair(type);
    const { body } = await this.call('createMagicLink', { body: { ...pair, ...more } });
    return { pair, link: textAt(body, 'link') };
  }

  /** Creates a link and approves it as its user. The user is not verified yet. */
  async aConsent() {
    const { link, pair } = await this.aLink();
    const redirect = await this.open(link, 'approve');
    return { pair, authRequestId: textAt(redirect, 'query', 'auth_request_id') };
  }

  /** Creates an account by consent and verification. Unlike the tokens in `CREDENTIALS`, its token has an expiry time. */
  async aVerifiedAccount() {
    const { pair, authRequestId } = await this.aConsent();
    await this.verify(authRequestId, pair.identifier);
    return pair;
  }
}

/** @throws Error that names the place if the body has no string there */
export const textAt = (body: unknown, ...names: readonly (string | number)[]): string => {
  const found = valueAt(body, ...names);
  if (typeof found !== 'string') throw new Error(`The reply has no string at ${names.join('.')}.`);
  return found;
};
