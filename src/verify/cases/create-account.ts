/** Creating connected accounts: what is stored, and what is refused. */
import type { AccountChanges, Api } from '../api.ts';
import { type Case, group, inferred, promised } from '../case.ts';
import { ACCOUNT_TYPES, type AccountType, anAccount, CREDENTIALS, kindOf } from '../given.ts';
import { absent, aText, aTime, not, oneOf, type Pattern, someOf, someText } from '../pattern.ts';
import { UNKNOWN } from '../samples.ts';

/** A create for a pair of its own. */
const creating = (api: Api, type: AccountType, more?: AccountChanges) => api.create(api.pair(type), more);

const creatingWith = (api: Api, type: AccountType, authorization_details: object) =>
  creating(api, type, { authorization_details });

const WRITE = { about: 'createConnectedAccount', needs: ['write'] } as const;

const CREATING = group(WRITE, [
  promised('A created account is given back in full, with the credentials that came with it', [], (api) => {
    const changes = { api_config: { folder: 'inbox' }, authorization_details: CREDENTIALS.OAUTH };
    return creating(api, 'OAUTH', changes).shows({
      id: aText(/^ca_/),
      identifier: api.pair('OAUTH').identifier,
      connection_id: someText,
      ...changes,
    });
  }),
  promised('Credentials and configuration may be left out', [], (api) =>
    creating(api, 'OAUTH').shows({ id: aText(/^ca_/) }),
  ),
  inferred('The connector is the key_id of the connection, however written', ['A3', 'I6'], (api) => {
    const { connector, identifier } = api.pair('API_KEY');
    return api.create({ connector: connector.toUpperCase(), identifier }).shows({ connector });
  }),
  inferred('The provider is the provider_key of the connection in upper case', ['A8', 'A10'], (api) => {
    const { connector } = api.pair('OAUTH');
    const { provider_key } = api.connection('the connection', { key_id: connector });
    return creating(api, 'OAUTH').shows({ provider: String(provider_key).toUpperCase() });
  }),
  ...ACCOUNT_TYPES.map((type) =>
    inferred(
      `A connector of type ${type} gives accounts of ${kindOf(type)}: ${type === 'NO_AUTH' ? 'ACTIVE without credentials' : 'ACTIVE with credentials, PENDING_AUTH without'}`,
      ['A5', 'A6'],
      async (api) => {
        await creating(api, type, { authorization_details: CREDENTIALS[type] }).shows({
          authorization_type: kindOf(type),
          status: 'ACTIVE',
        });
        if (type === 'NO_AUTH') return;
        await api
          .create({ connector: api.connector(type), identifier: `${api.unique}@pending.test` })
          .shows({ status: 'PENDING_AUTH', authorization_details: absent });
      },
    ),
  ),
  inferred('Empty credentials count as none', ['A5', 'A6'], async (api) => {
    await creatingWith(api, 'OAUTH', {}).shows({ status: 'PENDING_AUTH' });
    await creatingWith(api, 'API_KEY', { static_auth: { details: {} } }).shows({ status: 'PENDING_AUTH' });
  }),
  inferred('Credentials that a caller brings have no end', ['A8'], (api) =>
    creatingWith(api, 'OAUTH', CREDENTIALS.OAUTH).shows({ token_expires_at: absent }),
  ),
  inferred(
    'Members of a delegation that only replies hold are minted by the server, whatever was sent',
    ['A5', 'A6'],
    (api) => {
      const vendorb_dwd = { subject: 'someone', access_token: 'made-up-by-the-caller' };
      return creatingWith(api, 'VENDORB_DWD', { vendorb_dwd }).shows({
        authorization_details: {
          vendorb_dwd: {
            subject: 'someone',
            access_token: not(vendorb_dwd.access_token),
            token_expires_at: aTime,
          },
        },
      });
    },
  ),
]);

/** What the description says of the fields of credentials. */
const FIELDS = group(WRITE, [
  promised('An account holds one kind of credentials and no other', [], (api) =>
    creatingWith(api, 'OAUTH', CREDENTIALS.OAUTH).shows({
      authorization_details: {
        oauth_token: {},
        static_auth: absent,
        vendorb_dwd: absent,
        trusted_idp: absent,
      },
    }),
  ),
  promised('Tokens are kept with their domain and scopes', [], (api) => {
    const oauth_token = {
      ...CREDENTIALS.OAUTH.oauth_token,
      domain: 'conformance.test',
      scopes: ['one', 'two'],
    };
    return creatingWith(api, 'OAUTH', { oauth_token }).shows({ authorization_details: { oauth_token } });
  }),
  promised('Other credentials are kept in whatever form they have', [], (api) => {
    const static_auth = { details: { key: 'canary-key', nested: { of: ['any', 'form'] } } };
    return creatingWith(api, 'API_KEY', { static_auth }).shows({ authorization_details: { static_auth } });
  }),
  promised('A delegation has its subject and a token that ends', [], (api) =>
    creatingWith(api, 'VENDORB_DWD', CREDENTIALS.VENDORB_DWD).shows({
      authorization_details: {
        vendorb_dwd: {
          subject: 'conformance@delegated.test',
          access_token: someText,
          scopes: someOf(someText),
          token_expires_at: aTime,
        },
      },
    }),
  ),
  promised('A trusted identity has its database user and a temporary key that ends', [], (api) =>
    creatingWith(api, 'TRUSTED_IDP', CREDENTIALS.TRUSTED_IDP).shows(
      trustedIdentity({ db_user: 'conformance', access_key_id: someText, expiry: aTime }),
    ),
  ),
]);

const trustedIdentity = (members: { readonly [member: string]: Pattern }) => ({
  authorization_details: { trusted_idp: members },
});

const WITHOUT_SECRETS = trustedIdentity({
  db_user: 'conformance',
  secret_access_key: absent,
  session_token: absent,
});

const TRUSTED_IDENTITIES = group(WRITE, [
  promised('The secret parts of a trusted identity are in no reply', ['A5'], (api) =>
    creatingWith(api, 'TRUSTED_IDP', CREDENTIALS.TRUSTED_IDP).shows(WITHOUT_SECRETS),
  ),
  inferred('Secret parts of a trusted identity that were sent are in no reply', ['A5'], (api) => {
    const secrets = { secret_access_key: 'canary-secret-key', session_token: 'canary-session' };
    const trusted_idp = { db_user: 'conformance', ...secrets };
    return creatingWith(api, 'TRUSTED_IDP', { trusted_idp }).shows(WITHOUT_SECRETS);
  }),
  inferred('A trusted identity gets a temporary key that ends', ['A6'], (api) =>
    creatingWith(api, 'TRUSTED_IDP', CREDENTIALS.TRUSTED_IDP).shows(
      trustedIdentity({ access_key_id: someText, expiry: aTime }),
    ),
  ),
  promised('A temporary key that a caller sends is not the one that is given out', ['A5'], (api) => {
    const trusted_idp = { db_user: 'conformance', access_key_id: 'made-up' };
    return creatingWith(api, 'TRUSTED_IDP', { trusted_idp }).shows(
      trustedIdentity({ access_key_id: not('made-up') }),
    );
  }),
]);

const CLUSTERS = group({ about: 'createConnectedAccount', needs: ['write', 'control'] }, [
  inferred('A serverless workgroup needs no database user', ['A6'], (api) =>
    api
      .create({ connector: 'lakehouse', identifier: api.unique }, trustedIdentity({}))
      .shows({ status: 'ACTIVE', ...trustedIdentity({ access_key_id: someText }) }),
  ),
  inferred('A provisioned cluster is not usable without a database user', ['A6'], (api) =>
    api
      .create({ connector: 'warehouse', identifier: api.unique }, trustedIdentity({}))
      .shows({ status: 'PENDING_AUTH' }),
  ),
]);

const CONFLICTS = group(WRITE, [
  promised('A second create of the pair conflicts and changes nothing', ['A4'], async (api) => {
    const account = await anAccount(api, 'OAUTH', { api_config: { folder: 'inbox' } });
    await creating(api, 'OAUTH', { api_config: { folder: 'other' } }).answers(409);
    await api
      .details(account)
      .shows({ status: 'ACTIVE', api_config: { folder: 'inbox' }, updated_at: account.updatedAt });
  }),
  inferred('For the conflict the connector compares in any case', ['A4', 'I6'], async (api) => {
    const { connector, identifier } = await anAccount(api, 'API_KEY');
    await api.create({ connector: connector.toUpperCase(), identifier }).answers(409);
  }),
  inferred('An organization or a user that does not exist is not found', ['I2'], async (api) => {
    const pair = api.pair('OAUTH');
    await api.send({ body: { ...pair, organization_id: UNKNOWN.organization } }).isMissing();
    await api.send({ body: { ...pair, user_id: UNKNOWN.user } }).isMissing();
  }),
  inferred('A disabled connection takes no accounts', ['R1'], (api) => {
    const { key_id } = api.connection('a disabled OAUTH connection', { type: 'OAUTH', enabled: false });
    return isNotEnabled(api, key_id);
  }),
  inferred('A connection that is not COMPLETED takes no accounts', ['R1'], (api) => {
    const { key_id } = api.connection('an OAUTH connection in DRAFT', { type: 'OAUTH', status: 'DRAFT' });
    return isNotEnabled(api, key_id);
  }),
  inferred('Credentials of another kind than the connection has are refused', ['A5'], async (api) => {
    await creatingWith(api, 'OAUTH', CREDENTIALS.API_KEY).isRefused();
    await creatingWith(api, 'API_KEY', CREDENTIALS.OAUTH).isRefused();
    await creatingWith(api, 'NO_AUTH', CREDENTIALS.API_KEY).isRefused();
  }),
  inferred('Two kinds of credentials at once are refused', ['A5'], (api) =>
    creatingWith(api, 'OAUTH', { ...CREDENTIALS.OAUTH, ...CREDENTIALS.API_KEY }).isRefused(),
  ),
]);

const isNotEnabled = (api: Api, connector: string | undefined) =>
  api.send({ body: { connector, identifier: api.unique } }).answers(403, { error: 'CONNECTION_NOT_ENABLED' });

const REFUSALS = group({ about: 'createConnectedAccount' }, [
  inferred('An unknown connector is refused', ['A3'], (api) =>
    api.create({ connector: UNKNOWN.connector, identifier: api.unique }).isRefused('connector'),
  ),
  promised(
    'A connector takes letters, digits, spaces, hyphens, underscores and colons only',
    ['I5'],
    async (api) => {
      await api.create({ connector: 'no/such*connector', identifier: api.unique }).isRefused('connector');
      await api.details({ connector: 'Az 09-_:', identifier: api.unique }).isMissing();
    },
  ),
  inferred('A connection that signs users in is no connector', ['A3'], (api) => {
    const { key_id } = api.connection('a sign-in connection', { type: oneOf('OIDC', 'SAML') });
    return api.send({ body: { connector: key_id, identifier: api.unique } }).isRefused('connector');
  }),
  inferred(
    'An account needs a connector and an identifier; all that is missing is named at once',
    ['R1'],
    (api) => api.send({ body: {} }).isRefused('connector', 'identifier'),
  ),
  promised('A member of the wrong type is refused', [], (api) =>
    api
      .send({
        body: {
          connector: UNKNOWN.connector,
          identifier: api.unique,
          connected_account: { api_config: 'text' },
        },
      })
      .isRefused(),
  ),
]);

export const CREATE_ACCOUNT_CASES: readonly Case[] = [
  CREATING,
  FIELDS,
  TRUSTED_IDENTITIES,
  CLUSTERS,
  CONFLICTS,
  REFUSALS,
].flat();
