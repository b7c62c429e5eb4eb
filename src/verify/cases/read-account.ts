/** One account: how it is named, its fields, with its credentials and without. */
import type { OperationId } from '../../openapi/types.ts';
import type { Api } from '../api.ts';
import { type Case, group, inferred, promised } from '../case.ts';
import {
  ACCOUNT_TYPES,
  aConsent,
  anAccount,
  aPendingAccount,
  aVerifiedAccount,
  CREDENTIALS,
  kindOf,
  VERIFY_URL,
} from '../given.ts';
import { type RequestParts, textAt } from '../http.ts';
import { absent, aText, aTime, including, someText } from '../pattern.ts';
import { ACCOUNTS, UNKNOWN } from '../samples.ts';

const READS = ['getConnectedAccountAuth', 'getConnectedAccountDetails'] as const;

/** What both ways of reading an account have in common. */
const READING = READS.flatMap((about) => [
  ...group({ about }, [
    promised(`${about} without an account named is refused`, ['A2'], async (api) => {
      await api.send().isRefused('id');
      await api.send({ query: { connector: 'mail' } }).isRefused('identifier');
      await api.send({ query: { identifier: 'nobody' } }).isRefused('connector');
    }),
    promised(`${about} of an account that does not exist is not found`, ['A2'], async (api) => {
      await api.send({ query: { id: UNKNOWN.account } }).isMissing();
      await api.send({ query: { connector: UNKNOWN.connector, identifier: 'nobody' } }).isMissing();
    }),
    inferred(`${about} refuses an id that is malformed`, ['I2'], (api) =>
      api.send({ query: { id: 'account-1' } }).isRefused('id'),
    ),
  ]),
  ...group({ about, needs: ['write'] }, [
    inferred(`${about} takes the id, or connector and identifier`, ['A2'], async (api) => {
      const { id, connector, identifier } = await anAccount(api, 'OAUTH');
      await api.send({ query: { id } }).shows({ id });
      await api.send({ query: { connector, identifier } }).shows({ id });
    }),
    inferred(`${about} with both goes by the id`, ['A2'], async (api) => {
      const { id } = await anAccount(api, 'OAUTH');
      const elsewhere = { connector: UNKNOWN.connector, identifier: 'nobody' };
      await api.send({ query: { id, ...elsewhere } }).shows({ id });
    }),
    inferred(`${about} with the wrong owner is not found`, ['A2'], async (api) => {
      const { id } = await anAccount(api, 'OAUTH');
      await api.send({ query: { id, organization_id: UNKNOWN.organization } }).isMissing();
      await api.send({ query: { id, user_id: UNKNOWN.user } }).isMissing();
    }),
  ]),
]);

const CREDENTIALS_READ = [
  ...group({ about: 'getConnectedAccountAuth', needs: ['write'] }, [
    promised('The credentials of an account are given out in full', [], async (api) => {
      const account = await anAccount(api, 'OAUTH');
      await api.auth(account).shows({ authorization_details: CREDENTIALS.OAUTH });
    }),
    inferred('An account without credentials answers with its status alone', ['A8'], async (api) => {
      const account = await aPendingAccount(api);
      await api
        .auth(account)
        .shows({ status: 'PENDING_AUTH', authorization_details: absent, last_used_at: absent });
    }),
    inferred('A trusted identity keeps its temporary key from read to read', ['A6'], async (api) => {
      const account = await anAccount(api, 'TRUSTED_IDP');
      const { body } = await api.auth(account).succeeds();
      const key = ['connected_account', 'authorization_details', 'trusted_idp', 'access_key_id'];
      await api
        .auth(account)
        .shows({ authorization_details: { trusted_idp: { access_key_id: textAt(body, ...key) } } });
    }),
  ]),
  ...group({ about: 'getConnectedAccountAuth', needs: ['write', 'person'] }, [
    inferred('Tokens of a consent that is not verified can be read nowhere', ['V3'], async (api) => {
      const consent = await aConsent(api);
      await api.auth(consent).shows({ status: 'PENDING_VERIFICATION', authorization_details: absent });
    }),
  ]),
];

const FIELDS = group({ about: 'getConnectedAccountDetails', needs: ['write'] }, [
  promised('Details show the configuration and no credentials', ['A10'], async (api) => {
    const account = await anAccount(api, 'API_KEY', { api_config: { region: 'north' } });
    await api.details(account).shows({ api_config: { region: 'north' }, authorization_details: absent });
  }),
  promised('An account has its fields', [], async (api) => {
    const api_config = { free: { of: ['any', 'form', 1, true] } };
    const account = await anAccount(api, 'API_KEY', { api_config });
    await api.details(account).shows({
      id: aText(/^ca_/),
      connection_id: someText,
      connector: account.connector,
      identifier: account.identifier,
      provider: someText,
      updated_at: aTime,
      api_config,
    });
  }),
  promised('The connection_id of an account is that of the connection of its connector', [], async (api) => {
    const account = await anAccount(api, 'API_KEY');
    const { id } = api.connection('the connection of the account', { key_id: account.connector });
    await api.details(account).shows({ connection_id: String(id) });
  }),
  inferred('Handing out credentials sets last_used_at, details do not', ['A8'], async (api) => {
    const account = await anAccount(api, 'OAUTH');
    await api.details(account).shows({ last_used_at: absent });
    await api.auth(account).succeeds();
    await api.details(account).shows({ last_used_at: someText });
  }),
  ...ACCOUNT_TYPES.map((type) =>
    // The description lists the kinds, not which type of connection leads to which.
    inferred(`An account can be of ${kindOf(type)}`, ['A5'], async (api) =>
      api.details(await anAccount(api, type)).shows({ authorization_type: kindOf(type) }),
    ),
  ),
]);

const USED = group({ about: 'getConnectedAccountDetails', needs: ['write', 'person'] }, [
  promised('An account that was used says when, and until when its token lasts', [], async (api) => {
    const account = await aVerifiedAccount(api);
    await api.auth(account).succeeds();
    await api.details(account).shows({ token_expires_at: aTime, last_used_at: aTime });
  }),
]);

const STATUSES = group(
  { about: 'getConnectedAccountDetails', needs: ['control'] },
  Object.entries(ACCOUNTS).map(([status, id]) =>
    promised(`An account can be ${status}, in a list as in its details`, [], async (api) => {
      await api.details({ id }).shows({ status });
      await api.list({ page_size: 100 }).succeeds({ connected_accounts: including({ id, status }) });
    }),
  ),
);

/** An account of an organization, one of a user, and one by its id, as calls name them. */
const addresses = async (api: Api): Promise<readonly Readonly<Record<string, string>>[]> => {
  const connector = api.connector('API_KEY');
  const ofOrganization = {
    connector,
    identifier: `${api.unique}-of-organization`,
    organization_id: api.organizationId,
  };
  const ofUser = { connector, identifier: `${api.unique}-of-user`, user_id: api.userId };
  for (const body of [ofOrganization, ofUser]) await api.obtain('createConnectedAccount', { body });
  return [ofOrganization, ofUser, { id: (await anAccount(api, 'API_KEY')).id }];
};

/** The five operations that name an account, and what else each of them is sent. */
const ADDRESSING = (
  [
    ['getConnectedAccountAuth', (query) => ({ query })],
    ['getConnectedAccountDetails', (query) => ({ query })],
    [
      'updateConnectedAccount',
      (body) => ({ body: { ...body, connected_account: { api_config: { a: 1 } } } }),
    ],
    ['createMagicLink', (body) => ({ body: { ...body, user_verify_url: VERIFY_URL } })],
    ['deleteConnectedAccount', (body) => ({ body })],
  ] satisfies readonly [OperationId, (address: Readonly<Record<string, string>>) => RequestParts][]
).flatMap(([about, toCall]) =>
  group({ about, needs: ['write', 'organization', 'user'] }, [
    promised(`${about} takes the id, or organization or user, connector and identifier`, [], async (api) => {
      for (const address of await addresses(api)) await api.send(toCall(address)).succeeds();
    }),
  ]),
);

export const READ_ACCOUNT_CASES: readonly Case[] = [
  ADDRESSING,
  READING,
  CREDENTIALS_READ,
  FIELDS,
  USED,
  STATUSES,
].flat();
