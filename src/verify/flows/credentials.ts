/**
 * Cases about the credentials of accounts: the kinds, the members of each kind, and the secrets that no reply may hold.
 */
import { type Case, test, writing } from '../case.ts';
import { absent, aTime, not, someOf, someText } from '../matchers.ts';
import type { Answer, Service } from '../service.ts';
import {
  ACCOUNT_TYPES,
  type AccountType,
  account,
  anAccount,
  auth,
  CREDENTIALS,
  create,
  kindOf,
} from './setup.ts';

/** Creates an account with these credentials. */
const give = (service: Service, type: AccountType, authorization_details: unknown, expected: Answer) =>
  create(service, type, { authorization_details }, expected);

const withCredentials = (authorization_details: object) => account({ authorization_details });

const KINDS = ACCOUNT_TYPES.map((type) => {
  const status = type === 'NO_AUTH' ? 'ACTIVE' : 'PENDING_AUTH';
  const title = `An account of a ${type} connection has authorization_type ${kindOf(type)}, and status ${status} if it has no credentials`;
  return test(title, async (service) => {
    const usable = { authorization_type: kindOf(type), status: 'ACTIVE' };
    await give(service, type, CREDENTIALS[type], account(usable));
    const body = { connector: service.connector(type), identifier: `${service.unique}@pending.test` };
    await service.call('createConnectedAccount', { body }, account({ status, token_expires_at: absent }));
  }).inferred('A5', 'A6');
});

export const CREDENTIAL_FLOWS: readonly Case[] = writing(
  'createConnectedAccount',
  ...KINDS,
  test('A new account returns the OAuth token that was sent, with its domain and scopes', (service) => {
    const oauth_token = { ...CREDENTIALS.OAUTH.oauth_token, domain: 'a.test', scopes: ['one', 'two'] };
    return give(service, 'OAUTH', { oauth_token }, withCredentials({ oauth_token }));
  }).promised(),
  test('A new account returns static credentials in the form in which they were sent', (service) => {
    const static_auth = { details: { key: 'canary-key', nested: { of: ['any', 'form'] } } };
    return give(service, 'API_KEY', { static_auth }, withCredentials({ static_auth }));
  }).promised(),
  test('A new VENDORB_DWD account returns its subject and a token that expires', (service) => {
    const { subject } = CREDENTIALS.VENDORB_DWD.vendorb_dwd;
    const token = { subject, access_token: someText, scopes: someOf(someText), token_expires_at: aTime };
    return give(service, 'VENDORB_DWD', CREDENTIALS.VENDORB_DWD, withCredentials({ vendorb_dwd: token }));
  }).promised('A6'),
  test('A TRUSTED_IDP account returns its db_user and a temporary key that expires', async (service) => {
    const { id } = await anAccount(service, 'TRUSTED_IDP');
    const key = { db_user: 'conformance', access_key_id: someText, expiry: aTime };
    await auth(service, { id }, withCredentials({ trusted_idp: key }));
  }).promised('A6'),
  test('Creating a TRUSTED_IDP account never returns secret_access_key or session_token', (service) => {
    const secrets = { secret_access_key: 'canary-secret-key', session_token: 'canary-session' };
    const trusted_idp = { db_user: 'conformance', access_key_id: 'made-up', ...secrets };
    const shown = { access_key_id: not('made-up'), secret_access_key: absent, session_token: absent };
    return give(service, 'TRUSTED_IDP', { trusted_idp }, withCredentials({ trusted_idp: shown }));
  }).promised('A5'),
  test('An account that is created with empty credentials is PENDING_AUTH and has no credentials', async (service) => {
    const pending = account({ status: 'PENDING_AUTH', authorization_details: absent });
    await give(service, 'OAUTH', {}, pending);
    await give(service, 'API_KEY', { static_auth: { details: {} } }, pending);
  }).inferred('A5', 'A6'),
  test('An account that is created with an OAuth token has no token_expires_at', (service) =>
    give(service, 'OAUTH', CREDENTIALS.OAUTH, account({ token_expires_at: absent }))).inferred('A8'),
  test('Creating an account with credentials that do not fit the connection is refused', async (service) => {
    await give(service, 'OAUTH', CREDENTIALS.API_KEY, 400);
    await give(service, 'API_KEY', CREDENTIALS.OAUTH, 400);
    await give(service, 'NO_AUTH', CREDENTIALS.API_KEY, 400);
  }).inferred('A5'),
);
