/** Cases about connected accounts, from creation to deletion. */
import { type Case, reading, test, writing } from '../case.ts';
import { absent, aText, aTime, empty, not, oneOf, someText } from '../matchers.ts';
import {
  account,
  anAccount,
  auth,
  aVerifiedAccount,
  CREDENTIALS,
  create,
  details,
  update,
  VERIFY_URL,
} from './setup.ts';

const CREATING = writing(
  'createConnectedAccount',
  test('Creating an account returns the whole account, with its credentials', (service) => {
    const changes = { api_config: { folder: 'inbox' }, authorization_details: CREDENTIALS.OAUTH };
    const { identifier } = service.pair('OAUTH');
    const shown = { id: aText(/^ca_/), identifier, connection_id: someText, updated_at: aTime, ...changes };
    return create(service, 'OAUTH', changes, account(shown));
  }).promised(),
  test('An account can be created without credentials or configuration', (service) =>
    service.call('createConnectedAccount', { body: service.pair('OAUTH') })).promised(),
  test('Creating an account accepts the key_id of a connection as connector, ignoring case', (service) => {
    const { connector, identifier } = service.pair('API_KEY');
    const body = { connector: connector.toUpperCase(), identifier };
    return service.call('createConnectedAccount', { body }, account({ connector }));
  }).inferred('A3', 'I6'),
  test('A new account has the provider_key of its connection as provider, in upper case', async (service) => {
    const { connector } = service.pair('OAUTH');
    const { id, provider_key } = service.connection('the connection', { key_id: connector });
    const shown = { connection_id: id, provider: String(provider_key).toUpperCase() };
    await create(service, 'OAUTH', {}, account(shown));
  }).inferred('A10'),
  test('Creating an account accepts any text as organization_id and user_id', (service) => {
    const labels = { organization_id: 'nobody-knows', user_id: '42' };
    return service.call('createConnectedAccount', { body: { ...service.pair('OAUTH'), ...labels } });
  }).inferred('I2'),
  test('Creating a second account with the same connector and identifier answers 409 and changes nothing', async (service) => {
    const { id, updatedAt, pair } = await anAccount(service, 'OAUTH', { api_config: { folder: 'inbox' } });
    await create(service, 'OAUTH', { api_config: { folder: 'other' } }, 409);
    const body = { ...pair, connector: pair.connector.toUpperCase() };
    await service.call('createConnectedAccount', { body }, 409);
    await details(service, { id }, account({ api_config: { folder: 'inbox' }, updated_at: updatedAt }));
  }).promised('A4', 'I6'),
  ...(
    [
      ['disabled', { type: 'OAUTH', enabled: false }],
      ['not COMPLETED', { type: 'OAUTH', status: 'DRAFT' }],
    ] as const
  ).map(([words, like]) =>
    test(`Creating an account or a link for a connection that is ${words} answers 403`, async (service) => {
      const { key_id } = service.connection(`an OAUTH connection that is ${words}`, like);
      const body = { connector: key_id, identifier: service.unique };
      const refused = { status: 403, error: 'CONNECTION_NOT_ENABLED' } as const;
      await service.call('createConnectedAccount', { body }, refused);
      await service.call('createMagicLink', { body: { ...body, user_verify_url: VERIFY_URL } }, refused);
    }).inferred('R1'),
  ),
);

const REFUSING = reading(
  'createConnectedAccount',
  test('Creating an account with a sign-in connection as connector is refused', (service) => {
    const { key_id } = service.connection('a sign-in connection', { type: oneOf('OIDC', 'SAML') });
    const body = { connector: key_id, identifier: service.unique };
    return service.refuses('createConnectedAccount', { body }, 'connector');
  }).inferred('A3'),
  test('A connector with characters other than letters, digits, spaces and - _ : is refused', async (service) => {
    const body = { connector: 'no/such*connector', identifier: 'nobody' };
    await service.refuses('createConnectedAccount', { body }, 'connector');
    await details(service, { connector: 'Az 09-_:', identifier: 'nobody' }, 404);
  }).promised('I5'),
);

const READING = writing(
  'getConnectedAccountAuth',
  test('Fetching the credentials of an account returns them in full', async (service) => {
    const { id } = await anAccount(service, 'OAUTH');
    await auth(service, { id }, account({ authorization_details: CREDENTIALS.OAUTH }));
  }).promised(),
  test('The details of an account include its configuration but no credentials', async (service) => {
    const api_config = { free: { of: ['any', 'form', 1, true] } };
    const { id, pair } = await anAccount(service, 'API_KEY', { api_config });
    const shown = {
      ...pair,
      api_config,
      provider: someText,
      updated_at: aTime,
      authorization_details: absent,
    };
    await details(service, { id }, account(shown));
  }).promised('A10'),
  test('Fetching the credentials of an account sets last_used_at, fetching its details does not', async (service) => {
    const { id } = await anAccount(service, 'OAUTH');
    await details(service, { id }, account({ last_used_at: absent }));
    await auth(service, { id });
    await details(service, { id }, account({ last_used_at: aTime }));
  }).inferred('A8'),
  test('After a user has consented, the account has token_expires_at', async (service) => {
    const pair = await aVerifiedAccount(service);
    await auth(service, pair, account({ token_expires_at: aTime }));
    await details(service, pair, account({ token_expires_at: aTime, last_used_at: aTime }));
  }).promised('A8'),
);

const EMPTY_TOKEN = { authorization_details: { oauth_token: { access_token: '' } } };
const USABLE = { authorization_details: CREDENTIALS.OAUTH };

const UPDATING = writing(
  'updateConnectedAccount',
  test('An update of api_config replaces the top-level members that are sent and keeps the others', async (service) => {
    const { id } = await anAccount(service, 'OAUTH', { api_config: { folder: 'inbox', deep: { one: 1 } } });
    const changes = { api_config: { deep: { two: 2 }, added: true } };
    const merged = { folder: 'inbox', deep: { one: absent, two: 2 }, added: true };
    await update(service, id, changes, account({ api_config: merged, status: 'ACTIVE' }));
  }).promised('A7'),
  test('An update of credentials changes only the members that are sent', async (service) => {
    const { id } = await anAccount(service, 'OAUTH');
    const newer = { access_token: 'newer-access-token' };
    const oauth_token = { ...CREDENTIALS.OAUTH.oauth_token, ...newer };
    const changes = { authorization_details: { oauth_token: newer } };
    await update(service, id, changes, account({ authorization_details: { oauth_token } }));
  }).promised('A7'),
  test('An update with usable credentials makes a PENDING_AUTH account ACTIVE', async (service) => {
    const { id } = await anAccount(service, 'OAUTH', { authorization_details: undefined });
    await update(service, id, { api_config: { folder: 'inbox' } }, account({ status: 'PENDING_AUTH' }));
    await update(service, id, EMPTY_TOKEN, account({ status: 'PENDING_AUTH' }));
    await update(service, id, USABLE, account({ status: 'ACTIVE', ...USABLE }));
  }).inferred('A7'),
  test('An update with the same values, or without values, changes nothing', async (service) => {
    const { id, updatedAt } = await anAccount(service, 'OAUTH');
    await update(service, id, USABLE, account({ updated_at: updatedAt }));
    await service.call(
      'updateConnectedAccount',
      { body: { id } },
      account({ updated_at: updatedAt, ...USABLE }),
    );
  }).inferred('A7'),
  test('An update with credentials that do not fit the connection is refused', async (service) => {
    const { id } = await anAccount(service, 'API_KEY');
    await update(service, id, USABLE, { status: 400 });
  }).inferred('A5'),
);

const DELETING = writing(
  'deleteConnectedAccount',
  test('A deleted account answers 404, and a new account can have its connector and identifier', async (service) => {
    const { id, pair } = await anAccount(service, 'OAUTH');
    await service.call('deleteConnectedAccount', { body: { id } }, { body: empty });
    await details(service, { id }, 404);
    await auth(service, { id }, 404);
    await service.misses('deleteConnectedAccount', { body: { id } });
    await service.call('createConnectedAccount', { body: pair }, account({ id: not(id) }));
  }).promised('A9', 'I1'),
);

export const ACCOUNT_FLOWS: readonly Case[] = [
  ...CREATING,
  ...REFUSING,
  ...READING,
  ...UPDATING,
  ...DELETING,
];
