/** Connected accounts from creation to deletion. */
import type { OperationId } from '../../openapi/types.ts';
import { type Case, inferred, promised, reading, writing } from '../case.ts';
import type { Call } from '../client.ts';
import { absent, aText, aTime, empty, not, oneOf, someText } from '../matchers.ts';
import { UNKNOWN } from '../samples.ts';
import {
  account,
  anAccount,
  aPendingAccount,
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
  promised('A created account is given back in full, with its credentials', [], (service) => {
    const changes = { api_config: { folder: 'inbox' }, authorization_details: CREDENTIALS.OAUTH };
    const { identifier } = service.pair('OAUTH');
    const shown = { id: aText(/^ca_/), identifier, connection_id: someText, updated_at: aTime, ...changes };
    return create(service, 'OAUTH', changes, account(shown));
  }),
  promised('Credentials and configuration may be left out', [], (service) =>
    service.call('createConnectedAccount', { body: service.pair('OAUTH') }),
  ),
  inferred('The connector is the key_id of the connection, in any case', ['A3', 'I6'], (service) => {
    const { connector, identifier } = service.pair('API_KEY');
    const body = { connector: connector.toUpperCase(), identifier };
    return service.call('createConnectedAccount', { body }, account({ connector }));
  }),
  inferred('The provider is the provider_key of the connection in upper case', ['A10'], async (service) => {
    const { connector } = service.pair('OAUTH');
    const { id, provider_key } = service.connection('the connection', { key_id: connector });
    const shown = { connection_id: id, provider: String(provider_key).toUpperCase() };
    await create(service, 'OAUTH', {}, account(shown));
  }),
  inferred('An organization and a user are labels: any is kept', ['I2'], (service) => {
    const labels = { organization_id: 'nobody-knows', user_id: '42' };
    return service.call('createConnectedAccount', { body: { ...service.pair('OAUTH'), ...labels } });
  }),
  promised('A second account for the pair conflicts and changes nothing', ['A4', 'I6'], async (service) => {
    const { id, updatedAt, pair } = await anAccount(service, 'OAUTH', { api_config: { folder: 'inbox' } });
    await create(service, 'OAUTH', { api_config: { folder: 'other' } }, 409);
    const body = { ...pair, connector: pair.connector.toUpperCase() };
    await service.call('createConnectedAccount', { body }, 409);
    await details(service, { id }, account({ api_config: { folder: 'inbox' }, updated_at: updatedAt }));
  }),
  ...(
    [
      ['disabled', { type: 'OAUTH', enabled: false }],
      ['not COMPLETED', { type: 'OAUTH', status: 'DRAFT' }],
    ] as const
  ).map(([words, like]) =>
    inferred(`A connection that is ${words} takes no accounts and has no links`, ['R1'], async (service) => {
      const { key_id } = service.connection(`an OAUTH connection that is ${words}`, like);
      const body = { connector: key_id, identifier: service.unique };
      const refused = { status: 403, error: 'CONNECTION_NOT_ENABLED' } as const;
      await service.call('createConnectedAccount', { body }, refused);
      await service.call('createMagicLink', { body: { ...body, user_verify_url: VERIFY_URL } }, refused);
    }),
  ),
);

const REFUSING = reading(
  'createConnectedAccount',
  inferred('A connection that signs users in cannot be a connector', ['A3'], (service) => {
    const { key_id } = service.connection('a sign-in connection', { type: oneOf('OIDC', 'SAML') });
    const body = { connector: key_id, identifier: service.unique };
    return service.refuses('createConnectedAccount', { body }, 'connector');
  }),
  promised('A connector has only letters, digits, spaces and - _ :', ['I5'], async (service) => {
    const body = { connector: 'no/such*connector', identifier: 'nobody' };
    await service.refuses('createConnectedAccount', { body }, 'connector');
    await details(service, { connector: 'Az 09-_:', identifier: 'nobody' }, 404);
  }),
);

type Address = Readonly<Record<string, string>>;

/** The operations that name an account, and the rest of a call. */
const ADDRESSED = [
  ['getConnectedAccountAuth', (query) => ({ query })],
  ['getConnectedAccountDetails', (query) => ({ query })],
  ['updateConnectedAccount', (address) => ({ body: { ...address, connected_account: {} } })],
  ['createMagicLink', (address) => ({ body: { ...address, user_verify_url: VERIFY_URL } })],
  ['deleteConnectedAccount', (body) => ({ body })],
] as const satisfies readonly [OperationId, (address: Address) => Call][];

const ADDRESSING = ADDRESSED.flatMap(([operationId, toCall]) => [
  ...reading(
    operationId,
    promised(`${operationId} refuses a call that names no account`, ['A2'], async (service) => {
      await service.call(operationId, toCall({}), 400);
      await service.refuses(operationId, toCall({ connector: 'mail' }), 'identifier');
      await service.refuses(operationId, toCall({ identifier: 'nobody' }), 'connector');
    }),
  ),
  ...writing(
    operationId,
    inferred(
      `${operationId} takes an id, or connector and identifier; the id wins`,
      ['A2'],
      async (service) => {
        const { id } = await anAccount(service, 'OAUTH');
        await service.misses(operationId, toCall({ id, organization_id: UNKNOWN.organization }));
        await service.misses(operationId, toCall({ id, user_id: UNKNOWN.user }));
        await service.call(operationId, toCall({ id, connector: UNKNOWN.connector, identifier: 'nobody' }));
        const { pair } = await anAccount(service, 'API_KEY');
        await service.call(operationId, toCall(pair));
      },
    ),
    promised(
      `${operationId} takes connector and identifier together with an organization or a user`,
      [],
      async (service) => {
        for (const owner of [{ organization_id: 'org_conformance' }, { user_id: 'usr_conformance' }]) {
          const connector = service.connector('API_KEY');
          const body = { connector, identifier: `${service.unique}-${Object.keys(owner)}`, ...owner };
          await service.call('createConnectedAccount', { body });
          await service.call(operationId, toCall(body));
        }
      },
    ),
  ),
]);

const READING = writing(
  'getConnectedAccountAuth',
  promised('The credentials of an account are given out in full', [], async (service) => {
    const { id } = await anAccount(service, 'OAUTH');
    await auth(service, { id }, account({ authorization_details: CREDENTIALS.OAUTH }));
  }),
  promised('Details show the configuration and no credentials', ['A10'], async (service) => {
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
  }),
  inferred('Fetching credentials sets last_used_at, fetching details does not', ['A8'], async (service) => {
    const { id } = await anAccount(service, 'OAUTH');
    await details(service, { id }, account({ last_used_at: absent }));
    await auth(service, { id });
    await details(service, { id }, account({ last_used_at: aTime }));
  }),
  promised('A consent sets the end of its token', ['A8'], async (service) => {
    const pair = await aVerifiedAccount(service);
    await auth(service, pair, account({ token_expires_at: aTime }));
    await details(service, pair, account({ token_expires_at: aTime, last_used_at: aTime }));
  }),
);

const EMPTY_TOKEN = { authorization_details: { oauth_token: { access_token: '' } } };
const USABLE = { authorization_details: CREDENTIALS.OAUTH };

const UPDATING = writing(
  'updateConnectedAccount',
  promised('api_config merges member by member, at its top level', ['A7'], async (service) => {
    const { id } = await anAccount(service, 'OAUTH', { api_config: { folder: 'inbox', deep: { one: 1 } } });
    const changes = { api_config: { deep: { two: 2 }, added: true } };
    const merged = { folder: 'inbox', deep: { one: absent, two: 2 }, added: true };
    await update(service, id, changes, account({ api_config: merged, status: 'ACTIVE' }));
  }),
  promised('Only the credential members that are sent change', ['A7'], async (service) => {
    const { id } = await anAccount(service, 'OAUTH');
    const newer = { access_token: 'newer-access-token' };
    const oauth_token = { ...CREDENTIALS.OAUTH.oauth_token, ...newer };
    const changes = { authorization_details: { oauth_token: newer } };
    await update(service, id, changes, account({ authorization_details: { oauth_token } }));
  }),
  inferred('Usable credentials make a PENDING_AUTH account ACTIVE', ['A7'], async (service) => {
    const { id } = await aPendingAccount(service);
    await update(service, id, { api_config: { folder: 'inbox' } }, account({ status: 'PENDING_AUTH' }));
    await update(service, id, EMPTY_TOKEN, account({ status: 'PENDING_AUTH' }));
    await update(service, id, USABLE, account({ status: 'ACTIVE', ...USABLE }));
  }),
  inferred('Sending the same values again, or none, changes nothing', ['A7'], async (service) => {
    const { id, updatedAt } = await anAccount(service, 'OAUTH');
    await update(service, id, USABLE, account({ updated_at: updatedAt }));
    await service.call(
      'updateConnectedAccount',
      { body: { id } },
      account({ updated_at: updatedAt, ...USABLE }),
    );
  }),
  inferred('Credentials of another kind are refused', ['A5'], async (service) => {
    const { id } = await anAccount(service, 'API_KEY');
    await update(service, id, USABLE, { status: 400 });
  }),
);

const DELETING = writing(
  'deleteConnectedAccount',
  promised('A deleted account is gone, and its pair can be used again', ['A9', 'I1'], async (service) => {
    const { id, pair } = await anAccount(service, 'OAUTH');
    await service.call('deleteConnectedAccount', { body: { id } }, { body: empty });
    await details(service, { id }, 404);
    await auth(service, { id }, 404);
    await service.misses('deleteConnectedAccount', { body: { id } });
    await service.call('createConnectedAccount', { body: pair }, account({ id: not(id) }));
  }),
);

export const ACCOUNT_FLOWS: readonly Case[] = [
  ...CREATING,
  ...REFUSING,
  ...ADDRESSING,
  ...READING,
  ...UPDATING,
  ...DELETING,
];
