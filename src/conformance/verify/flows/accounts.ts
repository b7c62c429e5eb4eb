/** Cases about connected accounts: from creation to deletion, ways to refer to them, and kinds of credentials. */
import type { OperationId } from '../../../service/contract.ts';
import { type AccountType, type Api, account, CREDENTIALS, VERIFY_URL } from '../api.ts';
import { reading, test, writing } from '../case.ts';
import type { Call, Query } from '../client.ts';
import { absent, aText, aTime, empty, not, someOf, someText } from '../matchers.ts';
import { UNKNOWN } from '../samples.ts';
import type { ExpectedAnswer } from '../service.ts';

const CREATING = writing(
  'createConnectedAccount',
  test('Creating an account returns the whole account, with its credentials', (api) => {
    const changes = { api_config: { folder: 'inbox' }, authorization_details: CREDENTIALS.OAUTH };
    const { identifier } = api.pair('OAUTH');
    const shown = { id: aText(/^ca_/), identifier, connection_id: someText, updated_at: aTime, ...changes };
    return api.create('OAUTH', changes, account(shown));
  }).promised(),
  test('Creating an account accepts the key_id of a connection as connector, ignoring case', (api) => {
    const { connector, identifier } = api.pair('API_KEY');
    const body = { connector: connector.toUpperCase(), identifier };
    return api.call('createConnectedAccount', { body }, account({ connector }));
  }).inferred('A3', 'I6'),
  test('The provider of a new account is the provider_key of its connection, in upper case', async (api) => {
    const { connector } = api.pair('OAUTH');
    const { id, provider_key } = api.connection('the connection', { key_id: connector });
    const shown = { connection_id: id, provider: String(provider_key).toUpperCase() };
    await api.create('OAUTH', {}, account(shown));
  }).inferred('A10'),
  test('Creating a second account with the same connector and identifier answers 409 and changes nothing', async (api) => {
    const { id, updatedAt, pair } = await api.anAccount('OAUTH', { api_config: { folder: 'inbox' } });
    await api.create('OAUTH', { api_config: { folder: 'other' } }, 409);
    const body = { ...pair, connector: pair.connector.toUpperCase() };
    await api.call('createConnectedAccount', { body }, 409);
    await api.details({ id }, account({ api_config: { folder: 'inbox' }, updated_at: updatedAt }));
  }).promised('A4', 'I6'),
  ...(
    [
      ['disabled', { type: 'OAUTH', enabled: false }],
      ['not COMPLETED', { type: 'OAUTH', status: 'DRAFT' }],
    ] as const
  ).map(([words, like]) =>
    test(`Creating an account or a link for a connection that is ${words} answers 403`, async (api) => {
      const { key_id } = api.connection(`an OAUTH connection that is ${words}`, like);
      const body = { connector: key_id, identifier: api.unique };
      const refused = { status: 403, error: 'CONNECTION_NOT_ENABLED' } as const;
      await api.call('createConnectedAccount', { body }, refused);
      await api.call('createMagicLink', { body: { ...body, user_verify_url: VERIFY_URL } }, refused);
    }).inferred('R1'),
  ),
);

const REFUSING = reading(
  'createConnectedAccount',
  test('Creating an account with a sign-in connection as connector is refused', (api) => {
    const { key_id } = api.connection('a sign-in connection', { type: aText(/^(OIDC|SAML)$/) });
    const body = { connector: key_id, identifier: api.unique };
    return api.refuses('createConnectedAccount', { body }, 'connector');
  }).inferred('A3'),
  test('A connector is refused if it has characters other than letters, digits, spaces, hyphens, underscores and colons', async (api) => {
    const body = { connector: 'no/such*connector', identifier: 'nobody' };
    await api.refuses('createConnectedAccount', { body }, 'connector');
    await api.details({ connector: 'Az 09-_:', identifier: 'nobody' }, 404);
  }).promised('I5'),
);

const READING = writing(
  'getConnectedAccountAuth',
  test('Fetching the credentials of an account returns them in full', async (api) => {
    const { id } = await api.anAccount('OAUTH');
    await api.auth({ id }, account({ authorization_details: CREDENTIALS.OAUTH }));
  }).promised(),
  test('The details of an account include its configuration but no credentials', async (api) => {
    const api_config = { free: { of: ['any', 'form', 1, true] } };
    const { id, pair } = await api.anAccount('API_KEY', { api_config });
    const shown = { ...pair, api_config, provider: someText, updated_at: aTime };
    await api.details({ id }, account({ ...shown, authorization_details: absent }));
  }).promised('A10'),
  test('Fetching the credentials of an account sets last_used_at, but fetching its details does not', async (api) => {
    const { id } = await api.anAccount('OAUTH');
    await api.details({ id }, account({ last_used_at: absent }));
    await api.auth({ id });
    await api.details({ id }, account({ last_used_at: aTime }));
  }).inferred('A8'),
  test('After a user has consented, the account has token_expires_at', async (api) => {
    const pair = await api.aVerifiedAccount();
    await api.auth(pair, account({ token_expires_at: aTime }));
    await api.details(pair, account({ token_expires_at: aTime, last_used_at: aTime }));
  }).promised('A8'),
);

const USABLE = { authorization_details: CREDENTIALS.OAUTH };

const UPDATING = writing(
  'updateConnectedAccount',
  test('An update of api_config replaces the top-level members that are sent and keeps the others', async (api) => {
    const { id } = await api.anAccount('OAUTH', { api_config: { folder: 'inbox', deep: { one: 1 } } });
    const changes = { api_config: { deep: { two: 2 }, added: true } };
    const merged = { folder: 'inbox', deep: { one: absent, two: 2 }, added: true };
    await api.update(id, changes, account({ api_config: merged, status: 'ACTIVE' }));
  }).promised('A7'),
  test('An update of credentials changes only the members that are sent', async (api) => {
    const { id } = await api.anAccount('OAUTH');
    const newer = { access_token: 'newer-access-token' };
    const oauth_token = { ...CREDENTIALS.OAUTH.oauth_token, ...newer };
    const changes = { authorization_details: { oauth_token: newer } };
    await api.update(id, changes, account({ authorization_details: { oauth_token } }));
  }).promised('A7'),
  test('An update with usable credentials makes a PENDING_AUTH account ACTIVE', async (api) => {
    const { id } = await api.anAccount('OAUTH', { authorization_details: undefined });
    await api.update(id, { api_config: { folder: 'inbox' } }, account({ status: 'PENDING_AUTH' }));
    const emptyToken = { authorization_details: { oauth_token: { access_token: '' } } };
    await api.update(id, emptyToken, account({ status: 'PENDING_AUTH' }));
    await api.update(id, USABLE, account({ status: 'ACTIVE', ...USABLE }));
  }).inferred('A7'),
  test('An update with the same values, or without values, changes nothing', async (api) => {
    const { id, updatedAt } = await api.anAccount('OAUTH');
    await api.update(id, USABLE, account({ updated_at: updatedAt }));
    await api.call('updateConnectedAccount', { body: { id } }, account({ updated_at: updatedAt, ...USABLE }));
  }).inferred('A7'),
  test('An update with credentials that do not fit the connection is refused', async (api) => {
    const { id } = await api.anAccount('API_KEY');
    await api.update(id, USABLE, { status: 400 });
  }).inferred('A5'),
);

const DELETING = writing(
  'deleteConnectedAccount',
  test('Calls for a deleted account answer 404, and a new account can have the same connector and identifier', async (api) => {
    const { id, pair } = await api.anAccount('OAUTH');
    await api.call('deleteConnectedAccount', { body: { id } }, { body: empty });
    await api.details({ id }, 404);
    await api.auth({ id }, 404);
    await api.call('deleteConnectedAccount', { body: { id } }, 404);
    await api.call('createConnectedAccount', { body: pair }, account({ id: not(id) }));
  }).promised('A9', 'I1'),
);

/** The operations on one account, each with a function that builds a call from an id, or a connector and identifier. */
const ADDRESSED = [
  ['getConnectedAccountAuth', (query) => ({ query })],
  ['getConnectedAccountDetails', (query) => ({ query })],
  ['updateConnectedAccount', (address) => ({ body: { ...address, connected_account: {} } })],
  ['createMagicLink', (address) => ({ body: { ...address, user_verify_url: VERIFY_URL } })],
  ['deleteConnectedAccount', (body) => ({ body })],
] as const satisfies readonly [OperationId, (address: Query) => Call][];

const ADDRESSING = ADDRESSED.flatMap(([operationId, toCall]) => [
  ...reading(
    operationId,
    test(`${operationId} refuses a call that has neither an id nor both connector and identifier`, async (api) => {
      await api.call(operationId, toCall({}), 400);
      await api.refuses(operationId, toCall({ connector: 'mail' }), 'identifier');
      await api.refuses(operationId, toCall({ identifier: 'nobody' }), 'connector');
    }).promised('A2'),
  ),
  ...writing(
    operationId,
    test(`${operationId} finds an account by id, or by connector and identifier, and uses the id if both are sent`, async (api) => {
      const { id } = await api.anAccount('OAUTH');
      await api.call(operationId, toCall({ id, organization_id: UNKNOWN.organization }), 404);
      await api.call(operationId, toCall({ id, user_id: UNKNOWN.user }), 404);
      await api.call(operationId, toCall({ id, connector: UNKNOWN.connector, identifier: 'nobody' }));
      const { pair } = await api.anAccount('API_KEY');
      await api.call(operationId, toCall(pair));
    }).inferred('A2'),
    test(`${operationId} finds an account by connector, identifier and owner, even if no organization or user has the owner's id`, async (api) => {
      for (const owner of [{ organization_id: 'nobody-knows' }, { user_id: '42' }]) {
        const connector = api.connector('API_KEY');
        const body = { connector, identifier: `${api.unique}-${Object.keys(owner)}`, ...owner };
        await api.call('createConnectedAccount', { body });
        await api.call(operationId, toCall(body));
      }
    }).promised('I2'),
  ),
]);

const give = (api: Api, type: AccountType, authorization_details: unknown, expected: ExpectedAnswer) =>
  api.create(type, { authorization_details }, expected);

const withCredentials = (authorization_details: object) => account({ authorization_details });

const KINDS = Object.entries(CREDENTIALS).map(([key, credentials]) => {
  const type = key as AccountType; // the cast is safe: `AccountType` is the type of these keys
  const kind = type === 'BEARER' ? 'BEARER_TOKEN' : type;
  const status = type === 'NO_AUTH' ? 'ACTIVE' : 'PENDING_AUTH';
  const title = `An account of a ${type} connection has authorization_type ${kind}, and status ${status} if it has no credentials`;
  return test(title, async (api) => {
    const expiry = type === 'OAUTH' ? { token_expires_at: absent } : {}; // behaviour A8
    await give(api, type, credentials, account({ authorization_type: kind, status: 'ACTIVE', ...expiry }));
    const body = { connector: api.connector(type), identifier: `${api.unique}@pending.test` };
    await api.call('createConnectedAccount', { body }, account({ status, token_expires_at: absent }));
  }).inferred('A5', 'A6');
});

const GIVING = writing(
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
  test('Creating an account with credentials that do not fit the connection is refused', async (api) => {
    await give(api, 'OAUTH', CREDENTIALS.API_KEY, 400);
    await give(api, 'API_KEY', CREDENTIALS.OAUTH, 400);
    await give(api, 'NO_AUTH', CREDENTIALS.API_KEY, 400);
  }).inferred('A5'),
);

export const ACCOUNT_FLOWS = [CREATING, REFUSING, READING, UPDATING, DELETING, ADDRESSING, GIVING].flat();
