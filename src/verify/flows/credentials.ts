/**
 * Cases about the credentials of accounts: the kinds, the members of each kind, and the secrets that no reply may hold.
 */
import { type AccountType, type Api, account, CREDENTIALS } from '../api.ts';
import { test, writing } from '../case.ts';
import { absent, aTime, not, someOf, someText } from '../matchers.ts';
import type { Answer } from '../service.ts';

/** Creates an account with these credentials. */
const give = (api: Api, type: AccountType, authorization_details: unknown, expected: Answer) =>
  api.create(type, { authorization_details }, expected);

const withCredentials = (authorization_details: object) => account({ authorization_details });

const KINDS = Object.entries(CREDENTIALS).map(([key, credentials]) => {
  const type = key as AccountType; // the type lists exactly these keys
  const kind = type === 'BEARER' ? 'BEARER_TOKEN' : type;
  const status = type === 'NO_AUTH' ? 'ACTIVE' : 'PENDING_AUTH';
  const title = `An account of a ${type} connection has authorization_type ${kind}, and status ${status} if it has no credentials`;
  return test(title, async (api) => {
    const usable = { authorization_type: kind, status: 'ACTIVE' };
    await give(api, type, credentials, account(usable));
    const body = { connector: api.connector(type), identifier: `${api.unique}@pending.test` };
    await api.call('createConnectedAccount', { body }, account({ status, token_expires_at: absent }));
  }).inferred('A5', 'A6');
});

export const CREDENTIAL_FLOWS = writing(
  'createConnectedAccount',
  ...KINDS,
  test('A new account returns the OAuth token that was sent, with its domain and scopes', (api) => {
    const oauth_token = { ...CREDENTIALS.OAUTH.oauth_token, domain: 'a.test', scopes: ['one', 'two'] };
    return give(api, 'OAUTH', { oauth_token }, withCredentials({ oauth_token }));
  }).promised(),
  test('A new account returns static credentials in the form in which they were sent', (api) => {
    const static_auth = { details: { key: 'canary-key', nested: { of: ['any', 'form'] } } };
    return give(api, 'API_KEY', { static_auth }, withCredentials({ static_auth }));
  }).promised(),
  test('A new VENDORB_DWD account returns its subject and a token that expires', (api) => {
    const { subject } = CREDENTIALS.VENDORB_DWD.vendorb_dwd;
    const token = { subject, access_token: someText, scopes: someOf(someText), token_expires_at: aTime };
    return give(api, 'VENDORB_DWD', CREDENTIALS.VENDORB_DWD, withCredentials({ vendorb_dwd: token }));
  }).promised('A6'),
  test('A TRUSTED_IDP account returns its db_user and a temporary key that expires', async (api) => {
    const { id } = await api.anAccount('TRUSTED_IDP');
    const key = { db_user: 'conformance', access_key_id: someText, expiry: aTime };
    await api.auth({ id }, withCredentials({ trusted_idp: key }));
  }).promised('A6'),
  test('Creating a TRUSTED_IDP account never returns secret_access_key or session_token', (api) => {
    const secrets = { secret_access_key: 'canary-secret-key', session_token: 'canary-session' };
    const trusted_idp = { db_user: 'conformance', access_key_id: 'made-up', ...secrets };
    const shown = { access_key_id: not('made-up'), secret_access_key: absent, session_token: absent };
    return give(api, 'TRUSTED_IDP', { trusted_idp }, withCredentials({ trusted_idp: shown }));
  }).promised('A5'),
  test('An account that is created with empty credentials is PENDING_AUTH and has no credentials', async (api) => {
    const pending = account({ status: 'PENDING_AUTH', authorization_details: absent });
    await give(api, 'OAUTH', {}, pending);
    await give(api, 'API_KEY', { static_auth: { details: {} } }, pending);
  }).inferred('A5', 'A6'),
  test('An account that is created with an OAuth token has no token_expires_at', (api) =>
    give(api, 'OAUTH', CREDENTIALS.OAUTH, account({ token_expires_at: absent }))).inferred('A8'),
  test('Creating an account with credentials that do not fit the connection is refused', async (api) => {
    await give(api, 'OAUTH', CREDENTIALS.API_KEY, 400);
    await give(api, 'API_KEY', CREDENTIALS.OAUTH, 400);
    await give(api, 'NO_AUTH', CREDENTIALS.API_KEY, 400);
  }).inferred('A5'),
);
