/** What the description says of the fields of accounts and of the credentials that they hold. */
import { type AccountType, aConsent, act, advance, anAccount } from '../arrange.ts';
import { textAt } from '../call.ts';
import { define } from '../case.ts';
import { ACCOUNTS } from '../default-rows.ts';
import { fieldsOf, valueCites } from '../fields.ts';
import { aText, aTime, including, not, someText } from '../pattern.ts';
import type { Session } from '../session.ts';

/** One of each kind of authorization that a connection can have. */
const KINDS = {
  OAUTH: 'OAUTH',
  API_KEY: 'API_KEY',
  BEARER: 'BEARER_TOKEN',
  BASIC: 'BASIC',
  OAUTH_M2M: 'OAUTH_M2M',
  VENDORA_OAUTH1: 'VENDORA_OAUTH1',
  VENDORB_DWD: 'VENDORB_DWD',
  TRUSTED_IDP: 'TRUSTED_IDP',
  SMART_FHIR: 'SMART_FHIR',
  NO_AUTH: 'NO_AUTH',
} as const satisfies Readonly<Record<AccountType, string>>;

const accountFields = ({ connector, identifier }: { connector: string; identifier: string }) =>
  fieldsOf('account', {
    id: aText(/^ca_/),
    connection_id: someText,
    connector,
    identifier,
    provider: someText,
    updated_at: aTime,
    api_config: { free: { of: ['any', 'form', 1, true] } },
  });

const byId = ({ given }: { given: { id: string } }) => ({ query: { id: given.id } });

/** An account that a user has consented to and been verified for, and whose credentials were read. */
const used = async (session: Session) => {
  const { authRequestId, connector, identifier } = await aConsent(session);
  await session.obtain('verifyConnectedAccountUser', {
    body: { auth_request_id: authRequestId, identifier },
  });
  await session.obtain('getConnectedAccountAuth', { query: { connector, identifier } });
  return { connector, identifier };
};

const timesOfUse = fieldsOf('account', { token_expires_at: aTime, last_used_at: aTime });

export const ACCOUNT_FIELD_CASES = [
  define({
    name: 'An account has its fields',
    operationId: 'getConnectedAccountDetails',
    basis: 'promised',
    cites: [...accountFields({ connector: '', identifier: '' }).cites, 'service.times'],
    needs: ['write'],
    arrange: anAccount('API_KEY', { api_config: { free: { of: ['any', 'form', 1, true] } } }),
    send: byId,
    status: 200,
    body: ({ given }) => ({ connected_account: accountFields(given).pattern }),
  }),
  define({
    name: 'The connection_id of an account is that of the connection of its connector',
    operationId: 'getConnectedAccountDetails',
    basis: 'promised',
    cites: ['account.connection_id'],
    needs: ['write'],
    arrange: anAccount('API_KEY'),
    send: byId,
    status: 200,
    body: ({ given, connection }) => ({
      connected_account: {
        connection_id:
          connection(({ key_id }) => key_id === given.connector, 'the connection of the account').id ?? '',
      },
    }),
  }),
  define({
    name: 'An account that was used says when, and until when its token lasts',
    operationId: 'getConnectedAccountDetails',
    basis: 'promised',
    cites: timesOfUse.cites,
    needs: ['write', 'person'],
    arrange: used,
    send: ({ given }) => ({ query: given }),
    status: 200,
    body: { connected_account: timesOfUse.pattern },
  }),
  define({
    name: 'A list shows the ten fields of an account',
    operationId: 'listConnectedAccounts',
    basis: 'promised',
    cites: ['list.items'],
    needs: ['write', 'person'],
    arrange: used,
    send: ({ given }) => ({ query: given }),
    status: 200,
    body: ({ given }) => ({
      connected_accounts: [
        {
          ...given,
          id: aText(/^ca_/),
          connection_id: someText,
          provider: someText,
          authorization_type: 'OAUTH',
          status: 'ACTIVE',
          ...timesOfUse.pattern,
          updated_at: aTime,
        },
      ],
    }),
  }),
  ...Object.entries(KINDS).map(([type, kind]) =>
    define({
      name: `An account can be of ${kind}`,
      operationId: 'getConnectedAccountDetails',
      basis: 'inferred', // which type of connection leads to it
      cites: [...valueCites('account', 'authorization_type', [kind]), 'A5'],
      needs: ['write'],
      arrange: anAccount(type as AccountType), // a key of KINDS
      send: byId,
      status: 200,
      body: { connected_account: { authorization_type: kind } },
    }),
  ),
  ...Object.entries(ACCOUNTS).map(([status, id]) =>
    define({
      name: `An account can be ${status}, in a list as in its details`,
      operationId: 'getConnectedAccountDetails',
      basis: 'promised',
      cites: valueCites('account', 'status', [status]),
      needs: ['control'],
      send: () => ({ query: { id } }),
      status: 200,
      body: { connected_account: { status } },
      afterwards: [
        {
          operationId: 'listConnectedAccounts',
          send: () => ({ query: { page_size: 100 } }),
          status: 200,
          body: { connected_accounts: including({ id, status }) },
        },
      ],
    }),
  ),
  define({
    name: 'After its token has ended an account has to be authorized again',
    operationId: 'getConnectedAccountDetails',
    basis: 'promised',
    cites: ['account.token_ends'],
    needs: ['write', 'control'],
    arrange: async (session) => {
      const pair = await used(session);
      const account = await session.obtain('getConnectedAccountDetails', { query: pair });
      return { id: textAt(account, 'connected_account', 'id') };
    },
    meanwhile: [act('revoke'), advance('61m')],
    send: byId,
    status: 200,
    body: { connected_account: { status: 'EXPIRED' } },
  }),
  define({
    name: 'updated_at moves on a change of the credentials',
    operationId: 'updateConnectedAccount',
    basis: 'promised',
    cites: ['account.updated_by_credentials'],
    needs: ['write', 'control'],
    arrange: anAccount('OAUTH'),
    meanwhile: [advance('1h')],
    send: ({ given }) => ({
      body: {
        id: given.id,
        connected_account: { authorization_details: { oauth_token: { access_token: 'newer' } } },
      },
    }),
    status: 200,
    body: ({ given }) => ({ connected_account: { updated_at: not(given.updatedAt) } }),
  }),
];
