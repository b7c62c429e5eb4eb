/** Credentials of accounts: the kinds, what each holds, and what no reply holds. */
import { type Case, inferred, promised, writing } from '../case.ts';
import { absent, aTime, not, someOf, someText } from '../matchers.ts';
import { ACCOUNT_TYPES, account, anAccount, auth, CREDENTIALS, create, kindOf } from './setup.ts';

const withCredentials = (authorization_details: object) => account({ authorization_details });

const KINDS = ACCOUNT_TYPES.map((type) => {
  const status = type === 'NO_AUTH' ? 'ACTIVE' : 'PENDING_AUTH';
  const title = `A connector of type ${type} gives accounts of ${kindOf(type)}, ${status} without credentials`;
  return inferred(title, ['A5', 'A6'], async (service) => {
    const usable = { authorization_type: kindOf(type), status: 'ACTIVE' };
    await create(service, type, { authorization_details: CREDENTIALS[type] }, account(usable));
    const body = { connector: service.connector(type), identifier: `${service.unique}@pending.test` };
    await service.call('createConnectedAccount', { body }, account({ status, token_expires_at: absent }));
  });
});

const FIELDS = [
  promised('Tokens are kept with their domain and scopes', [], (service) => {
    const oauth_token = { ...CREDENTIALS.OAUTH.oauth_token, domain: 'a.test', scopes: ['one', 'two'] };
    return create(
      service,
      'OAUTH',
      { authorization_details: { oauth_token } },
      withCredentials({ oauth_token }),
    );
  }),
  promised('Other credentials are kept in whatever form they have', [], (service) => {
    const static_auth = { details: { key: 'canary-key', nested: { of: ['any', 'form'] } } };
    const authorization_details = { static_auth };
    return create(service, 'API_KEY', { authorization_details }, withCredentials({ static_auth }));
  }),
  promised('A delegation names its subject and has a token that expires', ['A6'], (service) => {
    const { subject } = CREDENTIALS.VENDORB_DWD.vendorb_dwd;
    const token = { subject, access_token: someText, scopes: someOf(someText), token_expires_at: aTime };
    const authorization_details = CREDENTIALS.VENDORB_DWD;
    return create(service, 'VENDORB_DWD', { authorization_details }, withCredentials({ vendorb_dwd: token }));
  }),
  promised('A trusted identity has a temporary key that ends', ['A6'], async (service) => {
    const { id } = await anAccount(service, 'TRUSTED_IDP');
    const key = { db_user: 'conformance', access_key_id: someText, expiry: aTime };
    await auth(service, { id }, withCredentials({ trusted_idp: key }));
  }),
  promised('The secret parts of a trusted identity are in no reply', ['A5'], (service) => {
    const secrets = { secret_access_key: 'canary-secret-key', session_token: 'canary-session' };
    const trusted_idp = { db_user: 'conformance', access_key_id: 'made-up', ...secrets };
    const shown = { access_key_id: not('made-up'), secret_access_key: absent, session_token: absent };
    return create(
      service,
      'TRUSTED_IDP',
      { authorization_details: { trusted_idp } },
      withCredentials({ trusted_idp: shown }),
    );
  }),
];

const REFUSING = [
  inferred('Empty credentials count as none', ['A5', 'A6'], async (service) => {
    const pending = account({ status: 'PENDING_AUTH', authorization_details: absent });
    await create(service, 'OAUTH', { authorization_details: {} }, pending);
    await create(service, 'API_KEY', { authorization_details: { static_auth: { details: {} } } }, pending);
  }),
  inferred('Credentials that a caller sends do not expire', ['A8'], (service) =>
    create(
      service,
      'OAUTH',
      { authorization_details: CREDENTIALS.OAUTH },
      account({ token_expires_at: absent }),
    ),
  ),
  inferred('Credentials of another kind than the connection has are refused', ['A5'], async (service) => {
    await create(service, 'OAUTH', { authorization_details: CREDENTIALS.API_KEY }, 400);
    await create(service, 'API_KEY', { authorization_details: CREDENTIALS.OAUTH }, 400);
    await create(service, 'NO_AUTH', { authorization_details: CREDENTIALS.API_KEY }, 400);
  }),
];

export const CREDENTIAL_FLOWS: readonly Case[] = writing(
  'createConnectedAccount',
  ...KINDS,
  ...FIELDS,
  ...REFUSING,
);
